import type * as vscode from 'vscode';
import { kindNames } from '../../../objects/kinds/kindNames.ts';
import { documentScheme } from '../../../editor/documentUri.ts';

const suffix = new RegExp(`\\.(${kindNames.join('|')})\\.json$`);

/** Kind of object that a document holds, by its file name, whether it is on a server or on disk; else undefined. */
export function kindNameOf({ uri, languageId }: Pick<vscode.TextDocument, 'uri' | 'languageId'>): string | undefined {
  if (languageId !== 'json' && languageId !== 'jsonc') return undefined;
  return suffix.exec(uri.path)?.[1];
}

/** Schemes in which documents of the kinds are looked after. */
export const documentSchemes: readonly string[] = [documentScheme, 'file', 'untitled', 'vscode-vfs'];
