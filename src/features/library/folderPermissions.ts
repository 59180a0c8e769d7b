import * as vscode from 'vscode';
import { showInformationMessage, showWarningMessage, setStatusBarMessage } from '../../editor/messages.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import { changeFolderGroups, folderAccess, type FolderAccess, type GroupsChange } from '../../access/folderAccess.ts';
import { folderEffect } from '../../access/folderEffect.ts';
import type { AccessEffect } from '../../access/rows/accessEffect.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import { isClientError } from '../../client/clientError.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../../editor/displayText.ts';
import { idText } from '../../contract/idText.ts';
import type { ObjectServer } from '../../objects/objectServer.ts';
import { isTreeNode } from '../../editor/nodes/treeNode.ts';
import { selectedOf, isDrop, type Drop } from '../../editor/nodes/selectedNodes.ts';
import { attempt } from '../../editor/commandError.ts';
import { listObjects, pickObject, type PickedObject } from '../../editor/pickers/objectPicks.ts';
import { objectTargetOf } from '../../editor/nodes/objectTarget.ts';
import { serverOf } from '../../editor/pickers/pickServer.ts';
import { verifiedServer, type VerifiedServer } from '../../editor/pickers/verifiedServer.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { refreshOpenDocuments } from '../../editor/openTabs.ts';

interface Named {
  id: string;
  name: string;
}

/** Sets the groups that can view a folder; groups dropped onto it are added. */
export async function setFolderPermissions(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Set Folder Permissions');
  const asked = isDrop(argument) ? argument.onto : argument;
  // Not limited to administrators: an account with that permission in a folder can change who can view it.
  const connection = await serverOf(asked, services, vscode.l10n.t('{0}: select a server', title));
  if (!connection) return;
  const shown = await verifiedServer(connection, argument);
  const folder = await scopedFolderFor(services, connection, asked, title);
  if (!folder) return;
  const what = vscode.l10n.t('Could not change who can see folder "{0}" on {1}', folder.name, connection.name);
  const access = await attempt(what, async () => folderAccess(await shown.server(), folder.id));
  if (access.isPersonal) {
    const words = vscode.l10n.t(
      '"{0}" on {1} is a personal folder: only its owner sees it, and it cannot be opened to groups.',
      folder.name,
      connection.name,
    );
    void showInformationMessage(words);
    return;
  }
  const effectOf: EffectOf = (groupIds) =>
    attempt(what, () =>
      shown.read((server) =>
        folderEffect(server, [{ id: folder.id, fields: { Permissions: groupIds.map((RightID) => ({ RightID })) } }]),
      ),
    );
  const change = isDrop(argument)
    ? await droppedGroups(services, connection, argument, folder, access, effectOf)
    : await pickedGroups(connection, shown, folder, access, what, effectOf);
  if (!change) return;
  await attempt(what, async () => changeFolderGroups(await shown.server(), folder.id, change));
  setStatusBarMessage(vscode.l10n.t('Permissions of {0} saved on {1}', folder.name, connection.name), 8_000);
  await services.tree.refreshObjects(connection, 'library');
  await refreshOpenDocuments(services, connection, { kind: 'folder', objects: [folder] });
}

/** Who sees the folder afterwards, if it is open to these groups. */
type EffectOf = (groupIds: readonly string[]) => Promise<AccessEffect>;

/** Groups dropped onto a folder; undefined if it already has them, or if cancelled. */
async function droppedGroups(
  services: CommandServices,
  connection: Connection,
  { dropped }: Drop,
  folder: Named,
  { groupIds, openTo }: FolderAccess,
  effectOf: EffectOf,
): Promise<GroupsChange | undefined> {
  const groups = selectedOf(services, dropped[0], dropped, 'group')?.nodes ?? [];
  const added = groups.filter(({ groupId }) => !groupIds.includes(groupId));
  const names = added.map(({ name }) => name).join(', ');
  if (added.length === 0) {
    const words = vscode.l10n.t('"{0}" on {1} is already open to these groups.', folder.name, connection.name);
    void showInformationMessage(words);
    return undefined;
  }
  const ids = added.map(({ groupId }) => groupId);
  const { lines } = await effectOf([...groupIds, ...ids]);
  if (!(await confirmNewScope(openTo, folderWords(folder, connection), names, lines))) return undefined;
  return { added: ids };
}

/** Groups that the user selected and deselected; undefined if nothing changes. */
async function pickedGroups(
  connection: Connection,
  shown: VerifiedServer,
  folder: Named,
  { groupIds, openTo }: FolderAccess,
  what: string,
  effectOf: EffectOf,
): Promise<GroupsChange | undefined> {
  const offered = await attempt(what, async () => offeredGroups(await shown.server(), await shown.client()));
  const items = offered
    .map(({ id, name, detail }) => {
      return { label: displayText(name), description: displayText(detail), picked: groupIds.includes(id), id, name };
    })
    .sort((a, b) => Number(b.picked) - Number(a.picked));
  const picked = await showQuickPick(items, {
    title: vscode.l10n.t('Who sees "{0}" on {1}', folder.name, connection.name),
    placeHolder: placeholders()[openTo],
    matchOnDescription: true,
    ignoreFocusOut: true,
    canPickMany: true,
  });
  if (!picked) return undefined;
  const isTicked = (id: string) => picked.some((group) => group.id === id);
  const added = picked.map(({ id }) => id).filter((id) => !groupIds.includes(id));
  // Groups that are not visible to this account stay on the folder: the user did not decide about them.
  const removed = groupIds.filter((groupId) => !isTicked(groupId) && offered.some(({ id }) => id === groupId));
  if (added.length + removed.length === 0) return undefined;
  const mayOpen = groupIds.length > 0 && groupIds.length === removed.length && added.length === 0;
  const effect = await effectOf([...groupIds.filter((id) => !removed.includes(id)), ...added]);
  const isSure = mayOpen
    ? await confirmOpening(folderWords(folder, connection), effect)
    : await confirmAdding(folderWords(folder, connection), effect);
  return isSure ? { added, removed, mayOpen } : undefined;
}

/** All groups or, for an account that cannot list them, its own groups. */
export async function offeredGroups(server: ObjectServer, client: AnalyticsClient): Promise<PickedObject[]> {
  try {
    return await listObjects(client, 'groups');
  } catch (error) {
    const userId = server.accountId?.();
    if (!(isClientError(error, 'refused') || isClientError(error, 'noPermission')) || userId === undefined) throw error;
    const user = await client.call('Contact/GetContactById', { ContactId: userId });
    return (user.SecurityGroups ?? []).map(({ GroupId, GroupName }) => {
      return { id: idText(GroupId), name: displayText(GroupName) || idText(GroupId), detail: '' };
    });
  }
}

function placeholders(): Record<FolderAccess['openTo'], string> {
  return {
    groups: vscode.l10n.t('Groups that can see it. None: as the parent folder'),
    above: vscode.l10n.t('Visible to everyone who can see the parent folder; select groups to restrict access'),
    allUsers: vscode.l10n.t('Visible to all users; select groups to restrict access'),
    nobody: vscode.l10n.t('Visible to no one because its groups no longer exist; select groups'),
  };
}

async function scopedFolderFor(
  services: CommandServices,
  connection: Connection,
  argument: unknown,
  title: string,
): Promise<Named | undefined> {
  const [node] = selectedOf(services, argument, undefined, 'folder')?.nodes ?? [];
  if (node) return { id: node.folderId, name: node.name };
  const target = isTreeNode(argument) ? undefined : objectTargetOf(argument);
  if (target?.kind === 'folder') return { id: target.id, name: target.name };
  const fits = ({ isScopeFixed }: PickedObject) => isScopeFixed !== true;
  return pickObject(connection, 'folders', { title, placeholder: vscode.l10n.t('Folder'), fits });
}

/** A folder and its server, as used in a question. */
function folderWords(folder: Named, connection: Connection): string {
  return vscode.l10n.t('"{0}" on {1}', folder.name, connection.name);
}

/**
 * Confirms a drop: an accidental one could show a folder to others, or hide it from users who saw it while it had no
 * group.
 */
async function confirmNewScope(
  openTo: FolderAccess['openTo'],
  folder: string,
  groups: string,
  lines: readonly string[],
): Promise<boolean> {
  const detail = lines.length > 0 ? lines.join('\n') : vscode.l10n.t('The same users will see the content.');
  if (openTo === 'nobody' || openTo === 'groups') {
    const open = vscode.l10n.t('Open');
    const question =
      openTo === 'nobody'
        ? vscode.l10n.t(
            'Open {0} to {1}? Currently no one except super-admins sees it: its groups no longer exist.',
            folder,
            groups,
          )
        : vscode.l10n.t('Also open {0} to {1}?', folder, groups);
    return (await showWarningMessage(question, { modal: true, detail }, open)) === open;
  }
  const restrict = vscode.l10n.t('Restrict');
  const question =
    openTo === 'above'
      ? vscode.l10n.t(
          'Only members of {0} will see {1}. Currently everyone who can see the parent folder sees it.',
          groups,
          folder,
        )
      : vscode.l10n.t('Only members of {0} will see {1}. Currently all users see it.', groups, folder);
  return (await showWarningMessage(question, { modal: true, detail }, restrict)) === restrict;
}

async function confirmOpening(folder: string, { lines }: AccessEffect): Promise<boolean> {
  const open = vscode.l10n.t('Open to All Users');
  const question = vscode.l10n.t('Without a group, everyone who can see the parent folder will see {0}.', folder);
  return (await showWarningMessage(question, { modal: true, detail: lines.join('\n') }, open)) === open;
}

/** Confirms other groups if a user sees the folder only with them. */
async function confirmAdding(folder: string, { lines, givesRows }: AccessEffect): Promise<boolean> {
  if (!givesRows) return true;
  const save = vscode.l10n.t('Save');
  const question = vscode.l10n.t('Change who can see {0}?', folder);
  return (await showWarningMessage(question, { modal: true, detail: lines.join('\n') }, save)) === save;
}
