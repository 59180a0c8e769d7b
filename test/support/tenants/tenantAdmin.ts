import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Connection } from '../../../src/connections/connection.ts';
import { objectTargetOf } from '../../../src/editor/nodes/objectTarget.ts';
import { objectOf, type TreeNode } from '../../../src/editor/nodes/treeNode.ts';
import { cloneObject, describeReport, renameDataTag, renameObject } from '../../../src/features/documents/commands.ts';
import { deleteObjects } from '../../../src/features/documents/deleteObjects.ts';
import type { DocumentServices } from '../../../src/features/documents/documentServices.ts';
import { newDataTag, newGroup, newPolicy } from '../../../src/features/documents/newObjects.ts';
import { addFavourite, moveReport } from '../../../src/features/library/commands.ts';
import { setFolderPermissions } from '../../../src/features/library/folderPermissions.ts';
import { hideFolders, moveFolder, newFolder, showFolders } from '../../../src/features/library/folders.ts';
import { changeRole, grantRole, revokeRole } from '../../../src/features/security/applicationRoles.ts';
import {
  activatePolicy,
  assignPolicy,
  deactivatePolicy,
  unassignPolicy,
} from '../../../src/features/security/assignPolicy.ts';
import { setPin, unlockUser } from '../../../src/features/security/commands.ts';
import { addToGroup, removeFromGroup } from '../../../src/features/security/groupMembers.ts';
import { editTagValues } from '../../../src/features/tagValues/commands.ts';
import { importUsers } from '../../../src/features/userImport/importUsers.ts';
import type { ImportSnapshot } from '../../../src/features/userImport/pageContract.ts';
import { saveTemplate } from '../../../src/features/userImport/saveTemplate.ts';
import type { JsonObject } from '../../../src/objects/json.ts';
import { changeOn, rowsBelow, type CommandScene } from '../commandScene.ts';
import { documents } from '../vscode/documents.ts';
import { dismiss, person, type Answer } from '../vscode/person.ts';
import { closePanels, panels } from '../vscode/webviews.ts';
import { waitFor } from '../waitFor.ts';
import { withField } from './documentField.ts';
import type { Answers, Fields, Place, TagValues, TenantPerson } from './tenantPerson.ts';

const fieldsOf = z.record(z.string(), z.unknown());
const value = z.object({ id: z.string(), name: z.string(), value: z.string().nullable() });
const tagPage = z.object({ table: z.object({ groups: z.array(value), users: z.array(value) }) });

type Change = (present: Fields) => Fields;

/** Commands by their titles in menus. */
const commands: Readonly<Record<string, (services: DocumentServices, row: TreeNode) => Promise<unknown>>> = {
  ...{ 'New Group…': newGroup, 'New Data Tag…': newDataTag, 'New Policy…': newPolicy, 'New Folder…': newFolder },
  ...{ 'Clone Policy': cloneObject, 'Rename Policy…': renameObject, 'Delete Policy…': deleteObjects },
  ...{ 'Delete User…': deleteObjects, 'Delete Group…': deleteObjects, 'Delete Folder…': deleteObjects },
  ...{ 'Edit Data Tag Values…': editTagValues, 'Rename Data Tag…': renameDataTag },
  ...{ 'Assign Policy…': assignPolicy, 'Unassign Policy…': unassignPolicy },
  ...{ 'Activate Policy': activatePolicy, 'Deactivate Policy': deactivatePolicy },
  ...{ 'Import Users from CSV…': importUsers, 'Save CSV Template of Users…': saveTemplate },
  ...{ 'Grant Application Role…': grantRole, 'Change Application Role…': changeRole },
  ...{ 'Revoke Application Role…': revokeRole, 'Remove Users from Group…': removeFromGroup },
  ...{ 'Set PIN…': setPin, 'Unlock User': unlockUser, 'Set Folder Permissions…': setFolderPermissions },
  ...{ 'Hide Folder': hideFolders, 'Show Folder': showFolders, 'Move Folder…': moveFolder },
  ...{ 'Move Report to Folder…': moveReport, 'Edit Report Description…': describeReport },
  ...{ 'Add to Favourites': addFavourite },
};

/** The administrator of a tenant's day, who uses rows of the sidebar, documents and pages. */
export class TenantAdmin implements TenantPerson {
  readonly scene: CommandScene;
  readonly connection: Connection;

  constructor(scene: CommandScene, connection: Connection) {
    this.scene = scene;
    this.connection = connection;
  }

  /** Does something, with answers to what is asked. @returns everything that was shown. */
  async does(work: () => Promise<unknown>, { picks = [], types = [] }: Answers = {}): Promise<string> {
    const [choices, texts] = [[...picks], [...types]];
    person.mayAnswer('', (): Answer => {
      const { kind, text, choices: offered } = person.shown.at(-1) ?? { kind: 'message', text: '', choices: [] };
      if (text.startsWith('Users to import')) return this.csv;
      if (kind === 'box') return texts.shift() ?? dismiss;
      const wanted = choices.findIndex((label) => [label].flat().every((each) => offered.includes(each)));
      if (wanted === -1) return (kind === 'message' && offered[0]) || dismiss;
      return choices.splice(wanted, 1)[0] ?? dismiss;
    });
    try {
      await work();
      await documents.settled();
      return person.texts().join('\n');
    } finally {
      documents.closeAll();
      closePanels();
      person.leave();
    }
  }

  async runs(command: string, place?: Place): Promise<void> {
    const run = commands[command];
    if (!run) throw new Error(`There is no command ${command}.`);
    await run(this.scene.services, place ? await this.row(...place) : this.#server());
  }

  async drags(from: Place, onto: Place): Promise<void> {
    const dropped = { dropped: [await this.row(...from)], onto: await this.row(...onto) };
    await addToGroup(this.scene.services, dropped);
  }

  async edits(place: Place, change: Change, meanwhile?: () => Promise<void>): Promise<void> {
    const target = objectTargetOf(await this.row(...place));
    if (!target) throw new Error('The row has no document.');
    await (await this.scene.services.documents()).open(target);
    await this.saves(change, meanwhile);
  }

  /** Types into the document in front, and saves it. @throws {Error} if it is not saved. */
  async saves(change: Change, meanwhile?: () => Promise<void>): Promise<void> {
    const document = documents.active();
    if (!document) throw new Error('No document is shown.');
    const present = fieldsOf.parse(JSON.parse(document.getText()));
    const wanted = { ...present, ...change(present) };
    let text = document.getText();
    for (const [name, now] of Object.entries(wanted)) {
      if (JSON.stringify(now) === JSON.stringify(present[name])) continue;
      text = withField(text, name, now);
    }
    documents.type(document, document.getText(), text);
    await meanwhile?.();
    if (!(await document.save())) throw new Error(`Not saved: ${person.texts().at(-1) ?? ''}`);
  }

  async values(tag: string, wanted: TagValues): Promise<void> {
    await this.runs('Edit Data Tag Values…', ['dataTags', tag]);
    const panel = panels.at(-1);
    if (!panel) throw new Error('The values are not shown.');
    const { table } = tagPage.parse(await panel.ask('ready'));
    const changes = (rows: z.infer<typeof value>[], to: Record<string, string> = {}) =>
      rows.flatMap(({ id, name, value: from }) => (to[name] === undefined ? [] : [{ id, from, to: to[name] }]));
    await panel.ask('save', {
      defaultValue: null,
      groups: changes(table.groups, wanted.groups),
      users: changes(table.users, wanted.users),
    });
  }

  async imports(...lines: string[]): Promise<string[]> {
    await writeFile(this.csv, lines.join('\n'));
    await this.runs('Import Users from CSV…', ['users']);
    const panel = panels.at(-1);
    if (!panel) throw new Error('The import is not shown.');
    const shown = async () => (await panel.ask('ready')) as ImportSnapshot;
    await panel.ask('import');
    await waitFor('the import to end', async () => {
      const { state, rows } = await shown();
      return !state.isRunning && rows.every(({ look }) => ['done', 'invalid', 'failed'].includes(look));
    });
    return (await shown()).rows.map(({ loginName, look }) => `${loginName} ${look}`);
  }

  async seatHolders(): Promise<string[]> {
    const facts = await rowsBelow(await this.scene.find(this.connection, 'administration', 'licences'));
    const rows = (await Promise.all(facts.map((fact) => rowsBelow(fact)))).flat();
    return rows.flatMap((row) => (row.kind === 'holder' ? [row.user.loginName] : []));
  }

  async colleagueChanges(policy: string, fields: JsonObject): Promise<void> {
    const row = await this.row('policies', policy);
    if (row.kind === 'policy') await changeOn(this.connection, 'policy', row.policyId, fields);
  }

  get csv(): string {
    return path.join(this.scene.folder, 'users.csv');
  }

  #server(): TreeNode {
    return this.scene.services.tree.serverNode(this.connection);
  }

  async row(...[list, ...names]: Place): Promise<TreeNode> {
    if (list === 'library') return this.scene.find(this.connection, 'library', 'public', ...names);
    const [name, member] = names;
    // A list is as good as its server here.
    if (name === undefined) return this.#server();
    const row = await this.scene.row(this.connection, list, name);
    if (member === undefined) return row;
    const found = (await rowsBelow(row)).find((node) => objectOf(node)?.name === member);
    if (!found) throw new Error(`${member} is not in ${name}.`);
    return found;
  }
}
