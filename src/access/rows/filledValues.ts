import { isProfilePlaceholder, parseValue } from '../../contract/placeholders.ts';

/** A user's values of a placeholder, by its normal label; undefined or none if it has no value. */
export type ValuesOf = (label: string) => readonly string[] | undefined;

/** A piece of a filled value: its own text, or the value of a placeholder. */
interface Piece {
  readonly text: string;
  readonly isFilled: boolean;
  /** Whether it is a profile text, which is always one item of a list. */
  readonly isOneItem: boolean;
}

/** One way to fill a value: a tag can have several values. */
export type FilledValue = readonly Piece[];

/** Servers show no row for longer lists. */
const valuesAtMost = 10_000;

/**
 * Every way to fill a constraint's value; none if a placeholder has no value, and undefined if the value cannot be
 * filled. In both cases, the constraint shows no row.
 */
export function fillValue(value: string, valuesOf: ValuesOf): FilledValue[] | undefined {
  let ways: FilledValue[] = [[]];
  for (const part of parseValue(value)) {
    let pieces: Piece[];
    if (part.kind === 'text') {
      if (part.isBroken) return undefined;
      pieces = [{ text: part.text, isFilled: false, isOneItem: false }];
    } else {
      const { normal } = part.label;
      if (normal === undefined) return undefined;
      // Tag1 to Tag4 can be lists, since only administrators set them.
      const isOneItem = isProfilePlaceholder(normal) && !/^tag\d$/.test(normal);
      pieces = (valuesOf(normal) ?? [])
        .filter((text) => text !== '')
        .map((text) => ({ text, isFilled: true, isOneItem }));
    }
    if (ways.length * pieces.length > valuesAtMost) return undefined;
    ways = ways.flatMap((way) => pieces.map((piece) => [...way, piece]));
  }
  return ways;
}

/** Text of a filled value. */
export function textOf(way: FilledValue): string {
  return way.map(({ text }) => text).join('');
}

/** Distinguishes patterns: wildcards count in the value's own text, not in what a placeholder is filled with. */
export function patternKey(way: FilledValue): string {
  return JSON.stringify(way.map(({ text, isFilled }) => [isFilled, text]));
}

/** The items of filled lists; undefined if a list cannot be split, so that it shows no row. */
export function itemsOf(ways: readonly FilledValue[]): string[] | undefined {
  const items: string[] = [];
  for (const way of ways) {
    const more = itemsOfWay(way);
    if (more === undefined || items.length + more.length > valuesAtMost) return undefined;
    items.push(...more);
  }
  return items;
}

function itemsOfWay(way: FilledValue): string[] | undefined {
  const held = new Map<string, string>();
  const text = way.map((piece, index) => {
    if (!piece.isOneItem || !/[,'"]|^\s|\s$/u.test(piece.text)) return piece.text;
    const name = `\0${index}\0`;
    held.set(name, piece.text);
    return name;
  });
  const items = splitList(text.join(''));
  if (items?.some((item) => item.includes('\0') && !held.has(item))) return undefined;
  return items?.map((item) => held.get(item) ?? item);
}

/** Items of a list: separated by commas, plain or in quotes, in which a doubled quote is one. */
const listItem = /\s*(?:'([^']*(?:''[^']*)*)'\s*|"([^"]*(?:""[^"]*)*)"\s*|([^,'"\s][^,]*)|)(?:,|$)/uy;

function splitList(text: string): string[] | undefined {
  const items: string[] = [];
  let end = 0;
  while (end < text.length) {
    listItem.lastIndex = end;
    const found = listItem.exec(text);
    if (!found) return undefined;
    const [whole, single, double, plain] = found;
    const item = single?.replaceAll("''", "'") ?? double?.replaceAll('""', '"') ?? plain?.trim();
    if (item !== undefined) items.push(item);
    end += whole.length;
  }
  return items;
}
