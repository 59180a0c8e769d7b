import { findNodeAtLocation, parseTree } from 'jsonc-parser';
import type { JSONPath } from 'jsonc-parser';
import type { PieceText } from './pieceText.ts';

/** Moves an entry of an array so that it becomes the one at `to`; its text goes along as it is written. */
export function moveEntry(text: PieceText, path: JSONPath, from: number, to: number): void {
  const tree = parseTree(text.text);
  const entries = (tree && findNodeAtLocation(tree, path)?.children) ?? [];
  const [moving, first, second] = [entries[from], entries[0], entries[1]];
  if (from === to || !moving || !first || !second) return;
  const slice = (start: number, end: number) => text.text.slice(start, end);
  const end = (entry: { offset: number; length: number }) => entry.offset + entry.length;
  const separator = slice(end(first), second.offset);
  const content = slice(moving.offset, end(moving));

  const [before, after] = [entries[from - 1], entries[from + 1]];
  const cutAt = after ? moving.offset : before ? end(before) : moving.offset;
  const cutTo = after ? after.offset : end(moving);
  const next = entries[to > from ? to + 1 : to];
  const last = entries.at(-1);
  const [putAt, put] = next ? [next.offset, content + separator] : [last ? end(last) : cutAt, separator + content];

  const steps = [
    { at: cutAt, length: cutTo - cutAt, content: '' },
    { at: putAt, length: 0, content: put },
  ];
  for (const step of steps.toSorted((one, other) => other.at - one.at))
    text.replace(step.at, step.length, step.content);
}
