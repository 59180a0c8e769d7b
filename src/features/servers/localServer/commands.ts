import * as vscode from 'vscode';
import { withSidebarProgress, withWaitNotice, noticeWhereShownAfterMs } from '../../../editor/progress.ts';
import { inBackground } from '../../../client/http/cancelScope.ts';
import { setStatusBarMessage } from '../../../editor/messages.ts';
import { attempt } from '../../../editor/commandError.ts';
import type { CommandServices, ObjectTree } from '../../../editor/commands/services.ts';
import { signIn } from '../../../editor/pickers/signIn.ts';
import type { TreeConnection, TreeNode } from '../../../editor/nodes/treeNode.ts';

const statusMs = 8_000;

/** Starts the embedded server with its sample data, signs in as its administrator and opens its library. */
export async function startLocalServer(services: CommandServices): Promise<void> {
  const { connections, localServer, tree, view } = services;
  const connection = await connections.addLocal(vscode.l10n.t('Local Server'));
  await view.reveal(tree.serverNode(connection), { select: true });
  localServer.forgiveCrashes();
  const start = () => attempt(vscode.l10n.t('Could not start {0}', connection.name), () => connection.client());
  const open = async () => {
    await withSidebarProgress(start);
    if (connection.state.kind !== 'active' && !(await signIn(connection))) return;
    setStatusBarMessage(vscode.l10n.t('{0} started', connection.name), statusMs);
    for (const node of await libraryPath(tree, connection)) await view.reveal(node, { expand: true, select: false });
  };
  // Without the usual notification at first: the row and the view show the wait.
  await inBackground(() => withWaitNotice(open, undefined, noticeWhereShownAfterMs));
}

/** Stops the embedded server, whichever window started it. Its data is not deleted. */
export async function stopLocalServer({ localServer, connections }: CommandServices): Promise<void> {
  const name = connections.local?.name ?? vscode.l10n.t('Local Server');
  await attempt(vscode.l10n.t('Could not stop {0}', name), () => localServer.stop());
  setStatusBarMessage(vscode.l10n.t('{0} stopped', name), statusMs);
}

/** Number of folders searched for the first reports to show. */
const foldersLookedInto = 3;

/** The nodes to expand, top down, to show a server's public library and its first reports. */
export async function libraryPath(
  tree: Pick<ObjectTree, 'serverNode' | 'getChildren'>,
  connection: TreeConnection,
): Promise<TreeNode[]> {
  const path: TreeNode[] = [tree.serverNode(connection)];
  for (const kind of ['section', 'libraryRoot'] as const) {
    const next = (await tree.getChildren(path.at(-1))).find((child) => child.kind === kind);
    if (!next) return path;
    path.push(next);
  }
  const inLibrary = await tree.getChildren(path.at(-1));
  if (inLibrary.some((child) => child.kind === 'report')) return path;
  for (const folder of inLibrary.filter((child) => child.kind === 'folder').slice(0, foldersLookedInto)) {
    if ((await tree.getChildren(folder)).some((child) => child.kind === 'report')) return [...path, folder];
  }
  return path;
}
