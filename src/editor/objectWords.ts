import * as vscode from 'vscode';
import { displayText } from './displayText.ts';
import { kindWord } from '../objects/kinds/kindWords.ts';
import { documentTarget, type DocumentTarget } from './documentUri.ts';

/** A document's object as messages name it, for example `policy "Tenants"`. */
export function objectWords(uri: vscode.Uri): string {
  const target = documentTarget(uri);
  return target ? targetWords(target) : displayText(uri.path);
}

/** An object as messages name it, for example `group "North"`: a folder may be called the same. */
export function targetWords({ kind, name }: Pick<DocumentTarget, 'kind' | 'name'>): string {
  return vscode.l10n.t('{0} "{1}"', kindWord(kind), displayText(name));
}
