import * as vscode from 'vscode';
import { inertText } from './inertText.ts';

/**
 * An error of a file system of ours, in words for the user. The editor shows it in messages of its own, with the error's name
 * before it, so it has none.
 */
export function fileUnavailable(words: string): vscode.FileSystemError {
  const error = vscode.FileSystemError.Unavailable(inertText(words));
  error.name = '';
  return error;
}
