import * as vscode from 'vscode';
import type { TagValuesStrings } from './pageContract.ts';

/** Words of the page of a tag's values, in the editor's language. */
export function tagValuesStrings(): TagValuesStrings {
  return {
    save: vscode.l10n.t('Save'),
    saveHint: vscode.l10n.t('Save (Ctrl+S)'),
    saveHintOnMac: vscode.l10n.t('Save (⌘S)'),
    reload: vscode.l10n.t('Reload'),
    revert: vscode.l10n.t('Discard Changes'),
    find: vscode.l10n.t('Find a group or user'),
    defaultValue: vscode.l10n.t('Default value'),
    defaultHelp: vscode.l10n.t(
      'For everybody without a value of their own. Leave it empty, and they see no rows where a policy asks for the tag.',
    ),
    groups: vscode.l10n.t('Groups'),
    users: vscode.l10n.t('Users'),
    name: vscode.l10n.t('Name'),
    value: vscode.l10n.t('Value'),
    edited: vscode.l10n.t('changed, not saved yet'),
    takesDefault: vscode.l10n.t('default: {0}'),
    noRows: vscode.l10n.t('no value'),
    clear: vscode.l10n.t('Take the value of {0} away'),
    more: vscode.l10n.t('{0} more: type a part of the name to find them.'),
    none: vscode.l10n.t('There are none.'),
    noMatch: vscode.l10n.t('None matches.'),
    unsaved: vscode.l10n.t('{0} changes to save'),
    oneUnsaved: vscode.l10n.t('1 change to save'),
    saved: vscode.l10n.t('Saved, and read back from the server'),
    notPasted: vscode.l10n.t('Nothing was pasted: {0} lines for {1} rows. Paste one value a line.'),
    restored: vscode.l10n.t('not saved before the table was closed'),
  };
}
