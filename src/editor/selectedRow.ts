import type * as vscode from 'vscode';

/** The editor knows the row again within this time, in milliseconds, or it is gone. */
const knownWithinMs = 2_000;

/** Called each time the editor has drawn a row of any view. */
const onDrawn = new Set<() => void>();

/** Notes that the editor is drawing a row. It knows the row, and shows it in the selection, once its own code has gone on. */
export function drawingRow(): void {
  if (onDrawn.size === 0) return;
  setImmediate(() => {
    for (const look of [...onDrawn]) look();
  });
}

/**
 * The row that was clicked: a click selects its row. While the editor reads the row again, `selection` lacks it: it is there
 * when the row is drawn, or when the selection changes.
 * @returns undefined when the row is gone.
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
