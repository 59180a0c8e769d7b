import * as vscode from 'vscode';
import { findKind } from '../objects/kinds.ts';
import type { PickList } from './objectPicks.ts';

/** A kind of object, as it is offered to be chosen. */
export interface KindChoice extends vscode.QuickPickItem {
  /** Name of the kind, as documents know it. */
  readonly object: string;
  /** Where a new object of the kind has to be, in a list that the place is chosen from. */
  readonly places?: PickList;
}

/** Kinds whose objects have names and come in numbers, in the order in which people look for them. */
export function kindChoices(): KindChoice[] {
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
