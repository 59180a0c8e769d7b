import * as vscode from 'vscode';
import { displayText } from '../connections/displayText.ts';
import { kindWord } from '../objects/kindWords.ts';
import { documentTarget } from './documentUri.ts';

/** A document's object as messages name it, for example `policy "Tenants"`. */
export function objectWords(uri: vscode.Uri): string {
  const target = documentTarget(uri);
  if (!target) return displayText(uri.path);
  return vscode.l10n.t('{0} "{1}"', kindWord(target.kind), displayText(target.name));
}
