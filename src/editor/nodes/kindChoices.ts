import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { findKind } from '../../objects/kinds/kinds.ts';
import { isKnownNoAdmin } from './capabilities.ts';
import type { PickList } from '../pickers/objectPicks.ts';

/** A kind of object, as it is offered to be chosen. */
export interface KindChoice extends vscode.QuickPickItem {
  /** Name of the kind, as documents know it. */
  readonly object: string;
  /** Where a new object of the kind has to be, in a list that the place is chosen from. */
  readonly places?: PickList;
}

/** What only administrators may change. */
const administered: ReadonlySet<string> = new Set(['user', 'group', 'tag', 'policy', 'server']);

/**
 * Kinds whose objects have names and come in numbers, in the order in which people look for them: those that the account may
 * change, as far as that is known.
 */
export function kindChoices(connection: Connection): KindChoice[] {
  const isOpen = ({ object }: KindChoice) => !isKnownNoAdmin(connection) || !administered.has(object);
  return allKinds().filter(isOpen);
}

function allKinds(): KindChoice[] {
  const choice = (object: string, label: string, places?: PickList): KindChoice => ({
    label,
    iconPath: new vscode.ThemeIcon(findKind(object)?.icon ?? 'json'),
    object,
    ...(places && { places }),
  });
  return [
    choice('user', vscode.l10n.t('User')),
    choice('group', vscode.l10n.t('Group')),
    choice('tag', vscode.l10n.t('Data Tag')),
    choice('policy', vscode.l10n.t('Policy')),
    choice('folder', vscode.l10n.t('Folder'), 'libraryFolders'),
    choice('report', vscode.l10n.t('Report'), 'folders'),
    choice('server', vscode.l10n.t('Registered Server'), 'applications'),
    choice('reporttype', vscode.l10n.t('Report Type'), 'databases'),
  ];
}
