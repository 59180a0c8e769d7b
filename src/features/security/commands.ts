import * as vscode from 'vscode';
import * as z from 'zod';
import { setStatusBarMessage, showInformationMessage } from '../../editor/messages.ts';
import { setPin as sendPin, unlockUser as unlock } from '../../objects/userAccess.ts';
import { adminServerOf, verifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { askNewSecret } from '../../editor/pickers/askSecret.ts';
import { selectedOf, distinctBy, objectKey } from '../../editor/nodes/selectedNodes.ts';
import { pickObject, listObjects, pickObjects } from '../../editor/pickers/objectPicks.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { refreshOpenDocuments } from '../../editor/openTabs.ts';
import { forEachObject } from '../../editor/forEachObject.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import { displayText } from '../../editor/displayText.ts';

/** Sets a new password for a user; it is entered twice in masked input boxes. */
export async function setPin(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Set PIN');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const shown = await verifiedServer(connection, argument);
  const [node] = selectedOf(services, argument, undefined, 'user', 'member')?.nodes ?? [];
  const user = node
    ? { id: node.user.userId, name: node.user.loginName }
    : await pickObject(connection, 'users', { title, placeholder: vscode.l10n.t('User') });
  if (!user) return;
  const heading = vscode.l10n.t('Set PIN of {0} on {1}', user.name, connection.name);
  const isSet = await askNewSecret({
    title: heading,
    first: { placeholder: vscode.l10n.t('New PIN (password)'), whenEmpty: vscode.l10n.t('Enter a PIN.') },
    again: {
      placeholder: vscode.l10n.t('Repeat the PIN'),
      prompt: vscode.l10n.t('Ends the sessions of {0}.', user.name),
      whenDifferent: vscode.l10n.t('The PINs do not match.'),
    },
    send: async (pin) => sendPin(await shown.server(), user.id, pin),
  });
  if (!isSet) return;
  await refreshOpenDocuments(services, connection, { kind: 'user', objects: [user] });
  setStatusBarMessage(vscode.l10n.t('PIN of {0} set on {1}', user.name, connection.name), 8_000);
}

/** Unlocks users: the selected ones, or a choice of the locked ones. */
export async function unlockUser(services: CommandServices, argument?: unknown, selection?: unknown): Promise<void> {
  const title = vscode.l10n.t('Unlock User');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const shown = await verifiedServer(connection, argument, selection);
  const nodes = selectedOf(services, argument, selection, 'user', 'member')?.nodes;
  const locked = nodes && distinctBy(nodes, objectKey).filter(({ user }) => user.lockedSince !== null);
  if (!locked && (await listObjects(await connection.client(), 'lockedUsers')).length === 0) {
    void showInformationMessage(vscode.l10n.t('No users are locked on {0}.', connection.name));
    return;
  }
  const users =
    locked?.map(({ user }) => ({ id: user.userId, name: user.loginName })) ??
    (await pickObjects(connection, 'lockedUsers', { title, placeholder: vscode.l10n.t('Locked users') }));
  if (!users) return;
  await forEachObject(
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
        await refreshOpenDocuments(services, connection, { kind: 'user', objects: users });
      },
    },
    async ({ id }) => unlock(await shown.server(), id),
  );
}

const shown = z.object({
  connectionId: z.string(),
  name: z.string(),
  policies: z.array(z.object({ id: z.string(), name: z.string(), detail: z.string() })),
});

/** Lists the policies that use a data tag and opens the chosen one; called from the code lens above the tag's name. */
export async function showTagPolicies(_services: unknown, argument: unknown): Promise<void> {
  const { connectionId, name, policies } = shown.parse(argument);
  const items = policies.map((policy) => ({
    label: displayText(policy.name),
    description: displayText(policy.detail),
    policy,
  }));
  const [only] = items;
  const picked =
    items.length === 1 && only
      ? only
      : await showQuickPick(items, { title: vscode.l10n.t('Policies that use {0}', displayText(name)) });
  if (!picked) return;
  const target = { connectionId, kind: 'policy', id: picked.policy.id, name: picked.policy.name };
  await vscode.commands.executeCommand('analytics.object.open', target);
}
