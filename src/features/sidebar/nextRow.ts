import type * as vscode from 'vscode';
import { lastAnswerAt } from '../../editor/messages.ts';

/** A view whose rows are identified by an id. */
export interface RowView<Node> {
  view: vscode.TreeView<Node>;
  isRow(argument: unknown): argument is Node;
  /** The rows beside a row, itself included, as long as it is there. */
  siblings(row: Node): readonly Node[];
  idOf(row: Node): string;
  parentOf?(row: Node): Node | undefined;
}

/** After this time without an answer to a question, in milliseconds, the user may have gone on elsewhere. */
const stillHereMs = 2_000;

/**
 * Runs a command that was called on a row. If the row is gone afterwards, the next one becomes active, else the previous
 * one, else the parent: the focus would be lost with the row. Not after a long wait, which would take the focus from
 * where the user is by then.
 */
export async function withNextRow<Node>(
  rows: Omit<RowView<Node>, 'isRow'>,
  row: Node,
  run: () => Promise<void> | void,
): Promise<void> {
  const { view, siblings, idOf, parentOf } = rows;
  const before = siblings(row);
  const at = before.findIndex((one) => idOf(one) === idOf(row));
  const start = Date.now();
  await run();
  const left = new Map(siblings(row).map((one) => [idOf(one), one]));
  if (at < 0 || left.has(idOf(row)) || !view.visible) return;
  if (Date.now() - Math.max(start, lastAnswerAt()) > stillHereMs) return;
  const nearest = [...before.slice(at + 1), ...before.slice(0, at).toReversed()];
  const next = nearest.map((one) => left.get(idOf(one))).find((one) => one !== undefined) ?? parentOf?.(row);
  if (next !== undefined) await view.reveal(next, { select: true, focus: true });
}
