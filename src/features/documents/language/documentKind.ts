import type * as vscode from 'vscode';
import { kindNames } from '../../../objects/kinds/kindNames.ts';
import { documentScheme } from '../../../editor/documentUri.ts';

const suffix = new RegExp(`\\.(${kindNames.join('|')})\\.json$`);

/** Kind of object in a document, from its file name, on a server or on disk; otherwise undefined. */
export function kindNameOf({ uri, languageId }: Pick<vscode.TextDocument, 'uri' | 'languageId'>): string | undefined {
  if (languageId !== 'json' && languageId !== 'jsonc') return undefined;
  return suffix.exec(uri.path)?.[1];
}

/** URI schemes of documents with language features. */
export const documentSchemes: readonly string[] = [documentScheme, 'file', 'untitled', 'vscode-vfs'];
