import type * as vscode from 'vscode';

/** How long to wait for the editor to resolve a row, in ms; after that it is considered gone. */
const knownWithinMs = 2_000;

/** Called each time the editor has rendered a row of any view. */
const onDrawn = new Set<() => void>();

/** Records that the editor is rendering a row. The row appears in the selection after the editor's current turn. */
export function drawingRow(): void {
  if (onDrawn.size === 0) return;
  setImmediate(() => {
    for (const look of [...onDrawn]) look();
  });
}

/**
 * The clicked row: a click selects its row. While the editor reloads the row, it is missing from `selection`; it
 * appears when the row is rendered or the selection changes.
 * @returns undefined if the row is gone.
 */
export function selectedRow<Row>(
  view: Pick<vscode.TreeView<Row>, 'selection' | 'onDidChangeSelection'>,
): Promise<Row | undefined> {
  const [selected] = view.selection;
  if (selected !== undefined) return Promise.resolve(selected);
  return new Promise((resolve) => {
    const end = (row: Row | undefined) => {
      clearTimeout(timer);
      changes.dispose();
      onDrawn.delete(look);
      resolve(row);
    };
    const look = () => {
      const [row] = view.selection;
      if (row !== undefined) end(row);
    };
    const changes = view.onDidChangeSelection(look);
    onDrawn.add(look);
    const timer = setTimeout(() => end(undefined), knownWithinMs);
  });
}
