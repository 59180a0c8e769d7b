import { readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import { isClientError } from '../../client/clientError.ts';
import type { ProxyTarget } from '../../client/http/target.ts';
import type { Connection } from '../../connections/connection.ts';
import { isEmbedded } from '../../connections/connectionStore.ts';
import { attempt } from '../../editor/commandError.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { unlessMissing } from '../../connections/unlessMissing.ts';
import { unseenFormsKey } from './unseenForms.ts';

/**
 * Removes a server from the list after asking. Also removes its session, password, open editors, local data about it
 * and, for the embedded server, its data.
 */
export async function removeServer(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await serverOf(argument, services, vscode.l10n.t('Select a server to remove'));
  if (!connection) return;
  const removed = isEmbedded(connection)
    ? services.connections.list().filter(({ kind }) => kind === 'local')
    : [connection];
  const remove = vscode.l10n.t('Remove');
  const detail = isEmbedded(connection)
    ? vscode.l10n.t(
        'Stops the server and deletes its data from this computer: users, reports and settings. Its other accounts are removed too.',
      )
    : vscode.l10n.t('Ends its session and forgets its stored password. Nothing changes on the server.');
  const question = vscode.l10n.t('Remove {0} from the list of servers?', connection.name);
  const modal = { modal: true, detail: `${detail}${await lossOf(services, removed)}` };
  if ((await showWarningMessage(question, modal, remove)) !== remove) return;
  await attempt(vscode.l10n.t('Could not remove {0}', connection.name), async () => {
    if (!isEmbedded(connection) && connection.state.kind === 'active') await endSession(services, connection);
    for (const { id } of removed) await closeDocuments(id);
    await services.connections.remove(connection);
    for (const { id } of removed) await forgetServer(services.context, id);
    await forgetPin(services, connection.entry.apiBase);
    await forgetProxy(services, connection.entry.apiBase);
  });
}

/** Unsaved input that is lost with the servers. */
async function lossOf({ context }: CommandServices, removed: readonly Connection[]): Promise<string> {
  // Loaded on demand: it imports the draft schemas, which nothing else needs at activation.
  const { draftedOf } = await import('../tagValues/tagDrafts.ts');
  const unsaved = removed.flatMap(({ id }) => documentTabs(id)).filter(({ isDirty }) => isDirty).length;
  const drafted = removed.reduce((sum, { id }) => sum + draftedOf(context.workspaceState, id), 0);
  const losses = [
    ...(unsaved === 0 ? [] : [vscode.l10n.t('Closes documents with unsaved changes: {0}.', unsaved)]),
    ...(drafted === 0 ? [] : [vscode.l10n.t('Discards unsaved data tag values: {0}.', drafted)]),
  ];
  return losses.map((words) => ` ${words}`).join('');
}

/** Deletes the proxy account with the last server that uses the proxy. */
async function forgetProxy({ connections, network }: CommandServices, apiBase: string): Promise<void> {
  const proxy = proxyOn(network, apiBase);
  if (!proxy) return;
  const isBehind = ({ entry }: Connection) => proxyOn(network, entry.apiBase)?.url === proxy.url;
  if (!connections.list().some(isBehind)) await network.forgetProxyAccount(proxy);
}

/** The proxy of a server; undefined if there is none, or if its setting is invalid. */
function proxyOn(network: CommandServices['network'], apiBase: string): ProxyTarget | undefined {
  try {
    return URL.canParse(apiBase) ? network.proxyFor(apiBase) : undefined;
  } catch (error) {
    if (isClientError(error, 'proxy')) return undefined;
    throw error;
  }
}

/** Deletes the pinned certificate with the last account on its server, so that adding the server again asks again. */
async function forgetPin({ connections, network }: CommandServices, apiBase: string): Promise<void> {
  if (!URL.canParse(apiBase)) return;
  const { origin } = new URL(apiBase);
  const isThere = ({ entry }: Connection) => URL.canParse(entry.apiBase) && new URL(entry.apiBase).origin === origin;
  if (!connections.list().some(isThere)) await network.unpin(origin);
}

/** Ends the session if the server is reachable; an unreachable server must not prevent its removal. */
async function endSession({ log }: CommandServices, connection: Connection): Promise<void> {
  try {
    await connection.signOut();
  } catch (error) {
    log.warn(`${connection.name}: the session could not be ended before removal. ${String(error)}`);
  }
}

/** Local storage of data about servers, other than their list and secrets. */
export type StoredPlaces = Pick<vscode.ExtensionContext, 'globalState' | 'workspaceState' | 'globalStorageUri'>;

/** Folders of journals; each file contains its server's id. */
const journalFolders = ['imports', 'applications', 'writes'];
const schemes = ['analytics', 'analytics-sql'];

/**
 * Deletes local data about a removed server: prompt values, bases of unsaved documents, drafts, journals. Workspace
 * state of other windows remains.
 */
export async function forgetServer({ globalState, workspaceState, globalStorageUri }: StoredPlaces, id: string) {
  for (const state of [globalState, workspaceState]) {
    for (const key of state.keys()) {
      if (isAbout(key, id) || state.get(key) === id) await state.update(key, undefined);
      else await dropRecords(state, key, id);
    }
  }
  for (const name of journalFolders) await removeJournals(path.join(globalStorageUri.fsPath, name), id);
}

/** Removes the records of a list that name a server, also damaged ones: these stay in the list otherwise. */
async function dropRecords(state: vscode.Memento, key: string, id: string): Promise<void> {
  const list = state.get<unknown>(key);
  if (!Array.isArray(list)) return;
  const others = (list as readonly unknown[]).filter((record) => !namesServer(JSON.stringify(record), id));
  if (others.length < list.length) await state.update(key, others);
}

/** The tabs of a server's documents and of the SQL of its reports. */
export function documentTabs(id: string): vscode.Tab[] {
  const isOwn = ({ scheme, authority }: vscode.Uri) => schemes.includes(scheme) && authority === id;
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => {
      if (input instanceof vscode.TabInputTextDiff) return isOwn(input.original) || isOwn(input.modified);
      const isFile = input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom;
      return isFile && isOwn(input.uri);
    });
}

/** Closes a server's documents; unsaved changes are discarded. */
export async function closeDocuments(id: string): Promise<void> {
  for (const { input } of documentTabs(id).filter(({ isDirty }) => isDirty)) {
    if (!(input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom)) continue;
    await vscode.commands.executeCommand('vscode.open', input.uri);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.window.tabGroups.close(documentTabs(id));
}

/** Whether a state key belongs to a server. */
function isAbout(key: string, id: string): boolean {
  return [
    `analytics.prompts.${id}.`,
    `analytics.promptPresets.${id}.`,
    `analytics.base analytics://${id}/`,
    `analytics.tagDraft ${id}/`,
    `analytics.toldImport ${id}/`,
    unseenFormsKey(id),
    `analytics.builder.server analytics://${id}/`,
  ].some((prefix) => key.startsWith(prefix));
}

async function removeJournals(folder: string, id: string): Promise<void> {
  for (const name of (await unlessMissing(readdir(folder))) ?? []) {
    const file = path.join(folder, name);
    const text = await unlessMissing(readFile(file, 'utf8'));
    if (text !== undefined && namesServer(text, id)) await rm(file, { force: true });
  }
}

/** Whether a stored record, as JSON, is about a server. */
function namesServer(text: string, id: string): boolean {
  return text.includes(`"connectionId":${JSON.stringify(id)}`);
}
