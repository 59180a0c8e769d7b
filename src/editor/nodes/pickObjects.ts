import * as vscode from 'vscode';
import { showInformationMessage } from '../messages.ts';
import { showQuickPick } from '../quickInput.ts';
import type { Connection } from '../../connections/connection.ts';
import { displayText } from '../displayText.ts';
import type { DocumentTarget } from '../documentUri.ts';
import { findKind } from '../../objects/kinds/kinds.ts';
import type { ObjectKind } from '../../objects/kinds/objectKind.ts';
import { capabilities, isKnownNoAdmin } from './capabilities.ts';
import { isTreeNode, objectOf, type SettingName, type TreeNode } from './treeNode.ts';
import { distinctBy, deepestFirst, selectedNodes } from './selectedNodes.ts';
import { attempt } from '../commandError.ts';
import { objectTargetOf, settingTarget } from './objectTarget.ts';
import { serverOf } from '../pickers/pickServer.ts';
import type { CommandServices } from '../commands/services.ts';
import type { PickList } from '../pickers/objectPicks.ts';

/** Objects of one server that a command applies to. */
export interface PickedObjects {
  readonly connection: Connection;
  readonly targets: readonly DocumentTarget[];
  /** Names of other selected objects that the command does not apply to. */
  readonly leftOut: readonly string[];
}

/** How a command selects its objects. */
export interface ObjectVerb {
  /** Title of the prompts, for example `Delete`. */
  readonly title: string;
  /** Capability that a sidebar node must have for the command to apply. */
  readonly capability: string;
  /** Whether objects of a kind can be selected. */
  fits(kind: ObjectKind): boolean;
  /** Parts of Administration it applies to: a server has one of each, so nothing more needs to be selected. */
  readonly settings?: readonly SettingName[];
  /** Whether it supports multiple objects. */
  readonly takesSeveral?: boolean;
}

/**
 * The objects a command applies to: those given or selected in the sidebar, otherwise picked by server, kind and name.
 * If the selection spans several servers, only objects of the first are used.
 * @returns undefined if cancelled.
 * @throws {CommandError} if the objects of a server cannot be listed.
 */
export async function pickManyObjects(
  services: CommandServices,
  verb: ObjectVerb,
  argument: unknown,
  selection: unknown,
): Promise<PickedObjects | undefined> {
  const nodes: readonly unknown[] = Array.isArray(selection) && selection.length > 0 ? selection : [argument];
  const selected = argument === undefined ? selectedNodes(services) : nodes;
  const offered = selected.filter((node) => !isTreeNode(node) || isOffered(node, verb));
  const given = deepestFirst(offered).flatMap(targetOf);
  const [first] = given;
  const connection = first && services.connections.get(first.connectionId);
  if (!connection) {
    const [node] = selected;
    // A command called on a row applies to that row: it must not ask for a different object.
    if (argument !== undefined && isTreeNode(node)) return tellNotFor(verb, node);
    return pickObjects(services, verb);
  }
  // A report can be selected twice: in its folder and among the favourites.
  const taken = distinctBy(
    given.filter(({ connectionId }) => connectionId === connection.id),
    keyOf,
  );
  const targets = await bound(services, taken);
  if (!verb.takesSeveral) return { connection, targets: targets.slice(0, 1), leftOut: [] };
  const keys = new Set(taken.map(keyOf));
  const isTaken = (node: TreeNode) => targetOf(node).some((target) => keys.has(keyOf(target)));
  const isLeftOut = (node: TreeNode) =>
    node.connection.id !== connection.id || (!isOffered(node, verb) && !isTaken(node));
  const leftOut = selected.filter(isTreeNode).filter(isLeftOut);
  return { connection, targets, leftOut: leftOut.flatMap((node) => objectOf(node)?.name ?? []) };
}

/** {@link pickManyObjects} for a command that applies to a single object. */
export async function pickOneObject(
  services: CommandServices,
  verb: ObjectVerb,
  argument: unknown,
): Promise<{ connection: Connection; target: DocumentTarget } | undefined> {
  const chosen = await pickManyObjects(services, verb, argument, undefined);
  const [target] = chosen?.targets ?? [];
  return chosen && target && { connection: chosen.connection, target };
}

/** Reports that the command does not apply to a row. */
function tellNotFor({ title }: ObjectVerb, node: TreeNode): undefined {
  const name = objectOf(node)?.name ?? '';
  const words =
    name === ''
      ? vscode.l10n.t('{0} is not available for this row.', title)
      : vscode.l10n.t('{0} is not available for "{1}", or the account lacks permission.', title, name);
  void showInformationMessage(words);
}

/** Members of groups are removed from the group, not edited like users. */
function isOffered(node: Parameters<typeof capabilities>[0], { capability }: ObjectVerb): boolean {
  return node.kind !== 'member' && node.kind !== 'holder' && capabilities(node).split(';').includes(capability);
}

function keyOf({ kind, id }: DocumentTarget): string {
  return `${kind} ${id}`;
}

function targetOf(node: unknown): DocumentTarget[] {
  const target = objectTargetOf(node);
  return target ? [target] : [];
}

async function pickObjects(services: CommandServices, verb: ObjectVerb): Promise<PickedObjects | undefined> {
  const connection = await serverOf(undefined, services, vscode.l10n.t('{0}: select a server', verb.title));
  if (!connection) return undefined;
  const kinds = kindChoices(connection).filter(({ object }) => {
    const kind = findKind(object);
    return kind !== undefined && verb.fits(kind);
  });
  const isClosed = isKnownNoAdmin(connection);
  const settings = (isClosed ? [] : (verb.settings ?? [])).map((setting) => settingTarget(connection.id, setting));
  const icon = (kind: string) => new vscode.ThemeIcon(findKind(kind)?.icon ?? 'json');
  const single = settings.map((target) => ({ label: target.name, iconPath: icon(target.kind), object: target.kind }));
  const title = vscode.l10n.t('{0} on {1}', verb.title, connection.name);
  const placeHolder = vscode.l10n.t('Select the type of object');
  const choices = [...kinds, ...single];
  const [sole] = choices;
  const kind = choices.length === 1 ? sole : await showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true });
  if (!kind) return undefined;
  const only = settings.find((target) => target.kind === kind.object);
  if (only) return { connection, targets: await bound(services, [only]), leftOut: [] };
  const items = listed(services, connection, kind.object);
  const options = { title: `${title}: ${kind.label}`, matchOnDescription: true, ignoreFocusOut: true };
  const picked = await attempt(
    vscode.l10n.t('Could not read the list {0} on {1}', kind.label, connection.name),
    async () => {
      if (verb.takesSeveral) return showQuickPick(items, { ...options, canPickMany: true });
      const one = await showQuickPick(items, options);
      return one && [one];
    },
  );
  if (!picked || picked.length === 0) return undefined;
  return { connection, targets: picked.map(({ target }) => target), leftOut: [] };
}

/** Binds targets without an installation to the one that currently responds. */
async function bound(
  services: CommandServices,
  targets: readonly DocumentTarget[],
): Promise<readonly DocumentTarget[]> {
  const [unbound] = targets.filter(({ installation }) => installation === undefined);
  if (!unbound) return targets;
  const { installation } = await (await services.documents()).installed(unbound.connectionId);
  return targets.map((target) => ({ ...target, installation: target.installation ?? installation }));
}

async function listed(services: CommandServices, connection: Connection, kind: string) {
  const documents = await services.documents();
  const { installation } = await documents.installed(connection.id);
  const entries = (await documents.list(connection.id, kind)) ?? [];
  return entries.map(({ id, name, detail }) => ({
    label: displayText(name),
    description: displayText(detail),
    target: { connectionId: connection.id, kind, id, name: displayText(name), installation },
  }));
}

/** A quick pick item for a kind of object. */
export interface KindChoice extends vscode.QuickPickItem {
  /** Document kind. */
  readonly object: string;
  /** For new objects: the list to pick the parent from. */
  readonly places?: PickList;
}

/** Kinds that only administrators can modify. */
const administered: ReadonlySet<string> = new Set(['user', 'group', 'tag', 'policy', 'server']);

/** Kinds of named objects, most used first, limited to those that the account is not known to be denied. */
export function kindChoices(connection: Connection): KindChoice[] {
  const isOpen = ({ object }: KindChoice) => !isKnownNoAdmin(connection) || !administered.has(object);
  return allKinds().filter(isOpen);
}

function allKinds(): KindChoice[] {
  const choice = (object: string, label: string, places?: PickList): KindChoice => ({
    label,
    iconPath: new vscode.ThemeIcon(findKind(object)?.icon ?? 'json'),
    object,
    ...(places && { places }),
  });
  return [
    choice('user', vscode.l10n.t('User')),
    choice('group', vscode.l10n.t('Group')),
    choice('tag', vscode.l10n.t('Data Tag')),
    choice('policy', vscode.l10n.t('Policy')),
    choice('folder', vscode.l10n.t('Folder'), 'libraryFolders'),
    choice('report', vscode.l10n.t('Report'), 'folders'),
    choice('dashboard', vscode.l10n.t('Dashboard'), 'folders'),
    choice('server', vscode.l10n.t('Registered Server'), 'applications'),
    choice('reporttype', vscode.l10n.t('Report Type'), 'databases'),
  ];
}
