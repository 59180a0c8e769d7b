import * as vscode from 'vscode';
import { withSidebarProgress, withWaitNotice, noticeWhereShownAfterMs } from '../../../editor/progress.ts';
import { inBackground } from '../../../client/http/cancelScope.ts';
import { attempt } from '../../../editor/commandError.ts';
import type { CommandServices, ObjectTree } from '../../../editor/commands/services.ts';
import { signIn } from '../../../editor/pickers/signIn.ts';
import type { TreeConnection, TreeNode } from '../../../editor/nodes/treeNode.ts';

/** Starts the embedded server on its sample data, signs in as its administrator and opens its library. */
export async function startLocalServer(services: CommandServices): Promise<void> {
  const { connections, localServer, tree, view } = services;
  const connection = await connections.addLocal(vscode.l10n.t('Local Server'));
  await view.reveal(tree.serverNode(connection), { select: true });
  localServer.forgiveCrashes();
  const start = () => attempt(vscode.l10n.t('Could not start {0}', connection.name), () => connection.client());
  const open = async () => {
    await withSidebarProgress(start);
    if (connection.state.kind !== 'active' && !(await signIn(connection))) return;
    for (const node of await libraryPath(tree, connection)) await view.reveal(node, { expand: true, select: false });
  };
  // Not as other commands: its row and the view show what it waits for.
  await inBackground(() => withWaitNotice(open, undefined, noticeWhereShownAfterMs));
}

/** Stops the embedded server, whichever window started it. Its data stays. */
export async function stopLocalServer({ localServer, connections }: CommandServices): Promise<void> {
  const name = connections.local?.name ?? vscode.l10n.t('Local Server');
  await attempt(vscode.l10n.t('Could not stop {0}', name), () => localServer.stop());
}

/** How many folders are searched for the first reports to show. */
const foldersLookedInto = 3;

/** The nodes to open, from the top down, so that a server's public library and its first reports are on display. */
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
