import * as vscode from 'vscode';
import { isClientError } from '../../client/clientError.ts';
import { sampleAccounts } from '../../contract/localServer.ts';
import type { FoundServer } from '../../client/http/probe.ts';
import { requestLog } from './requestLog.ts';
import { isCertificateError, attempt } from '../../editor/commandError.ts';
import { askText, walkSteps, type StepAnswer, askChoice, back } from '../../editor/pickers/inputSteps.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import type { Connection } from '../../connections/connection.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import type { NewServer } from '../../connections/connectionStore.ts';
import { passwordPrompt, tryPassword } from '../../editor/pickers/signIn.ts';
import { runInBackground } from '../../editor/progress.ts';

/** Adds a server. Asks for address, user or guest, user name and password; nothing is saved before sign-in succeeds. */
export async function addServer(services: CommandServices): Promise<void> {
  const draft = accountDraft(vscode.l10n.t('Add Server'), 1);
  let address = '';
  const askForAddress = async (): Promise<StepAnswer<true>> => {
    const answer = await askAddress(draft, address, services);
    if (typeof answer !== 'string') return answer;
    address = answer;
    return true;
  };
  const isComplete = await walkSteps([askForAddress, ...accountSteps(draft, services)]);
  await finishAccount(draft, isComplete, services);
}

/** Asks for the address and probes it for the path of the API. */
function askAddress(draft: AccountDraft, value: string, services: CommandServices): Promise<StepAnswer<string>> {
  return askText({
    title: draft.title,
    step: [1, 4],
    value,
    placeholder: 'https://reports.example.com',
    prompt: vscode.l10n.t('Server address. The API path is detected automatically.'),
    accept: async (address, signal) => {
      try {
        const found = await findServer(address, signal, services);
        draft.server = { kind: 'remote', name: new URL(found.apiBase).host, ...found };
        return undefined;
      } catch (error) {
        if (isClientError(error)) return `${error.message} ${error.remedy}`.trim();
        throw error;
      }
    },
  });
}

/** Finds the API below an address; the user may have to trust a certificate or sign in to a proxy. */
async function findServer(address: string, signal: AbortSignal, services: CommandServices): Promise<FoundServer> {
  const { network, log } = services;
  const { parseAddress, probeServer } = await import('../../client/http/probe.ts');
  const root = parseAddress(address);
  const probe = async () => probeServer(root, { signal, logger: requestLog(log), ...(await network.routeTo(root)) });
  try {
    return await probe();
  } catch (error) {
    if (isCertificateError(error)) {
      const { confirmTrust } = await import('./trustCertificate.ts');
      if (await confirmTrust(root, network, signal)) return await probe();
    } else if (isClientError(error) && error.reason === 'proxySignIn') {
      const proxy = network.proxyFor(root);
      const { askProxyAccount } = await import('./networkSecrets.ts');
      if (proxy && (await askProxyAccount(proxy, services))) return await probe();
    }
    throw error;
  }
}

/** Signs in to a saved server as an additional user; both accounts stay in the list, each with its own session. */
export async function addAccount(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await serverOf(argument, services, vscode.l10n.t('Select a server to sign in to as another user'));
  if (!connection) return;
  const draft = accountDraft(vscode.l10n.t('Sign In as Another User'), 0, serverBehind(connection, services));
  const isComplete = await walkSteps(accountSteps(draft, services));
  await finishAccount(draft, isComplete, services);
}

/** The server, with its name without an account. */
function serverBehind({ entry }: Connection, { connections }: CommandServices) {
  const first = connections.list().find((other) => other.kind === entry.kind && other.entry.apiBase === entry.apiBase);
  const { kind, apiBase, installationId } = entry;
  return { kind, apiBase, installationId, name: first?.name ?? entry.name };
}

/** A server to use an account on. */
export type AccountServer = Pick<NewServer, 'kind' | 'apiBase' | 'installationId'> & { name: string };

/** Answers of the steps so far. */
export interface AccountDraft {
  /** Title of every step. */
  readonly title: string;
  /** Number of steps in the same sequence before these. */
  readonly stepsBefore: number;
  server: AccountServer | undefined;
  isGuest: boolean;
  keepsPassword: boolean;
  /** Whether this is one of the local server's sample accounts, which share the password created with the sample. */
  isOfSample: boolean;
  userName: string;
  /** Already saved, or to be saved once signed in. */
  connection: Connection | undefined;
}

/** Creates an empty draft. */
export function accountDraft(title: string, stepsBefore: number, server?: AccountServer): AccountDraft {
  return {
    title,
    stepsBefore,
    server,
    isGuest: false,
    keepsPassword: false,
    isOfSample: false,
    userName: '',
    connection: undefined,
  };
}

/** The three steps from user or guest to sign-in. */
export function accountSteps(draft: AccountDraft, services: CommandServices): (() => Promise<StepAnswer<true>>)[] {
  return [() => askKind(draft, services), () => askUserName(draft), () => askPassword(draft, services)];
}

/** Saves and reveals the new connection; drops it if the user cancelled. */
export async function finishAccount(
  draft: AccountDraft,
  isComplete: boolean,
  services: CommandServices,
): Promise<void> {
  const { connection } = draft;
  if (!connection) return;
  if (!isComplete) return drop(connection, services);
  await services.connections.save(connection);
  await services.view.reveal(services.tree.serverNode(connection), { expand: true, select: true, focus: true });
}

/** Asks for user or guest, and whether to save the password. */
async function askKind(draft: AccountDraft, { localServer }: CommandServices): Promise<StepAnswer<true>> {
  const hasSample = draft.server?.kind === 'local' && (await localServer.samplePassword()) !== undefined;
  const ofSample = {
    label: vscode.l10n.t('Sample account'),
    iconPath: new vscode.ThemeIcon('beaker'),
    detail: vscode.l10n.t(
      'The password was generated on this computer with the sample data and is stored. You do not need to enter it.',
    ),
    isGuest: false,
    keepsPassword: true,
    isOfSample: true,
  };
  const choices = [
    ...(hasSample ? [ofSample] : []),
    {
      label: vscode.l10n.t('User'),
      iconPath: new vscode.ThemeIcon('account'),
      detail: vscode.l10n.t('Enter the password at each sign-in.'),
      isGuest: false,
      keepsPassword: false,
    },
    {
      label: vscode.l10n.t('User, password saved'),
      iconPath: new vscode.ThemeIcon('key'),
      detail: vscode.l10n.t('The password is kept in the secret storage of VS Code.'),
      isGuest: false,
      keepsPassword: true,
    },
    {
      label: vscode.l10n.t('Guest'),
      iconPath: new vscode.ThemeIcon('globe'),
      detail: vscode.l10n.t('Browse what the server shows to everyone, without a password.'),
      isGuest: true,
      keepsPassword: false,
    },
  ];
  const choice = await askChoice(draft.title, stepOf(draft, 1), choices, vscode.l10n.t('Sign in as'));
  if (choice === undefined || choice === back) return choice;
  draft.isGuest = choice.isGuest;
  draft.keepsPassword = choice.keepsPassword;
  draft.isOfSample = 'isOfSample' in choice;
  return true;
}

/** Asks for the user name, from a list if it is one of the sample's; skipped for a guest. */
async function askUserName(draft: AccountDraft): Promise<StepAnswer<true>> {
  if (draft.isGuest) return true;
  if (draft.isOfSample) {
    const other = { label: vscode.l10n.t('Another User Name…'), alwaysShow: true };
    const choices = [...sampleAccounts.map((label) => ({ label })), other];
    const choice = await askChoice(draft.title, stepOf(draft, 2), choices, vscode.l10n.t('Select a sample account'));
    if (choice === undefined || choice === back) return choice;
    if (choice !== other) {
      draft.userName = choice.label;
      return true;
    }
  }
  const answer = await askText({
    title: draft.title,
    step: stepOf(draft, 2),
    value: draft.userName,
    placeholder: vscode.l10n.t('User name'),
    accept: async (value) => (value.trim() === '' ? vscode.l10n.t('Enter a user name.') : undefined),
  });
  if (typeof answer !== 'string') return answer;
  draft.userName = answer.trim();
  return true;
}

/** Asks for the password and signs in with it. A guest needs none. */
async function askPassword(draft: AccountDraft, services: CommandServices): Promise<StepAnswer<true>> {
  const connection = draftConnection(draft, services);
  if (!connection) return back;
  const { userName, isGuest, keepsPassword } = draft;
  if (isGuest) {
    const what = vscode.l10n.t('Could not sign in to {0} as a guest', connection.name);
    await attempt(what, () => connection.signIn({ userName: '', password: '', isGuest }, false));
    return true;
  }
  if (draft.isOfSample && (await takesSamplePassword(connection, userName, services))) return true;
  const answer = await askText({
    title: draft.title,
    step: stepOf(draft, 3),
    placeholder: vscode.l10n.t('Password of {0}', userName),
    prompt: passwordPrompt(),
    isPassword: true,
    typing: () => runInBackground(connection.openAhead()),
    advise: () => unencrypted(connection.entry.apiBase),
    accept: (password, signal) =>
      tryPassword(() => connection.signIn({ userName, password, isGuest }, keepsPassword, signal)),
  });
  return typeof answer === 'string' ? true : answer;
}

/**
 * Signs in with the local server's own password, shared by its sample accounts and never shown: it was randomly
 * generated on this computer. An account whose password was changed since must sign in with that one.
 */
async function takesSamplePassword(
  connection: Connection,
  userName: string,
  { localServer }: CommandServices,
): Promise<boolean> {
  const password = await localServer.samplePassword();
  if (password === undefined) return false;
  const what = vscode.l10n.t('Could not sign in to {0} as {1}', connection.name, userName);
  return attempt(what, async () => {
    try {
      await connection.signIn({ userName, password, isGuest: false }, true);
      return true;
    } catch (error) {
      if (isClientError(error, 'signInRefused')) return false;
      throw error;
    }
  });
}

/** Creates a connection from the draft, or returns the saved one with the same server and account. */
function draftConnection(draft: AccountDraft, services: CommandServices): Connection | undefined {
  const { server, userName, isGuest } = draft;
  if (draft.connection) drop(draft.connection, services);
  draft.connection =
    server && (findSaved(server, draft, services) ?? newConnection(server, isGuest ? '' : userName, services));
  return draft.connection;
}

function findSaved(
  server: AccountServer,
  { userName, isGuest }: AccountDraft,
  { connections }: CommandServices,
): Connection | undefined {
  const isSame = ({ entry }: Connection) =>
    entry.kind === server.kind &&
    entry.apiBase === server.apiBase &&
    entry.isGuest === isGuest &&
    (isGuest || entry.userName.toLowerCase() === userName.toLowerCase());
  return connections.list().find(isSame);
}

/** Creates an unsaved connection; its name includes the account if the server's name is already in use. */
function newConnection(server: AccountServer, userName: string, { connections }: CommandServices): Connection {
  const ofAccount = `${server.name} (${userName || vscode.l10n.t('guest')})`;
  const name = connections.isFree(server.name) ? server.name : connections.freeName(ofAccount);
  return connections.draft({ ...server, name, userName, isGuest: userName === '' });
}

/** Drops a connection that was not saved. */
function drop(connection: Connection, { connections }: CommandServices): void {
  if (connections.get(connection.id) !== connection) connection.dispose();
}

function stepOf({ stepsBefore }: AccountDraft, step: number): readonly [step: number, total: number] {
  return [stepsBefore + step, stepsBefore + 3];
}

function unencrypted(apiBase: string): string | undefined {
  if (!URL.canParse(apiBase)) return undefined;
  const { protocol, hostname } = new URL(apiBase);
  const isLoopback = /^(localhost|127\.|\[::1\])/.test(hostname);
  if (protocol === 'https:' || isLoopback) return undefined;
  return vscode.l10n.t('This address is not encrypted: others on the network can read the password.');
}
