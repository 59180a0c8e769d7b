import * as vscode from 'vscode';

/**
 * Default implementations for a file system that only opens and saves files: there are no folders to list, and objects
 * are created, renamed and deleted by commands that ask first, never by the editor.
 */
export abstract class FilesOnly {
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}
