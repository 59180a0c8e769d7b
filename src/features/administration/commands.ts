import * as vscode from 'vscode';
import { saveAuditTypes, type AuditChange } from './auditRecording.ts';
import { withSidebarProgress } from '../../editor/progress.ts';
import { createQuickPick, showQuickPick } from '../../editor/quickInput.ts';
import { setStatusBarMessage, showInformationMessage } from '../../editor/messages.ts';
import { displayText } from '../../editor/displayText.ts';
import type { Connection } from '../../connections/connection.ts';
import { type AuditType, isRecorded } from '../../contract/resources/administration.ts';
import { idText } from '../../contract/idText.ts';
import { compareNames } from '../../editor/nodes/libraryNodes.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import { adminServerOf, verifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { attempt } from '../../editor/commandError.ts';
import { askText } from '../../editor/pickers/inputSteps.ts';
import { auditTrailId, type CommandServices } from '../../editor/commands/services.ts';
import { refreshOpenDocuments } from '../../editor/openTabs.ts';
import { changeSecret as sendSecret } from '../../objects/save/storedSecret.ts';
import { secretWord, askNewSecret } from '../../editor/pickers/askSecret.ts';
import type { DocumentTarget } from '../../editor/documentUri.ts';
import { findKind } from '../../objects/kinds/kinds.ts';
import { openObject, settingName, settingTarget, objectTargetOf } from '../../editor/nodes/objectTarget.ts';
import { pickObject } from '../../editor/pickers/objectPicks.ts';
import { refreshLicences as readLicencesAgain } from '../../objects/upkeep.ts';

interface Choice extends vscode.QuickPickItem {
  id: string;
  days: number;
}

/** Shows the entries of the audit trail as a result, to filter, sort and export. */
export async function showAuditTrail(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await adminServerOf(argument, services, vscode.l10n.t('Show Audit Trail'));
  if (!connection) return;
  const name = vscode.l10n.t('Audit Trail of {0}', connection.name);
  await services.runReport({ connectionId: connection.id, reportId: auditTrailId, name });
}

/** Selects what the server records and for how many days. */
export async function chooseAuditTypes(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await adminServerOf(argument, services, vscode.l10n.t('Choose Audit Types'));
  if (!connection) return;
  const what = vscode.l10n.t('Could not change the audit types of {0}', connection.name);
  const shown = await verifiedServer(connection, argument);
  const types = await attempt(what, async () => (await shown.client()).call('Audit/GetAuditTypes', {}));
  const wanted = await ask(connection, types);
  if (!wanted) return;
  const changes = changesOf(types, wanted);
  if (changes.size === 0) return;
  await withSidebarProgress(() => attempt(what, async () => saveAuditTypes(await shown.server(), changes)));
  setStatusBarMessage(
    changes.size === 1
      ? vscode.l10n.t('1 audit type changed on {0}', connection.name)
      : vscode.l10n.t('{0} audit types changed on {1}', changes.size, connection.name),
    8_000,
  );
  await services.tree.refreshObjects(connection, 'audit');
  await refreshOpenDocuments(services, connection, { kind: 'audit', objects: [{ id: 'audit', name: '' }] });
}

/** The wanted state of every audit type; undefined if cancelled. */
async function ask(
  connection: Connection,
  types: readonly AuditType[],
): Promise<Map<string, Required<AuditChange>> | undefined> {
  const days = new Map(types.map((type) => [idText(type.ID), type.retention ?? 0]));
  let chosen = new Set(types.filter(isRecorded).map((type) => idText(type.ID)));
  for (;;) {
    const answer = await show(connection, types, chosen, days);
    if (!answer) return undefined;
    chosen = answer.chosen;
    const { editing } = answer;
    if (!editing) break;
    const given = await askDays(editing);
    if (given !== undefined) days.set(editing.id, given);
  }
  return new Map([...days].map(([id, kept]) => [id, { isRecorded: chosen.has(id), days: kept }]));
}

/** Shows the list; `editing` is the type whose days are edited before the list is shown again. */
function show(
  connection: Connection,
  types: readonly AuditType[],
  chosen: ReadonlySet<string>,
  days: ReadonlyMap<string, number>,
): Promise<{ chosen: Set<string>; editing?: Choice } | undefined> {
  const pick = createQuickPick<Choice>();
  pick.title = vscode.l10n.t('Audit types that {0} records', connection.name);
  pick.placeholder = vscode.l10n.t('Checked types are recorded. Use the clock button to set the retention time.');
  pick.canSelectMany = true;
  pick.ignoreFocusOut = true;
  const button = { iconPath: new vscode.ThemeIcon('history'), tooltip: vscode.l10n.t('Set retention time') };
  pick.items = types
    .map((type): Choice => {
      const id = idText(type.ID);
      const kept = days.get(id) ?? 0;
      const label = displayText(type.symbol ?? '') || id;
      return { id, days: kept, label, description: vscode.l10n.t('kept {0} days', kept), buttons: [button] };
    })
    .sort((a, b) => compareNames(a.label, b.label));
  pick.selectedItems = pick.items.filter(({ id }) => chosen.has(id));
  return new Promise<{ chosen: Set<string>; editing?: Choice } | undefined>((resolve) => {
    const ids = () => new Set(pick.selectedItems.map(({ id }) => id));
    pick.onDidTriggerItemButton(({ item }) => resolve({ chosen: ids(), editing: item }));
    pick.onDidAccept(() => resolve({ chosen: ids() }));
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  }).finally(() => pick.dispose());
}

async function askDays({ label, days }: Choice): Promise<number | undefined> {
  const answer = await askText({
    title: vscode.l10n.t('Number of days to keep "{0}"', label),
    value: String(days),
    accept: async (value) => (/^\d{1,5}$/.test(value.trim()) ? undefined : vscode.l10n.t('Enter a number of days.')),
  });
  return typeof answer === 'string' ? Number(answer.trim()) : undefined;
}

/** Only the differences from the list that was shown: others may have changed the rest. */
function changesOf(types: readonly AuditType[], wanted: ReadonlyMap<string, Required<AuditChange>>) {
  const changes = new Map<string, AuditChange>();
  for (const type of types) {
    const id = idText(type.ID);
    const { isRecorded: on, days } = wanted.get(id) ?? {};
    const change: AuditChange = {
      ...(on !== undefined && on !== isRecorded(type) && { isRecorded: on }),
      ...(days !== undefined && days !== (type.retention ?? 0) && { days }),
    };
    if (Object.keys(change).length > 0) changes.set(id, change);
  }
  return changes;
}

const statusMs = 8_000;

/** Changes a password or client secret that a server stores and never shows; the new one is entered twice. */
export async function changeSecret(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Change Stored Password or Secret');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const shown = await verifiedServer(connection, argument);
  const target = objectTargetOf(argument) ?? (await pickTarget(connection, title));
  const kind = target && findKind(target.kind);
  const field = kind?.secret?.field;
  if (!kind || field === undefined) return;
  const word = secretWord(field);
  const heading = vscode.l10n.t('{0} of {1} on {2}', word, target.name, connection.name);
  const isSet = await askNewSecret({
    title: heading,
    first: {
      placeholder: vscode.l10n.t('New: {0}', word),
      prompt: vscode.l10n.t(
        'The server never shows its stored value. Your entry is sent to the server and stored nowhere else.',
      ),
      whenEmpty: vscode.l10n.t('Enter the new value.'),
    },
    again: {
      placeholder: vscode.l10n.t('Repeat the new value'),
      whenDifferent: vscode.l10n.t('The entries do not match.'),
    },
    send: async (secret) => sendSecret(await shown.server(), { kind, id: target.id, secret }),
  });
  if (!isSet) return;
  await refreshOpenDocuments(services, connection, { kind: target.kind, objects: [target] });
  const words = vscode.l10n.t('{0} of {1} changed on {2}', word, target.name, connection.name);
  setStatusBarMessage(words, statusMs);
}

/**
 * Asks which secret to change: a registered server's, or the one of the mail configuration or the instance settings.
 */
async function pickTarget(connection: Connection, title: string): Promise<DocumentTarget | undefined> {
  const choices = (['server', 'smtp', 'settings'] as const).flatMap((name) => {
    const kind = findKind(name);
    return kind?.secret
      ? [{ label: secretWord(kind.secret.field), iconPath: new vscode.ThemeIcon(kind.icon), object: name }]
      : [];
  });
  const placeHolder = vscode.l10n.t('Select the object whose password or secret to change');
  const chosen = await showQuickPick(choices, {
    title: vscode.l10n.t('{0} on {1}', title, connection.name),
    placeHolder,
    ignoreFocusOut: true,
  });
  if (!chosen) return undefined;
  const { object: kind } = chosen;
  if (kind !== 'server') return { connectionId: connection.id, kind, id: kind, name: settingName(kind) };
  const database = await pickObject(connection, 'databases', {
    title,
    placeholder: vscode.l10n.t('Registered server'),
  });
  return database && { connectionId: connection.id, kind, id: database.id, name: database.name };
}

/** Reloads the licences on the server and shows the result. API description, Licensing. */
export async function refreshLicences(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await adminServerOf(argument, services, vscode.l10n.t('Refresh Licences'));
  if (!connection) return;
  const reply = await attempt(vscode.l10n.t('Could not refresh the licences of {0}', connection.name), async () =>
    readLicencesAgain(await connection.client()),
  );
  const words = displayText(reply) || vscode.l10n.t('Licences refreshed.');
  void showInformationMessage(vscode.l10n.t('{0}: {1}', connection.name, words));
  await services.tree.refreshObjects(connection, 'licences');
}

/** Opens the licence of the local server as a document, to rehearse full seats or an expired licence. */
export async function editLicence(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await adminServerOf(argument, services, vscode.l10n.t('Edit Licence of Local Server'));
  if (connection) await openObject(services, settingTarget(connection.id, 'licences'));
}

/** Copies the id of a server's installation, which the vendor requests. */
export async function copyInstallationId(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await serverOf(
    argument,
    services,
    vscode.l10n.t('Select the server whose installation ID to copy'),
  );
  if (!connection) return;
  const id = await attempt(vscode.l10n.t('Could not read the installation ID of {0}', connection.name), async () =>
    (await connection.client()).call('LicenseManager/GetInstallationID', {}),
  );
  await vscode.env.clipboard.writeText(id.trim());
  setStatusBarMessage(vscode.l10n.t('Installation ID of {0} copied: {1}', connection.name, displayText(id)), statusMs);
}
