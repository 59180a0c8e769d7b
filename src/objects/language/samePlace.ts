import type { Node } from 'jsonc-parser';
import { JsonText, propertyOf } from './jsonText.ts';

/** Position of a cursor: line and character, both from 0. */
export interface TextPlace {
  readonly line: number;
  readonly character: number;
}

/**
 * Finds the positions of cursors after a document's text was replaced as a whole: at the property or list entry on
 * whose line they were, or at its parent if that is gone. Keeps line and character if the texts are invalid JSON or
 * have nothing in common.
 * @returns for each position in `before`, the one in `after`, within its bounds.
 */
export function samePlaces(before: string, after: string, places: readonly TextPlace[]): TextPlace[] {
  const [old, now] = [new JsonText(before), new JsonText(after)];
  const [oldStarts, nowStarts] = [lineStarts(before), lineStarts(after)];
  return places.map(({ line, character }) => {
    const found = old.root && now.root ? offsetOfSame(old, now, firstOnLine(before, oldStarts[line])) : undefined;
    const there = found === undefined ? Math.min(line, nowStarts.length - 1) : lineOf(nowStarts, found);
    return { line: there, character: Math.min(character, lineLength(after, nowStarts, there)) };
  });
}

/** Offset in `now` of the node at an offset of `old`; undefined if there is none. */
function offsetOfSame(old: JsonText, now: JsonText, offset: number): number | undefined {
  const node = old.nodeAt(offset);
  if (!node) return undefined;
  const isEnd = node.children !== undefined && offset > node.offset;
  const same = sameNode(now, pathOf(node));
  if (!same) return undefined;
  return isEnd && same.isWhole ? same.node.offset + same.node.length - 1 : same.node.offset;
}

/** Path to a node: for each step its name in an object, or its index in a list. */
function pathOf(node: Node): (string | number)[] {
  const path: (string | number)[] = [];
  for (let at = node; at.parent; at = at.parent) {
    if (at.parent.type === 'property') path.unshift(String(at.parent.children?.[0]?.value));
    else if (at.parent.type === 'array') path.unshift((at.parent.children ?? []).indexOf(at));
  }
  return path;
}

/**
 * The property or entry at a path, or the last existing one on the way to it; `isWhole` tells whether the whole path
 * exists.
 */
function sameNode(
  { root }: JsonText,
  path: readonly (string | number)[],
): { node: Node; isWhole: boolean } | undefined {
  let [value, shown] = [root, root];
  for (const step of path) {
    const property = propertyOf(value, String(step));
    const next = property?.children?.[1] ?? (value?.type === 'array' ? value.children?.[Number(step)] : undefined);
    if (!next) return shown && { node: shown, isWhole: false };
    [value, shown] = [next, property ?? next];
  }
  return shown && { node: shown, isWhole: true };
}

function firstOnLine(text: string, start = 0): number {
  return start + (/^[ \t]*/.exec(text.slice(start, start + 1_000))?.[0].length ?? 0);
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The line of an offset, by binary search. */
function lineOf(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function lineLength(text: string, starts: readonly number[], line: number): number {
  const end = starts[line + 1] === undefined ? text.length : (starts[line + 1] ?? 0) - 1;
  return text.slice(starts[line], end).replace(/\r$/, '').length;
}
