import * as vscode from 'vscode';
import { showInformationMessage } from '../../editor/messages.ts';
import { unlockUser as unlock } from '../../objects/userAccess.ts';
import { adminServerOf } from '../../editor/pickers/adminServer.ts';
import { chosenNodes, eachOnce, objectKey } from '../../editor/nodes/chosenNodes.ts';
import { eachObject } from '../../editor/eachObject.ts';
import { listObjects, pickObjects } from '../../editor/pickers/objectPicks.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { showChanged } from '../../editor/showChanged.ts';
import { shownServer } from '../../editor/pickers/shownServer.ts';

/** Unlocks users: those selected, or some of those that are locked. */
export async function unlockUser(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  const title = vscode.l10n.t('Unlock User');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const shown = await shownServer(connection, argument, selection);
  const nodes = chosenNodes(services, argument, selection, 'user', 'member')?.nodes;
  const locked = nodes && eachOnce(nodes, objectKey).filter(({ user }) => user.lockedSince !== null);
  if (!locked && (await listObjects(await connection.client(), 'lockedUsers')).length === 0) {
    void showInformationMessage(vscode.l10n.t('No user of {0} is locked.', connection.name));
    return;
  }
  const users =
    locked?.map(({ user }) => ({ id: user.userId, name: user.loginName })) ??
    (await pickObjects(connection, 'lockedUsers', { title, placeholder: vscode.l10n.t('Locked users') }));
  if (!users) return;
  await eachObject(
    services,
    {
      title: vscode.l10n.t('Unlocking users of {0}', connection.name),
      items: users,
      nameOf: ({ name }) => name,
      whatFailed: ({ name }) => vscode.l10n.t('Could not unlock {0} on {1}', name, connection.name),
      done: ([only, ...others]) =>
        only && others.length === 0
          ? vscode.l10n.t('{0} unlocked on {1}', only.name, connection.name)
          : vscode.l10n.t('{0} users unlocked on {1}', others.length + 1, connection.name),
      after: async () => {
        await services.tree.refreshObjects(connection, 'user');
        await showChanged(services, connection, { kind: 'user', objects: users });
      },
    },
    async ({ id }) => unlock(await shown.server(), id),
  );
}
