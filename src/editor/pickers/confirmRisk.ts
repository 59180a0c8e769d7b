import * as vscode from 'vscode';
import { fieldOf, type Json } from '../../objects/json.ts';
import { nameOf, type ObjectKind } from '../../objects/kinds/objectKind.ts';
import { isSameRisk, unreadLists, type RiskyChange } from '../../objects/save/riskyChanges.ts';
import type { ConfirmWrite } from '../../objects/save/saveObject.ts';
import { displayText } from '../displayText.ts';
import { showWarningMessage } from '../messages.ts';

/**
 * Asks the user to confirm risky changes of an object; false if cancelled.
 * @param rows sentences about the rows that users then see.
 */
export type ConfirmRisk = (
  changes: readonly RiskyChange[],
  name: string,
  server: string,
  rows: readonly string[],
) => Promise<boolean>;

/** Shows the effect of risky changes, before and after, and asks whether to send them. */
export const confirmRisk: ConfirmRisk = async (changes, name, server, rows) => {
  const send = vscode.l10n.t('Save');
  const question = vscode.l10n.t(
    'Save "{0}" on {1}? This changes who has access, or what users see.',
    displayText(name),
    server,
  );
  const details = changes.map(({ field, before, now, meaning }) =>
    [`${field}: ${inOneLine(before)} → ${inOneLine(now)}`, meaning].filter((line) => line !== '').join('\n'),
  );
  const detail = [...(rows.length > 0 ? [rows.join('\n')] : []), ...details].join('\n\n');
  return (await showWarningMessage(question, { modal: true, detail }, send)) === send;
};

/** For commands that save a whole object: asks before lists are sent that the server did not return, once for each. */
export function confirmingUnreadLists(kind: ObjectKind, server: string): ConfirmWrite {
  const confirmed: RiskyChange[] = [];
  return async ({ before, after }) => {
    // The command may have filled such a list, without what the server holds in it.
    const lists = unreadLists(kind, before, before).map((list) => ({ ...list, now: fieldOf(after, list.field) ?? [] }));
    const asked = lists.filter((list) => !confirmed.some((other) => isSameRisk(list, other)));
    if (asked.length === 0) return 'sure';
    if (!(await confirmRisk(asked, nameOf(kind, before), server, []))) return 'unconfirmed';
    confirmed.push(...asked);
    return 'asked';
  };
}

const longest = 80;

/** A value as one short line of JSON. Different values look different: invisible characters are escaped. */
export function inOneLine(value: Json): string {
  const text = JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}]/gu, escaped);
  return text.length > longest ? `${text.slice(0, longest).replace(/\p{Cs}$/u, '')}…` : text;
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`;
}
