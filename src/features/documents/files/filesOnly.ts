import * as vscode from 'vscode';

/**
 * What a file system of objects answers to everything but opening and saving one: there are no folders to list, and objects
 * are created, renamed and deleted by commands that ask first, never by the editor moving files about.
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
