import * as vscode from 'vscode';
import { showQuickPick } from '../quickInput.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../displayText.ts';
import { findProduct } from '../../contract/resources/application.ts';
import type { LibraryNode } from '../../contract/resources/library.ts';
import { idText } from '../../contract/idText.ts';
import { compareNames } from '../nodes/libraryNodes.ts';
import { attempt } from '../commandError.ts';

/** An object that the user picked. */
export interface PickedObject {
  id: string;
  /** Cleaned display name. */
  name: string;
  /** Distinguishes it from other objects with the same name. */
  detail: string;
  /** For folders: whether the account can view, but not change the contents. */
  isReadOnly?: boolean;
  /** For folders: whether the account cannot change who can view it. */
  isScopeFixed?: boolean;
}

/** Lists that objects can be picked from; `libraryFolders` includes the libraries themselves. */
export type PickList =
  | 'users'
  | 'lockedUsers'
  | 'groups'
  | 'dataTags'
  | 'policies'
  | 'folders'
  | 'libraryFolders'
  | 'databases'
  | 'applications';

/** Options of an object picker. */
export interface PickQuestion {
  title: string;
  placeholder?: string;
  /** Filters out objects that the command does not apply to. */
  fits?: (object: PickedObject) => boolean;
}

/** Asks for one object of a server; undefined if cancelled. */
export async function pickObject(
  connection: Connection,
  list: PickList,
  question: PickQuestion,
): Promise<PickedObject | undefined> {
  const items = offered(connection, list, question);
  const picked = await ask(connection, question, () => showQuickPick(items, options(connection, question)));
  return picked?.object;
}

/**
 * Asks for several objects of a server; undefined if cancelled.
 * @param chosen ids of the initially selected objects.
 */
export async function pickObjects(
  connection: Connection,
  list: PickList,
  question: PickQuestion,
  chosen: readonly string[] = [],
): Promise<PickedObject[] | undefined> {
  const items = offered(connection, list, question).then((choices) =>
    choices
      .map((choice) => ({ ...choice, picked: chosen.includes(choice.object.id) }))
      .sort((a, b) => Number(b.picked) - Number(a.picked)),
  );
  const picked = await ask(connection, question, () =>
    showQuickPick(items, { ...options(connection, question), canPickMany: true }),
  );
  return picked?.map(({ object }) => object);
}

/** Objects of a server, sorted by name. */
export async function listObjects(client: AnalyticsClient, list: PickList): Promise<PickedObject[]> {
  return (await readList(client, list)).sort((a, b) => compareNames(a.name, b.name));
}

function ask<T>({ name }: Connection, { title }: PickQuestion, work: () => Thenable<T>): Promise<T> {
  return attempt(vscode.l10n.t('{0}: could not read the available choices from {1}', title, name), async () => work());
}

async function offered(connection: Connection, list: PickList, { fits }: PickQuestion) {
  const objects = await listObjects(await connection.client(), list);
  return objects
    .filter((object) => fits?.(object) ?? true)
    .map((object) => ({ label: displayText(object.name), description: displayText(object.detail), object }));
}

function options(connection: Connection, { title, placeholder }: PickQuestion) {
  return {
    title,
    placeHolder: placeholder ?? vscode.l10n.t('On {0}', connection.name),
    matchOnDescription: true,
    ignoreFocusOut: true,
  };
}

async function readList(client: AnalyticsClient, list: PickList): Promise<PickedObject[]> {
  switch (list) {
    case 'users':
    case 'lockedUsers': {
      const users = await client.call('Contact/GetContactList', {});
      const isLocked = (lockdate: string | null | undefined) => lockdate && !lockdate.startsWith('0001-01-01');
      return users
        .filter(({ lockdate }) => list === 'users' || isLocked(lockdate))
        .map(({ ID, LoginName, FullName }) => toObject(ID, LoginName, FullName));
    }
    case 'groups':
      return (await client.call('Group/GetAllSecurityGroups', {})).map((group) =>
        toObject(group.GroupId, group.GroupName, group.GroupDescription),
      );
    case 'dataTags':
      return (await client.call('DataTag/GetAllDataTags', {})).map((tag) =>
        toObject(tag.ID, tag.Label, tag.DefaultValue),
      );
    case 'policies':
      return (await client.call('Shield/GetAllShieldPolicies', {})).map((policy) =>
        toObject(policy.id, policy.Name, policy.isActive ? vscode.l10n.t('active') : vscode.l10n.t('inactive')),
      );
    case 'folders':
    case 'libraryFolders': {
      const roots = await client.call('library/GetAllLibraryTree', { includefav: false, includePersonal: true });
      return roots.flatMap(({ rootnode }) => {
        const below = rootnode ? foldersBelow(rootnode, '') : [];
        return rootnode && list === 'libraryFolders' ? [toFolder(rootnode, ''), ...below] : below;
      });
    }
    case 'databases':
      return (await client.call('RegServers/GetAdminRegisteredServers', {})).map((server) =>
        toObject(server.ID, server.DisplayName || server.DatabaseName, server.DatabasePlatform),
      );
    case 'applications':
      return (await client.call('App/GetApplicationList', {})).map((entry) => {
        const product = findProduct(entry);
        return toObject(product?.ID, product?.Name, product?.ModuleType);
      });
  }
}

function toObject(
  id: string | number | null | undefined,
  name: string | null | undefined,
  detail: string | null | undefined,
) {
  return { id: idText(id), name: displayText(name) || idText(id), detail: displayText(detail) };
}

/** Filters out read-only folders. */
export function isWritable({ isReadOnly }: PickedObject): boolean {
  return isReadOnly !== true;
}

function toFolder(node: LibraryNode, path: string): PickedObject {
  const { id, text, isUserModify, isUserAdmin } = node;
  const isReadOnly = isUserModify === false && isUserAdmin !== true;
  return { ...toObject(id, text, path), isReadOnly, isScopeFixed: isUserAdmin === false };
}

/** Folders below a library, each with its parent path. */
function foldersBelow(node: LibraryNode, path: string): PickedObject[] {
  const name = displayText(node.text);
  const here = path === '' ? name : `${path} / ${name}`;
  const below = (node.children ?? []).flatMap((child) => foldersBelow(child, here));
  return path === '' ? below : [toFolder(node, path), ...below];
}
