import * as vscode from 'vscode';
import { showWarningMessage, setStatusBarMessage } from '../../editor/messages.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import { verifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { signIn } from '../../editor/pickers/signIn.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { isClientError } from '../../client/clientError.ts';
import type { Connection } from '../../connections/connection.ts';
import { attempt } from '../../editor/commandError.ts';
import { renewOwnRights, resetPassport } from '../../objects/upkeep.ts';
import { changeOwnPassword } from '../../objects/userAccess.ts';
import { askNewSecret } from '../../editor/pickers/askSecret.ts';
import { showInputBox, showQuickPick } from '../../editor/quickInput.ts';
import { runInBackground } from '../../editor/progress.ts';
import { displayText } from '../../editor/displayText.ts';
import { isTreeNode, type TreeNode } from '../../editor/nodes/treeNode.ts';

/** Signs in to a server, with the saved password or by asking for it. */
export async function signInServer(services: CommandServices, argument?: unknown): Promise<void> {
  const place = vscode.l10n.t('Select a server to sign in to');
  const none = vscode.l10n.t(
    'You are signed in to every server. To use another account, choose Sign In as Another User….',
  );
  const connection = await serverOf(argument, services, place, ({ state }) => state.kind !== 'active', none);
  if (!connection) return;
  const { installationId } = connection.entry;
  if (!(await signIn(connection)) || connection.entry.installationId === installationId) return;
  void showWarningMessage(
    vscode.l10n.t(
      'Another installation now answers at the address of {0}. The sidebar shows its objects. Open documents belong to the previous installation and are not saved to this one.',
      connection.name,
    ),
  );
}

/** Signs out of a server; nothing signs in again until the user does. */
export async function signOutServer(services: CommandServices, argument?: unknown): Promise<void> {
  const place = vscode.l10n.t('Select a server to sign out of');
  const none = vscode.l10n.t('You are not signed in to any server.');
  const connection = await serverOf(argument, services, place, ({ state }) => state.kind === 'active', none);
  if (!connection) return;
  const isTold = await attempt(vscode.l10n.t('Could not sign out of {0}', connection.name), () => signOut(connection));
  if (isTold) return;
  const message = vscode.l10n.t(
    'Signed out of {0} in this editor. The server did not answer, so its session ends when it expires.',
    connection.name,
  );
  void showWarningMessage(message);
}

/** Whether the server received the sign-out; locally, the session ends in any case. */
async function signOut(connection: Connection): Promise<boolean> {
  try {
    await connection.signOut();
    return true;
  } catch (error) {
    if (isClientError(error, 'unreachable') || isClientError(error, 'timeout')) return false;
    throw error;
  }
}

const statusMs = 8_000;

/**
 * Reloads the account's groups, roles and administrator rights on the server, so that changes apply to the current
 * session. API description, Authentication (ResetPassport).
 */
export async function reloadPermissions(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await signedInServer(
    argument,
    services,
    vscode.l10n.t('Select a server to reload your permissions on'),
  );
  if (!connection) return;
  const isLicensed = await attempt(
    vscode.l10n.t('Could not reload your permissions on {0}', connection.name),
    async () => {
      const client = await connection.client();
      // Also after a refusal: the account may have to set a new password first, which is offered then.
      return resetPassport(client).finally(() => renewOwnRights(client));
    },
  );
  await services.tree.refresh(services.tree.serverNode(connection));
  if (isLicensed === false) {
    runInBackground(
      showWarningMessage(
        vscode.l10n.t(
          'The licence of {0} is expired or invalid. The server may refuse roles that take a seat.',
          connection.name,
        ),
      ),
    );
  }
  setStatusBarMessage(vscode.l10n.t('Permissions on {0} reloaded', connection.name), statusMs);
}

/** Extends the session without other requests. API description, Authentication (RefreshSession). */
export async function extendSession(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await signedInServer(
    argument,
    services,
    vscode.l10n.t('Select a server to extend the session on'),
  );
  if (!connection) return;
  await attempt(vscode.l10n.t('Could not extend the session on {0}', connection.name), async () => {
    await (await connection.client()).call('Session/RefreshSession', {});
  });
  services.tree.updateCountdown();
  setStatusBarMessage(vscode.l10n.t('Session on {0} extended', connection.name), statusMs);
}

/** Opens the profile of the signed-in user as a document, with the fields that an account can change. */
export async function editProfile(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await signedInServer(
    argument,
    services,
    vscode.l10n.t('Select the server of the profile to edit'),
  );
  if (!connection) return;
  await attempt(vscode.l10n.t('Could not open your profile on {0}', connection.name), async () => {
    // The signed-in user is known once a session is open.
    await (await connection.client()).session.token();
    const { state } = connection;
    if (state.kind !== 'active') return;
    const { userId, loginName } = state.account;
    await (
      await services.documents()
    ).open({ connectionId: connection.id, kind: 'profile', id: userId, name: loginName });
  });
}

function signedInServer(
  argument: unknown,
  services: CommandServices,
  question: string,
): Promise<Connection | undefined> {
  const none = vscode.l10n.t('You are not signed in to any server.');
  return serverOf(argument, services, question, ({ state }) => state.kind === 'active', none);
}

/** Changes the password of the signed-in account, entered twice, and signs in with it. */
export async function changePassword(services: CommandServices, argument?: unknown): Promise<void> {
  const none = vscode.l10n.t('You are not signed in to any server with a password.');
  const question = vscode.l10n.t('Select the server of the password to change');
  const connection = await serverOf(argument, services, question, hasPassword, none);
  if (connection?.state.kind !== 'active') return;
  const { userId, loginName } = connection.state.account;
  const shown = await verifiedServer(connection, argument);
  const isKept = (await connection.keptCredentials()) !== undefined;
  let password = '';
  const isSet = await askNewSecret({
    title: vscode.l10n.t('New password of {0} on {1}', loginName, connection.name),
    first: { placeholder: vscode.l10n.t('New password'), whenEmpty: vscode.l10n.t('Enter a password.') },
    again: {
      placeholder: vscode.l10n.t('Repeat the password'),
      whenDifferent: vscode.l10n.t('The passwords do not match.'),
    },
    send: async (entered) => {
      await changeOwnPassword(await shown.server(), userId, entered);
      password = entered;
    },
  });
  if (!isSet) return;
  // A new session: requirements of the previous one are resolved, and a saved password is updated.
  const what = vscode.l10n.t('The password was changed, but signing in to {0} with it failed', connection.name);
  await attempt(what, () => connection.signIn({ userName: connection.userName, password, isGuest: false }, isKept));
  setStatusBarMessage(vscode.l10n.t('Password of {0} on {1} changed', loginName, connection.name), 8_000);
}

function hasPassword({ state }: Connection): boolean {
  return state.kind === 'active' && !state.account.isGuest;
}

/** Renames a server in the list. */
export async function renameServer(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await serverOf(argument, services, vscode.l10n.t('Select a server to rename'));
  if (!connection) return;
  const name = await showInputBox({
    title: vscode.l10n.t('Rename {0}', connection.name),
    value: connection.name,
    ignoreFocusOut: true,
    validateInput: (value) => nameProblem(displayText(value), connection, services),
  });
  if (name !== undefined) await connection.rename(displayText(name));
}

/** Duplicate names would be indistinguishable in the sidebar and in messages. */
function nameProblem(name: string, connection: Connection, { connections }: CommandServices): string | undefined {
  if (name === '') return vscode.l10n.t('Enter a name.');
  const isFree = connections.isFree(name, connection);
  return isFree ? undefined : vscode.l10n.t('A server with this name already exists. Choose another name.');
}

/**
 * Opens the server's web pages, signed in, after a warning: the address contains the session token, which the browser
 * stores in its history. API description, What the service does (browser entry pages).
 */
export async function openInBrowser(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await serverOf(argument, services, vscode.l10n.t('Select a server to open in the browser'));
  if (!connection) return;
  const page = (isTreeNode(argument) ? pageOf(argument) : undefined) ?? (await askPage(connection));
  // Without a session there is no token to warn about: the pages ask the user to sign in, also with steps that the API
  // does not support.
  const isSignedIn = !['signedOut', 'refused'].includes(connection.state.kind);
  if (!page || (isSignedIn && !(await isAccepted(connection)))) return;
  await attempt(vscode.l10n.t('Could not open {0} in the browser', connection.name), async () => {
    const { session, target } = await connection.client();
    const address = browserAddress(target.apiBase, page, isSignedIn ? await session.token() : undefined);
    if (!(await vscode.env.openExternal(vscode.Uri.parse(address, true)))) {
      throw new Error(vscode.l10n.t('VS Code did not open it.'));
    }
  });
}

/** A page and its parameters, without the token. */
interface BrowserPage {
  file: 'sso.html' | 'embed.html';
  query: Readonly<Record<string, string>>;
}

/** Address of a page: pages are in the same directory as the API. */
function browserAddress(apiBase: string, { file, query }: BrowserPage, token: string | undefined): string {
  const url = new URL(`${apiBase.replace(/\/api\/?$/i, '')}/${file}`);
  for (const [name, value] of Object.entries({ ...query, ...(token !== undefined && { s: token }) }))
    url.searchParams.set(name, value);
  return url.href;
}

const library: BrowserPage = { file: 'sso.html', query: { h: '1' } };

/** The page of a node; undefined for a server, which has several. There is none for a single report. */
function pageOf(node: TreeNode): BrowserPage | undefined {
  if (node.kind === 'server') return undefined;
  return node.kind === 'dashboard' ? { file: 'embed.html', query: { t: 'd', i: node.item.itemId } } : library;
}

async function askPage(connection: Connection): Promise<BrowserPage | undefined> {
  const pages: (vscode.QuickPickItem & { page: BrowserPage })[] = [
    { label: vscode.l10n.t('Dashboard'), page: { file: 'sso.html', query: {} } },
    { label: vscode.l10n.t('Library'), page: library },
    { label: vscode.l10n.t('Builder'), page: { file: 'sso.html', query: { h: '2' } } },
  ];
  const title = vscode.l10n.t('Open {0} in the browser', connection.name);
  return (await showQuickPick(pages, { title, placeHolder: vscode.l10n.t('Start at') }))?.page;
}

async function isAccepted(connection: Connection): Promise<boolean> {
  const open = vscode.l10n.t('Open');
  const detail = vscode.l10n.t(
    'The page address contains the token of your session. The browser keeps it in its history, and anyone who has the address is signed in as {0} until you sign out. Do not share it.',
    connection.userName || vscode.l10n.t('guest'),
  );
  const question = vscode.l10n.t('Open {0} in the browser with your session?', connection.name);
  return (await showWarningMessage(question, { modal: true, detail }, open)) === open;
}

/** Shows the extension's log. */
export function showLog({ log }: CommandServices): void {
  log.show();
}
