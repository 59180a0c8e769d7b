import * as vscode from 'vscode';
import { withProgress } from '../../../editor/progress.ts';
import { inBackground } from '../../../client/http/waiter.ts';
import { noticeWhereShownAfterMs, patiently } from '../../../editor/patiently.ts';
import { libraryPath } from './libraryPath.ts';
import { attempt } from '../../../editor/commandError.ts';
import type { CommandServices } from '../../../editor/commands/services.ts';
import { signIn } from '../../../editor/pickers/signIn.ts';

/** Starts the embedded server on its sample data, signs in as its administrator and opens its library. */
export async function startLocalServer(services: CommandServices): Promise<void> {
  const { connections, localServer, tree, view } = services;
  const connection = await connections.addLocal(vscode.l10n.t('Local Server'));
  await view.reveal(tree.serverNode(connection), { select: true });
  localServer.forgiveCrashes();
  const start = () => attempt(vscode.l10n.t('Could not start {0}', connection.name), () => connection.client());
  const open = async () => {
    await withProgress({ location: { viewId: 'analytics.servers' } }, start);
    if (connection.state.kind !== 'active' && !(await signIn(connection))) return;
    for (const node of await libraryPath(tree, connection)) await view.reveal(node, { expand: true, select: false });
  };
  // Not as other commands: its row and the view show what it waits for.
  await inBackground(() => patiently(open, undefined, noticeWhereShownAfterMs));
}
