import { parseValue, type LabelReading, type ValueText } from '../../contract/placeholders.ts';
import { isOwnText } from './policyConstraint.ts';
import { patternOf } from './rowSecurityConditions.ts';
import type { LikePart } from './rowSecurityPredicate.ts';
import { mostListValues, splitList, ValueError } from './rowSecurityValues.ts';

/** The caller's values of a tag by its normal label; undefined or none hides all rows. */
export type TagValues = (label: string) => readonly string[] | undefined;

/**
 * A piece of a filled template: its own text, or a value of a tag or, always a single item of a list, of a profile
 * field.
 */
interface FilledPart {
  text: string;
  isTag: boolean;
  isOneItem: boolean;
}

/** One way to fill a value. */
type Filled = readonly FilledPart[];

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

export function plainText(parts: Filled): string {
  return parts.map(({ text }) => text).join('');
}

/** The text of a template for an order comparison, which would be ambiguous with several values. */
export function onlyText([way, ...others]: readonly Filled[]): string {
  if (!way || others.length > 0) throw new ValueError();
  return plainText(way);
}

/** @throws {ValueError} when the lists together have too many values. */
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

export function patternParts(part: FilledPart): LikePart[] {
  return part.isTag ? [{ literal: part.text }] : patternOf(part.text);
}
