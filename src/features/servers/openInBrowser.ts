import * as vscode from 'vscode';
import { showWarningMessage } from '../../editor/messages.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import type { Connection } from '../../connections/connection.ts';
import { isTreeNode, type TreeNode } from '../../editor/nodes/treeNode.ts';
import { attempt } from '../../editor/commandError.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/**
 * Opens the server's own pages, signed in, after a warning: the page's address holds the session's token, which the
 * browser keeps in its history. API description, What the service does (browser entry pages).
 */
export async function openInBrowser(services: CommandServices, argument?: unknown): Promise<void> {
  const connection = await serverOf(argument, services, vscode.l10n.t('Open which server in the browser?'));
  if (!connection) return;
  const page = (isTreeNode(argument) ? pageOf(argument) : undefined) ?? (await askPage(connection));
  // Without a session there is no token to warn of: the pages ask for the sign-in, and for what the API cannot take.
  const isSignedIn = !['signedOut', 'refused'].includes(connection.state.kind);
  if (!page || (isSignedIn && !(await isAccepted(connection)))) return;
  await attempt(vscode.l10n.t('Could not open {0} in the browser', connection.name), async () => {
    const { session, target } = await connection.client();
    const address = browserAddress(target.apiBase, page, isSignedIn ? await session.token() : undefined);
    if (!(await vscode.env.openExternal(vscode.Uri.parse(address, true)))) {
      throw new Error(vscode.l10n.t('The editor did not open it.'));
    }
  });
}

/** A page and what is asked of it, without the token. */
interface BrowserPage {
  file: 'sso.html' | 'embed.html';
  query: Readonly<Record<string, string>>;
}

/** Address of a page: pages lie beside the API. */
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
    'The address of the page holds the token of your session. The browser keeps it in its history, and whoever has the address is signed in as {0} until you sign out. Do not pass it on.',
    connection.userName || vscode.l10n.t('guest'),
  );
  const question = vscode.l10n.t('Open {0} in the browser, signed in?', connection.name);
  return (await showWarningMessage(question, { modal: true, detail }, open)) === open;
}
