import { parseValue, type LabelReading, type ProfilePlaceholder, type ValueText } from './placeholders.ts';

/** A text is not a value of its column's kind. Has no message: the gate must not reveal why it hides all rows. */
export class ValueError extends Error {
  constructor(message?: string) {
    super(message);
    this.name = 'ValueError';
  }
}

/** The caller's values of a tag by its normal label; undefined or none hides all rows. */
export type TagValues = (label: string) => readonly string[] | undefined;

/**
 * A piece of a filled template: its own text, or a value of a tag or, always a single item of a list, of a profile
 * field.
 */
export interface FilledPart {
  text: string;
  isTag: boolean;
  isOneItem: boolean;
}

/** One way to fill a value. */
export type Filled = readonly FilledPart[];

/**
 * Every way to fill a value with the caller's tag values. A tag without values yields no ways, and a condition without
 * ways matches no row.
 * @throws {ValueError} when a placeholder is broken or ambiguous, or when there are too many ways.
 */
export function fill(value: string, tagValues: TagValues): Filled[] {
  let combinations: Filled[] = [[]];
  for (const part of parseValue(value)) {
    const pieces = part.kind === 'text' ? [textPiece(part)] : tagPieces(part.label, tagValues);
    if (combinations.length * pieces.length > mostListValues) throw new ValueError();
    combinations = combinations.flatMap((left) => pieces.map((piece) => [...left, piece]));
  }
  return combinations;
}

function textPiece({ text, isBroken }: ValueText): FilledPart {
  if (isBroken) throw new ValueError();
  return { text, isTag: false, isOneItem: false };
}

function tagPieces({ normal }: LabelReading, tagValues: TagValues): FilledPart[] {
  if (normal === undefined) throw new ValueError();
  const texts = (tagValues(normal) ?? []).filter((value) => value !== '');
  return texts.map((text) => ({ text, isTag: true, isOneItem: isOwnText(normal) }));
}

/** Text of a filled value. */
export function plainText(parts: Filled): string {
  return parts.map(({ text }) => text).join('');
}

/** The text of a template for an order comparison, which would be ambiguous with several values. */
export function onlyText([way, ...others]: readonly Filled[]): string {
  if (!way || others.length > 0) throw new ValueError();
  return plainText(way);
}

/** The items of filled lists. @throws {ValueError} when the lists together have too many values. */
export function listOf(ways: readonly Filled[]): string[] {
  const texts: string[] = [];
  for (const way of ways) {
    const items = listItems(way);
    if (texts.length + items.length > mostListValues) throw new ValueError();
    texts.push(...items);
  }
  return texts;
}

/**
 * Splits a filled template into list items. A profile value stays one item, whatever it contains, because users can
 * edit some of their profile. It is therefore replaced during the split by a name without separators.
 * @throws {ValueError} when a profile value that contains separators would be only part of an item.
 */
function listItems(parts: Filled): string[] {
  const held = new Map<string, string>();
  const list = parts.map(({ text, isOneItem }, index) => {
    if (!isOneItem || !/[,'"]|^\s|\s$/u.test(text)) return text;
    const name = `\0${index}\0`;
    held.set(name, text);
    return name;
  });
  return splitList(list.join('')).map((item) => {
    const text = held.get(item);
    if (text === undefined && item.includes('\0')) throw new ValueError();
    return text ?? item;
  });
}

/** Profile fields with a single text each; Tag1 to Tag4 may be lists, since administrators set them. */
const ownTexts: readonly string[] = [
  'login',
  'firstname',
  'lastname',
  'email',
  'company',
] satisfies ProfilePlaceholder[];

/** Whether a normal label is a profile field with a single text, which must not be split into a list. */
function isOwnText(label: string): boolean {
  return ownTexts.includes(label);
}

/** Maximum number of values of one list: databases need some kilobytes for each. */
const mostListValues = 10_000;

/**
 * Splits a list at its commas. An item in single or double quotes may contain commas, and a doubled quote within it is
 * one quote; white space around items and empty items are dropped.
 * @throws {ValueError} when a quote is not closed, or when there are too many items.
 */
export function splitList(text: string): string[] {
  const items: string[] = [];
  let at = 0;
  let comma: number;
  do {
    while (text[at]?.trim() === '') at += 1;
    const quote = text[at];
    const isQuoted = quote === "'" || quote === '"';
    const end = isQuoted ? closingQuote(text, at, quote) + 1 : at;
    comma = text.indexOf(',', end);
    const plain = text.slice(end, comma < 0 ? text.length : comma).trim();
    if (isQuoted && plain !== '') throw new ValueError(`The list "${clip(text)}" has text after a closing quote`);
    const item = isQuoted ? text.slice(at + 1, end - 1).replaceAll(quote + quote, quote) : plain;
    if (isQuoted || item !== '') items.push(item);
    if (items.length > mostListValues) throw new ValueError(`The list has more than ${mostListValues} values`);
    at = comma + 1;
  } while (comma >= 0);
  return items;
}

function closingQuote(text: string, open: number, quote: string): number {
  for (let at = text.indexOf(quote, open + 1); at !== -1; at = text.indexOf(quote, at + 2)) {
    if (text[at + 1] !== quote) return at;
  }
  throw new ValueError(`The list "${clip(text)}" has an unclosed quote`);
}

/** A text in a message. */
export function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
