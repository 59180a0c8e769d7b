import * as vscode from 'vscode';
import { isClientError } from '../client/clientError.ts';
import type { FoundServer } from '../client/probe.ts';
import type { Connection } from '../connections/connection.ts';
import { requestLog } from '../connections/requestLog.ts';
import { attempt } from './commandError.ts';
import { askChoice, askText, back, walkSteps, type StepAnswer } from './inputSteps.ts';
import type { CommandServices } from './services.ts';
import { passwordPrompt, tryPassword } from './signInServer.ts';

/** What the steps have gathered so far. */
interface Draft {
  address: string;
  found: FoundServer | undefined;
  isGuest: boolean;
  keepsPassword: boolean;
  userName: string;
  /** Saved already, or to be saved once signed in. */
  connection: Connection | undefined;
}

const total = 4;

/** Adds a server: address, user or guest, user name, password. Nothing is saved before sign-in succeeds. */
export async function addServer(services: CommandServices): Promise<void> {
  const draft: Draft = {
    address: '',
    found: undefined,
    isGuest: false,
    keepsPassword: false,
    userName: '',
    connection: undefined,
  };
  const isComplete = await walkSteps([
    () => askAddress(draft, services),
    () => askAccount(draft),
    () => askUserName(draft),
    () => askPassword(draft, services),
  ]);
  const { connection } = draft;
  if (!connection) return;
  if (!isComplete) return drop(connection, services);
  await services.connections.save(connection);
  await services.view.reveal(services.tree.serverNode(connection), { expand: true, select: true, focus: true });
}

/** Step 1: the address, probed for the API's prefix before going on. */
async function askAddress(draft: Draft, { log }: CommandServices): Promise<StepAnswer<true>> {
  const answer = await askText({
    title: title(),
    step: [1, total],
    value: draft.address,
    placeholder: 'https://reports.example.com',
    prompt: vscode.l10n.t('Address of the server. The path of its API is found for you.'),
    accept: async (address, signal) => {
      const { probeServer } = await import('../client/probe.ts');
      try {
        draft.found = await probeServer(address, { signal, logger: requestLog(log) });
        return undefined;
      } catch (error) {
        if (isClientError(error)) return `${error.message} ${error.remedy}`.trim();
        throw error;
      }
    },
  });
  if (typeof answer !== 'string') return answer;
  draft.address = answer;
  return true;
}

/** Step 2: user or guest, and whether the password is kept. */
async function askAccount(draft: Draft): Promise<StepAnswer<true>> {
  const choices = [
    {
      label: vscode.l10n.t('$(person) User'),
      detail: vscode.l10n.t('Enter the password at each sign-in.'),
      isGuest: false,
      keepsPassword: false,
    },
    {
      label: vscode.l10n.t('$(key) User, password kept'),
      detail: vscode.l10n.t('The password is kept in the secret storage of this editor.'),
      isGuest: false,
      keepsPassword: true,
    },
    {
      label: vscode.l10n.t('$(globe) Guest'),
      detail: vscode.l10n.t('See what the server shows to everyone, without a password.'),
      isGuest: true,
      keepsPassword: false,
    },
  ];
  const choice = await askChoice(title(), [2, total], choices);
  if (choice === undefined || choice === back) return choice;
  draft.isGuest = choice.isGuest;
  draft.keepsPassword = choice.keepsPassword;
  return true;
}

/** Step 3: the user name; nothing to ask of a guest. */
async function askUserName(draft: Draft): Promise<StepAnswer<true>> {
  if (draft.isGuest) return true;
  const answer = await askText({
    title: title(),
    step: [3, total],
    value: draft.userName,
    placeholder: vscode.l10n.t('User name'),
    accept: async (value) => (value.trim() === '' ? vscode.l10n.t('Enter a user name.') : undefined),
  });
  if (typeof answer !== 'string') return answer;
  draft.userName = answer.trim();
  return true;
}

/** Step 4: the password, tried at once. A guest signs in without one. */
async function askPassword(draft: Draft, services: CommandServices): Promise<StepAnswer<true>> {
  const connection = draftConnection(draft, services);
  if (!connection) return back;
  const { userName, isGuest, keepsPassword } = draft;
  if (isGuest) {
    const what = vscode.l10n.t('Could not sign in to {0} as a guest', connection.name);
    await attempt(what, () => connection.signIn({ userName: '', password: '', isGuest }, false));
    return true;
  }
  const answer = await askText({
    title: title(),
    step: [4, total],
    placeholder: vscode.l10n.t('Password of {0}', userName),
    prompt: passwordPrompt(),
    isPassword: true,
    advise: () => unencrypted(connection.entry.apiBase),
    accept: (password) => tryPassword(() => connection.signIn({ userName, password, isGuest }, keepsPassword)),
  });
  return typeof answer === 'string' ? true : answer;
}

/** A connection for what was gathered, or the saved one for the same server and account. */
function draftConnection(draft: Draft, services: CommandServices): Connection | undefined {
  const { found, userName, isGuest } = draft;
  if (draft.connection) drop(draft.connection, services);
  draft.connection = found && (findSaved(draft, services) ?? newConnection(found, userName, isGuest, services));
  return draft.connection;
}

function findSaved({ found, userName, isGuest }: Draft, { connections }: CommandServices): Connection | undefined {
  return connections
    .list()
    .find(
      ({ entry }) =>
        entry.apiBase === found?.apiBase &&
        entry.isGuest === isGuest &&
        entry.userName.toLowerCase() === userName.toLowerCase(),
    );
}

function newConnection(
  found: FoundServer,
  userName: string,
  isGuest: boolean,
  { connections }: CommandServices,
): Connection {
  const host = new URL(found.apiBase).host;
  const isTaken = connections.list().some(({ name }) => name === host);
  const name = isTaken ? `${host} (${userName || vscode.l10n.t('guest')})` : host;
  return connections.draft({ ...found, name, userName: isGuest ? '' : userName, isGuest });
}

/** Lets a connection go that was not saved. */
function drop(connection: Connection, { connections }: CommandServices): void {
  if (connections.get(connection.id) !== connection) connection.dispose();
}

function unencrypted(apiBase: string): string | undefined {
  const { protocol, hostname } = new URL(apiBase);
  const isLoopback = /^(localhost|127\.|\[::1\])/.test(hostname);
  if (protocol === 'https:' || isLoopback) return undefined;
  return vscode.l10n.t('This address is not encrypted: the password can be read on its way.');
}

function title(): string {
  return vscode.l10n.t('Add Server');
}
