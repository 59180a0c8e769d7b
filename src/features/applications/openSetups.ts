import * as vscode from 'vscode';
import { showQuickPick } from '../../editor/quickInput.ts';
import { ApplicationSetup } from './applicationSetup.ts';
import type { StoredSetup, SetupJournalStore } from './setupJournal.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../../editor/displayText.ts';

/** Removes setups that have ended because their first report was saved in the meantime. */
export async function notEnded(
  client: AnalyticsClient,
  kept: readonly StoredSetup[],
  journals: SetupJournalStore,
): Promise<StoredSetup[]> {
  const open: StoredSetup[] = [];
  for (const setup of kept) {
    if (!(await new ApplicationSetup(client, setup, journals).endIfReported())) open.push(setup);
  }
  return open;
}

/** Asks which setup to resume, or whether to start a new one; undefined if cancelled. */
export async function chooseSetup(
  connection: Connection,
  open: readonly StoredSetup[],
): Promise<StoredSetup | 'new' | undefined> {
  const begin = {
    label: vscode.l10n.t('New Application…'),
    iconPath: new vscode.ThemeIcon('add'),
    alwaysShow: true,
    chosen: 'new' as const,
  };
  const items = open.map((kept) => ({
    label: displayText(kept.name),
    description: new Date(kept.startedAt).toLocaleString(vscode.env.language),
    detail: stateLabel(kept),
    iconPath: new vscode.ThemeIcon('debug-continue'),
    chosen: kept,
  }));
  const title = vscode.l10n.t('Applications on {0} with unfinished setup', connection.name);
  return (await showQuickPick([...items, begin], { title, ignoreFocusOut: true }))?.chosen;
}

/** Current step of a setup. */
export function stateLabel({ step, isSent }: StoredSetup): string {
  switch (step) {
    case 'application':
      return isSent
        ? vscode.l10n.t('May already be registered. This is checked first.')
        : vscode.l10n.t('Nothing was sent.');
    case 'database':
      return vscode.l10n.t('The application is registered. Next: its database.');
    case 'test':
      return vscode.l10n.t('The application and database are registered. The connection test has not succeeded yet.');
    case 'reportType':
      return vscode.l10n.t('The database is connected. Next: the first report type.');
    case 'report':
      return vscode.l10n.t('The report type is saved. Next: its first report.');
  }
}

/** Objects that remain on the server after a setup is abandoned. */
export function remainingText({ step, isSent }: StoredSetup): string {
  if (step === 'application' && !isSent) return vscode.l10n.t('Abandoning the setup leaves nothing on the server.');
  return vscode.l10n.t(
    'Abandoning the setup keeps everything already registered on the server: its API cannot delete applications or databases.',
  );
}
