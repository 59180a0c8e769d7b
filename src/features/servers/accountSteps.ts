import * as vscode from 'vscode';
import { isClientError } from '../../client/clientError.ts';
import type { Connection } from '../../connections/connection.ts';
import type { NewServer } from '../../connections/connectionStore.ts';
import { attempt } from '../../editor/commandError.ts';
import { askChoice, askText, back, type StepAnswer } from '../../editor/pickers/inputSteps.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { passwordPrompt, tryPassword } from '../../editor/pickers/signIn.ts';

/** A server on which an account is to be used. */
export type AccountServer = Pick<NewServer, 'kind' | 'apiBase' | 'installationId'> & { name: string };

/** What the steps have gathered so far. */
export interface AccountDraft {
  /** Title of every step. */
  readonly title: string;
  /** Number of steps that come before these, of those that belong to one sequence. */
  readonly stepsBefore: number;
  server: AccountServer | undefined;
  isGuest: boolean;
  keepsPassword: boolean;
  /** Whether the account is of the local server's sample, all of which have the password that was made with it. */
  isOfSample: boolean;
  userName: string;
  /** Saved already, or to be saved once signed in. */
  connection: Connection | undefined;
}

/** A draft with nothing gathered yet. */
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

/** The three steps from user or guest to being signed in, in order. */
export function accountSteps(draft: AccountDraft, services: CommandServices): (() => Promise<StepAnswer<true>>)[] {
  return [() => askKind(draft, services), () => askUserName(draft), () => askPassword(draft, services)];
}

/** Saves what the steps led to and shows it; lets it go if the user gave up on the way. */
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

/** User or guest, and whether the password is kept. */
async function askKind(draft: AccountDraft, { localServer }: CommandServices): Promise<StepAnswer<true>> {
  const hasSample = draft.server?.kind === 'local' && (await localServer.samplePassword()) !== undefined;
  const ofSample = {
    label: vscode.l10n.t('Sample account'),
    iconPath: new vscode.ThemeIcon('beaker'),
    detail: vscode.l10n.t(
      'Its password was made on this computer with the sample, and is kept: there is none to enter.',
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
      label: vscode.l10n.t('User, password kept'),
      iconPath: new vscode.ThemeIcon('key'),
      detail: vscode.l10n.t('The password is kept in the secret storage of this editor.'),
      isGuest: false,
      keepsPassword: true,
    },
    {
      label: vscode.l10n.t('Guest'),
      iconPath: new vscode.ThemeIcon('globe'),
      detail: vscode.l10n.t('See what the server shows to everyone, without a password.'),
      isGuest: true,
      keepsPassword: false,
    },
  ];
  const choice = await askChoice(draft.title, stepOf(draft, 1), choices, vscode.l10n.t('Who signs in?'));
  if (choice === undefined || choice === back) return choice;
  draft.isGuest = choice.isGuest;
  draft.keepsPassword = choice.keepsPassword;
  draft.isOfSample = 'isOfSample' in choice;
  return true;
}

/** The user name; nothing to ask of a guest. */
async function askUserName(draft: AccountDraft): Promise<StepAnswer<true>> {
  if (draft.isGuest) return true;
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

/** The password, tried at once. A guest signs in without one. */
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
    advise: () => unencrypted(connection.entry.apiBase),
    accept: (password, signal) =>
      tryPassword(() => connection.signIn({ userName, password, isGuest }, keepsPassword, signal)),
  });
  return typeof answer === 'string' ? true : answer;
}

/**
 * Signs in with the local server's own password, which the accounts of its sample share and nobody has ever seen: it was made
 * at random on this computer. One that was given another since has to be signed in with that.
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

/** A connection for what was gathered, or the saved one for the same server and account. */
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

/** An unsaved connection; its name tells the account where the server's name alone is taken. */
function newConnection(server: AccountServer, userName: string, { connections }: CommandServices): Connection {
  const ofAccount = `${server.name} (${userName || vscode.l10n.t('guest')})`;
  const name = connections.isFree(server.name) ? server.name : connections.freeName(ofAccount);
  return connections.draft({ ...server, name, userName, isGuest: userName === '' });
}

/** Lets a connection go that was not saved. */
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
  return vscode.l10n.t('This address is not encrypted: the password can be read on its way.');
}
