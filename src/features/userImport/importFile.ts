import * as vscode from 'vscode';
import { csvText } from './csvText.ts';
import type { StoredImport } from './importJournal.ts';
import { readUserCsv, UserFileError } from './userCsv.ts';
import { fileErrorText } from './importWords.ts';

/** Passwords by line, if the file still exists and has the same users in the same lines. */
export async function passwordsOf(file: vscode.Uri, { header }: StoredImport): Promise<Map<number, string>> {
  const logins = new Map(header.rows.map(({ line, loginName }) => [line, loginName]));
  try {
    const { rows } = readUserCsv(await textOfFile(file), { logins: new Set(), groups: new Set() });
    return new Map(
      rows
        .filter(({ line, loginName }) => logins.get(line) === loginName)
        .map(({ line, password }) => [line, password]),
    );
  } catch (error) {
    // Rows that need a password report it, and are not sent.
    if (error instanceof UserFileError || error instanceof vscode.FileSystemError) return new Map();
    throw error;
  }
}

/** Reads the text of a user file. @throws {vscode.FileSystemError} if it cannot be read. */
export async function textOfFile(file: vscode.Uri): Promise<string> {
  return csvText(await vscode.workspace.fs.readFile(file));
}

/**
 * Parses the users of a file and checks them against the server's data.
 * @throws {Error} that describes the problem if the file is not a list of users.
 */
export function usersIn(text: string, file: vscode.Uri, names: Parameters<typeof readUserCsv>[1]) {
  try {
    return readUserCsv(text, names);
  } catch (error) {
    if (!(error instanceof UserFileError)) throw error;
    throw new Error(vscode.l10n.t('{0} cannot be imported. {1}', fileNameOf(file), fileErrorText(error)), {
      cause: error,
    });
  }
}

/** Base name of a file. */
export function fileNameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
