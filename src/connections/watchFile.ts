import { mkdirSync, watch, type FSWatcher } from 'node:fs';
import path from 'node:path';
import type * as vscode from 'vscode';

/**
 * Calls `changed` whenever this or another process writes, replaces or removes a file, from now on: the editor's own watchers
 * take a second to begin, and what happens until then is lost.
 * @param unwatched is told why where the system cannot tell of changes.
 */
export function watchFile(file: string, changed: () => void, unwatched: (why: unknown) => void): vscode.Disposable {
  let watcher: FSWatcher | undefined;
  try {
    // The file is replaced, not written, so it is the folder that tells of it.
    const folder = path.dirname(file);
    mkdirSync(folder, { recursive: true });
    watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (name === null || name === path.basename(file)) changed();
    });
    watcher.on('error', unwatched);
  } catch (error) {
    unwatched(error);
  }
  return { dispose: () => watcher?.close() };
}
