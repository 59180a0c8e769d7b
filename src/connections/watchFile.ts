import path from 'node:path';
import * as vscode from 'vscode';

/** Calls `changed` whenever this or another process writes, replaces or removes a file; its folder need not be there yet. */
export function watchFile(file: string, changed: () => void): vscode.Disposable {
  const folder = vscode.Uri.file(path.dirname(file));
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, path.basename(file)));
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(changed),
    watcher.onDidChange(changed),
    watcher.onDidDelete(changed),
  );
}
