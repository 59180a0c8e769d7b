import * as vscode from 'vscode';
import { showQuickPick } from '../../editor/quickInput.ts';
import { showOpenDialog } from '../../editor/panels.ts';
import * as z from 'zod';
import { isUnfinished, type StoredImport } from './importJournal.ts';
import { warnOfDamagedRecords } from '../../editor/damagedRecords.ts';
import { displayText } from '../../editor/displayText.ts';
import type { Connection } from '../../connections/connection.ts';
import { openUserImport, reopenUserImport } from './importPanel.ts';
import { adminServerOf, verifiedClient } from '../../editor/pickers/verifiedServer.ts';
import { attempt } from '../../editor/commandError.ts';
import { importJournals } from './importJournals.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** An earlier import, as passed by a notification. */
const begun = z.object({ connectionId: z.string(), importId: z.string() });

/** Imports users from a CSV file, after a preview. Also resumes or undoes an earlier import. */
export async function importUsers(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await adminServerOf(argument, services, vscode.l10n.t('Import Users from CSV'));
  if (!connection) return;
  const { extensionUri } = services.context;
  const journals = importJournals(services, connection.name);
  const options = {
    connection,
    connections: services.connections,
    extensionUri,
    journals,
    changed: () => services.tree.refreshObjects(connection, 'user'),
  };
  const { imports, damaged } = await journals.readAll();
  warnOfDamagedRecords(damaged);
  const earlier = imports.filter(({ header }) => header.connectionId === connection.id);
  const named = begun.safeParse(argument).data;
  const chosen =
    earlier.find(({ header }) => header.id === named?.importId) ??
    (earlier.length === 0 ? 'file' : await choose(connection, earlier));
  if (!chosen) return;
  const what = vscode.l10n.t('Could not prepare the import into {0}', connection.name);
  if (chosen !== 'file') return attempt(what, () => reopenUserImport(chosen, options));
  const picked = await showOpenDialog({
    title: vscode.l10n.t('Users to import into {0}', connection.name),
    openLabel: vscode.l10n.t('Preview'),
    filters: { CSV: ['csv', 'tsv', 'txt'] },
  });
  const [file] = picked ?? [];
  if (!file) return;
  await attempt(what, async () => {
    await verifiedClient(connection, argument);
    await openUserImport(file, options);
  });
}

interface Choice extends vscode.QuickPickItem {
  chosen: StoredImport | 'file';
}

async function choose(connection: Connection, earlier: readonly StoredImport[]): Promise<Choice['chosen'] | undefined> {
  const items: Choice[] = [
    {
      label: vscode.l10n.t('Choose a CSV File…'),
      iconPath: new vscode.ThemeIcon('folder-opened'),
      alwaysShow: true,
      chosen: 'file',
    },
    ...earlier.map((kept) => ({ ...lookOf(kept), chosen: kept })),
  ];
  const title = vscode.l10n.t('Import users into {0}', connection.name);
  return (await showQuickPick(items, { title, matchOnDescription: true }))?.chosen;
}

function lookOf(kept: StoredImport): vscode.QuickPickItem {
  const { header, entries } = kept;
  const isOpen = isUnfinished(kept);
  const created = [...entries.values()].filter(({ kind }) => kind === 'created' || kind === 'partial').length;
  const when = new Date(header.startedAt).toLocaleString(vscode.env.language);
  return {
    label: displayText(header.fileName),
    description: vscode.l10n.t('{0} of {1} created · started {2}', created, header.rows.length, when),
    detail: isOpen ? vscode.l10n.t('Continue or undo it') : vscode.l10n.t('View or undo it'),
    iconPath: new vscode.ThemeIcon(isOpen ? 'debug-continue' : 'history'),
  };
}
