import * as z from 'zod';
import type { Connection } from '../../../src/connections/connection.ts';
import type { LibraryNode } from '../../../src/contract/resources/library.ts';
import { objectOf, type TreeNode } from '../../../src/editor/nodes/treeNode.ts';
import { deleteObjects } from '../../../src/features/documents/deleteObjects.ts';
import { moveReport } from '../../../src/features/library/commands.ts';
import { setFolderPermissions } from '../../../src/features/library/folderPermissions.ts';
import { hideFolders, moveFolder, showFolders } from '../../../src/features/library/folders.ts';
import { addToGroup, removeFromGroup } from '../../../src/features/security/groupMembers.ts';
import { rowsBelow, type CommandScene } from '../commandScene.ts';
import { documents } from '../vscode/documents.ts';
import { dismiss, person, type Answer } from '../vscode/person.ts';
import { userNames } from './accessWorld.ts';

/** Folders of the Public Library, and the groups that see them; `All Users` always exists. */
export const folderNames = ['Alpha', 'Beta', 'Gamma', 'Delta', 'Epsilon'] as const;
export const folderGroups = ['North', 'South', 'All Users'] as const;
/** Each of the folders starts with one report. */
export const reportNames = folderNames.map((name) => `Rows of ${name}`);

/** One edit of who sees folders and reports; numbers are places in the lists above. */
export type FolderStep =
  | { kind: 'groups'; folder: number; groups: readonly boolean[] }
  | { kind: 'drop'; folder: number; group: number }
  | { kind: 'inherits'; folder: number; inherits: boolean }
  | { kind: 'move'; folder: number; to: number }
  | { kind: 'hide'; folder: number; isHidden: boolean }
  | { kind: 'report'; report: number; to: number; isDrag: boolean }
  | { kind: 'join'; user: number; group: number; role: string }
  | { kind: 'leave'; user: number; group: number }
  | { kind: 'deleteGroup'; group: number };

export interface FolderEditing {
  readonly step: FolderStep;
  /** Where a document would do too. */
  readonly byCommand: boolean;
  readonly agrees: boolean;
}

const fieldsOf = z.record(z.string(), z.unknown());

/** An administrator who edits folders in the product. */
export class FolderPerson {
  readonly #scene: CommandScene;
  readonly #connection: Connection;

  constructor(scene: CommandScene, connection: Connection) {
    this.#scene = scene;
    this.#connection = connection;
  }

  /** Takes a step. @returns what was asked before it was sent; undefined for no question. */
  async take({ step, byCommand, agrees }: FolderEditing): Promise<string | undefined> {
    let question: string | undefined;
    person.mayAnswer('', (): Answer => {
      const { kind, text, choices } = person.shown.at(-1) ?? { kind: 'message', text: '', choices: [] };
      if (kind === 'box') return /Delete \S+ "(.+)" on/.exec(text)?.[1] ?? dismiss;
      if (kind === 'list') return picked(step, choices);
      question = [question, text].filter((part) => part !== undefined).join('\n');
      return agrees ? (choices[0] ?? dismiss) : dismiss;
    });
    try {
      await this.#carryOut(step, byCommand);
    } finally {
      await documents.settled();
      documents.closeAll();
      person.leave();
    }
    return question;
  }

  /** Names of the folders from the top of the library down to each folder, itself last. */
  async paths(): Promise<Map<string, string[]>> {
    const client = await this.#connection.client();
    const [root] = await client.call('library/GetAllLibraryTree', { includefav: false, includePersonal: false });
    const paths = new Map<string, string[]>();
    const walk = (node: LibraryNode | null | undefined, above: readonly string[]) => {
      for (const child of node?.children ?? []) {
        const path = [...above, child.text ?? ''];
        paths.set(path.at(-1) ?? '', path);
        walk(child, path);
      }
    };
    walk(root?.rootnode, []);
    return paths;
  }

  async #carryOut(step: FolderStep, byCommand: boolean): Promise<void> {
    const { services } = this.#scene;
    switch (step.kind) {
      case 'groups': {
        if (byCommand) return setFolderPermissions(services, await this.#folder(step.folder));
        const ids = await this.#groupIds();
        const Permissions = ids.flatMap((RightID, at) => (RightID !== '' && step.groups[at] ? { RightID } : []));
        return this.#save('folder', await this.#folder(step.folder), { Permissions });
      }
      case 'drop': {
        const dropped = await this.#group(step.group);
        if (!dropped) return;
        return setFolderPermissions(services, { dropped: [dropped], onto: await this.#folder(step.folder) });
      }
      case 'inherits':
        return this.#save('folder', await this.#folder(step.folder), { InheritPermissions: step.inherits });
      case 'move': {
        if (byCommand) return moveFolder(services, await this.#folder(step.folder));
        const to = objectOf(await this.#folder(step.to))?.id;
        return this.#save('folder', await this.#folder(step.folder), { ParentLibrary: to });
      }
      case 'hide': {
        const row = await this.#folder(step.folder);
        return step.isHidden ? hideFolders(services, row) : showFolders(services, row);
      }
      case 'report':
        return this.#moveReport(step, byCommand);
      case 'join': {
        const onto = await this.#group(step.group);
        if (!onto) return this.#create('group', { GroupName: folderGroups[step.group] });
        const dropped = await this.#scene.row(this.#connection, 'users', userNames[step.user] ?? '');
        return addToGroup(services, { dropped: [dropped], onto });
      }
      case 'leave': {
        const group = await this.#group(step.group);
        const members = group && step.group < 2 ? await rowsBelow(group) : [];
        const member = members.find((node) => objectOf(node)?.name === userNames[step.user]);
        return member && removeFromGroup(services, member);
      }
      case 'deleteGroup': {
        const group = step.group < 2 ? await this.#group(step.group) : undefined;
        return group && deleteObjects(services, group, [group]);
      }
    }
  }

  async #moveReport({ report, to, isDrag }: Extract<FolderStep, { kind: 'report' }>, byCommand: boolean) {
    const name = reportNames[report] ?? '';
    for (const path of (await this.paths()).values()) {
      const below = await rowsBelow(await this.#scene.find(this.#connection, 'library', 'public', ...path));
      const row = below.find((node) => node.kind === 'report' && objectOf(node)?.name === name);
      if (!row) continue;
      const onto = await this.#folder(to);
      if (isDrag) return moveReport(this.#scene.services, { dropped: [row], onto });
      if (byCommand) return moveReport(this.#scene.services, row);
      return this.#save('report', row, { folderid: Number(objectOf(onto)?.id) });
    }
    throw new Error(`${name} is in no folder.`);
  }

  async #folder(index: number): Promise<TreeNode> {
    const path = (await this.paths()).get(folderNames[index] ?? '') ?? [];
    return this.#scene.find(this.#connection, 'library', 'public', ...path);
  }

  async #group(index: number): Promise<TreeNode | undefined> {
    const rows = await this.#scene.rows(this.#connection, 'groups');
    return rows.find((node) => objectOf(node)?.name === folderGroups[index]);
  }

  async #groupIds(): Promise<string[]> {
    const rows = await Promise.all(folderGroups.map((_, index) => this.#group(index)));
    return rows.map((row) => (row && objectOf(row)?.id) ?? '');
  }

  async #create(kind: string, fields: object): Promise<void> {
    await (await this.#scene.services.documents()).create(this.#connection.id, kind);
    await this.#saveActive(fields);
  }

  async #save(kind: string, row: TreeNode, fields: object): Promise<void> {
    const { id = '', name = '' } = objectOf(row) ?? {};
    const target = { connectionId: this.#connection.id, kind, id, name };
    await (await this.#scene.services.documents()).open(target);
    await this.#saveActive(fields);
  }

  async #saveActive(fields: object): Promise<void> {
    const document = documents.active();
    if (!document) throw new Error('No document is shown.');
    const text = document.getText();
    const present = fieldsOf.parse(JSON.parse(text));
    documents.type(document, text, JSON.stringify({ ...present, ...fields }, undefined, 2));
    await document.save();
  }
}

/** Groups, folders and roles in lists; what is not offered is not chosen. */
function picked(step: FolderStep, choices: readonly string[]): Answer {
  if (step.kind === 'groups') return folderGroups.filter((name, at) => step.groups[at] && choices.includes(name));
  if (step.kind === 'join') return step.role === '0' ? 'None' : 'View';
  const to = step.kind === 'move' || step.kind === 'report' ? (folderNames[step.to] ?? '') : '';
  return choices.includes(to) ? to : dismiss;
}
