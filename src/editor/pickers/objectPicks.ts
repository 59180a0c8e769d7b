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

/** An object that the user chose. */
export interface PickedObject {
  id: string;
  /** Name as it may be shown. */
  name: string;
  /** The one fact that tells it from others of the name. */
  detail: string;
  /** Of folders: whether the account may see, but not change what is in it. */
  isReadOnly?: boolean;
  /** Of folders: whether the account may not choose who sees it. */
  isScopeFixed?: boolean;
}

/** Lists of a server that objects are picked from; `libraryFolders` has the libraries themselves too. */
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

/** How a list of objects is offered. */
export interface PickQuestion {
  title: string;
  placeholder?: string;
  /** Leaves out what the command has no use for. */
  fits?: (object: PickedObject) => boolean;
}

/** Lets the user choose one object of a server; undefined when the user gave up. */
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
 * Lets the user choose several objects of a server; undefined when the user gave up.
 * @param chosen ids that are chosen to begin with.
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

/** Objects of a server by name. */
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

/** Leaves out folders that nothing may be put into. */
export function isWritable({ isReadOnly }: PickedObject): boolean {
  return isReadOnly !== true;
}

function toFolder(node: LibraryNode, path: string): PickedObject {
  const { id, text, isUserModify, isUserAdmin } = node;
  const isReadOnly = isUserModify === false && isUserAdmin !== true;
  return { ...toObject(id, text, path), isReadOnly, isScopeFixed: isUserAdmin === false };
}

/** Folders below a library, with the path above each. */
function foldersBelow(node: LibraryNode, path: string): PickedObject[] {
  const name = displayText(node.text);
  const here = path === '' ? name : `${path} / ${name}`;
  const below = (node.children ?? []).flatMap((child) => foldersBelow(child, here));
  return path === '' ? below : [toFolder(node, path), ...below];
}
