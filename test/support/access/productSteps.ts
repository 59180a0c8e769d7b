import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Connection } from '../../../src/connections/connection.ts';
import { objectTargetOf } from '../../../src/editor/nodes/objectTarget.ts';
import { objectOf, type ListName, type TreeNode } from '../../../src/editor/nodes/treeNode.ts';
import { renameObject } from '../../../src/features/documents/commands.ts';
import { deleteObjects } from '../../../src/features/documents/deleteObjects.ts';
import {
  activatePolicy,
  assignPolicy,
  deactivatePolicy,
  unassignPolicy,
} from '../../../src/features/security/assignPolicy.ts';
import { grantRole, revokeRole } from '../../../src/features/security/applicationRoles.ts';
import { addToGroup, removeFromGroup } from '../../../src/features/security/groupMembers.ts';
import { editTagValues } from '../../../src/features/tagValues/commands.ts';
import { importUsers } from '../../../src/features/userImport/importUsers.ts';
import type { ImportSnapshot } from '../../../src/features/userImport/pageContract.ts';
import { rowsBelow, type CommandScene } from '../commandScene.ts';
import { waitFor } from '../waitFor.ts';
import { documents } from '../vscode/documents.ts';
import { dismiss, person, type Answer } from '../vscode/person.ts';
import { closePanels, panels } from '../vscode/webviews.ts';
import type { PolicyContent, Step, StepConstraint } from './accessSteps.ts';
import { applicationNames, groupNames, tagLabels, userNames, type AccessWorld } from './accessWorld.ts';

/** A step, and how an administrator takes it in the product. */
export type ProductStep =
  | Exclude<Step, { kind: 'ownCompany' }>
  | { kind: 'renameTag'; tag: number }
  | { kind: 'allUsers'; isGranted: boolean }
  | { kind: 'role'; user: number; app: number; isGranted: boolean }
  | { kind: 'import'; groups: readonly boolean[]; Tag1: string; Company: string };

/** A step, whether by a command, drag or page where a document would do too, and the answer to its question. */
export interface ProductEdit {
  readonly step: ProductStep;
  readonly byCommand: boolean;
  readonly agrees: boolean;
}

/** What the product asked before it sent an edit; undefined if it sent it without a question. */
export interface Asked {
  readonly question: string | undefined;
}

type Fields = Record<string, unknown>;
const fieldsOf = z.record(z.string(), z.unknown());
/** Password of users that are imported. */
export const importedPassword = 'a password of twelve';

/** An administrator who edits access in the product: commands, drags, pages and documents, in the editor of `test/support/vscode`. */
export class Administrator {
  /** Saves that did not happen, most because the question was declined. */
  unsaved = 0;
  readonly #scene: CommandScene;
  readonly #connection: Connection;
  readonly #world: AccessWorld;
  /** Labels of the tags as they are now. */
  readonly #labels: string[] = [...tagLabels];

  constructor(scene: CommandScene, connection: Connection, world: AccessWorld) {
    this.#scene = scene;
    this.#connection = connection;
    this.#world = world;
  }

  /** Takes a step. @param login of a user that is imported. */
  async take({ step, byCommand, agrees }: ProductEdit, login: string): Promise<Asked> {
    let question: string | undefined;
    const answer = (): Answer => {
      const shown = person.shown.at(-1);
      const { text, choices } = shown ?? { text: '', choices: [] };
      if (shown?.kind === 'box') return this.#typed(text);
      if (shown?.kind === 'list') return chosen(choices, step);
      question = [question, text].filter((part) => part !== undefined).join('\n');
      return agrees ? (choices[0] ?? dismiss) : dismiss;
    };
    person.mayAnswer('', answer);
    try {
      await this.#carryOut(step, byCommand, login);
    } finally {
      await documents.settled();
      documents.closeAll();
      closePanels();
      person.leave();
    }
    return { question };
  }

  /** Names of tags, files and objects to type. */
  #typed(text: string): Answer {
    const toImport = path.join(this.#scene.folder, 'users.csv');
    if (text.startsWith('Users to import')) return toImport;
    const [, renamed] = /^Rename (\S+) on/.exec(text) ?? [];
    if (renamed !== undefined) return renamedLabel(renamed);
    const [, deleted] = /^Delete \S+(?: \S+)? "(.+)" on/.exec(text) ?? /\n(.+)\nEnter the name/.exec(text) ?? [];
    return deleted ?? dismiss;
  }

  async #carryOut(step: ProductStep, byCommand: boolean, login: string): Promise<void> {
    const { services } = this.#scene;
    switch (step.kind) {
      case 'join': {
        const onto = await this.#row('groups', groupNames[step.group]);
        if (!onto) return this.#create('group', { GroupName: groupNames[step.group] });
        const dropped = await this.#rows('users', userNames[step.user]);
        return addToGroup(services, { dropped, onto });
      }
      case 'leave': {
        const group = await this.#row('groups', groupNames[step.group]);
        const members = group ? await rowsBelow(group) : [];
        const member = members.find((node) => objectOf(node)?.name === userNames[step.user]);
        return member && removeFromGroup(services, member);
      }
      case 'deleteGroup':
        return this.#delete('groups', groupNames[step.group]);
      case 'deleteTag':
        return this.#delete('dataTags', this.#labels[step.tag]);
      case 'deletePolicy':
        return this.#delete('policies', policyName(step.policy));
      case 'activate': {
        const row = await this.#row('policies', policyName(step.policy));
        return row && (step.isActive ? activatePolicy(services, row) : deactivatePolicy(services, row));
      }
      case 'assign': {
        const [onto, dropped] = [
          await this.#row('policies', policyName(step.policy)),
          await this.#rows('groups', groupNames[step.group]),
        ];
        if (!onto || dropped.length === 0) return;
        return step.isAssigned ? assignPolicy(services, { dropped, onto }) : unassignPolicy(services, onto);
      }
      case 'renameTag': {
        const label = this.#labels[step.tag] ?? '';
        const row = await this.#row('dataTags', label);
        if (!row) return;
        await renameObject(services, row);
        if (await this.#row('dataTags', renamedLabel(label))) this.#labels[step.tag] = renamedLabel(label);
        return;
      }
      case 'role': {
        const row = await this.#row('users', userNames[step.user]);
        return row && (step.isGranted ? grantRole(services, row) : revokeRole(services, row));
      }
      case 'import':
        return this.#import(step, login);
      default:
        return this.#edit(step, byCommand);
    }
  }

  /** Steps that are edits of documents. */
  async #edit(
    step: Extract<ProductStep, { kind: 'tag' | 'policy' | 'constraint' | 'profile' | 'allUsers' }>,
    byCommand: boolean,
  ): Promise<void> {
    switch (step.kind) {
      case 'tag': {
        const label = this.#labels[step.tag] ?? '';
        const row = await this.#row('dataTags', label);
        const ids = await this.#ids();
        if (row && byCommand) return this.#editValues(row, step, ids);
        const entries = (of: readonly string[], values: readonly (string | undefined)[]) =>
          of.flatMap((RightID, at) =>
            values[at] === undefined || RightID === '' ? [] : { RightID, Option1: values[at] },
          );
        const fields = {
          ...{ Label: label, isActive: step.isActive, DefaultValue: step.fallback, isGroup: true, isUser: true },
          SecurityGroups: entries(ids.groups, step.groups),
          Contacts: entries(ids.users, step.users),
        };
        return row ? this.#save(row, () => fields) : this.#create('tag', fields);
      }
      case 'policy': {
        const fields = await this.#policyFields(step.policy, step.content);
        const row = await this.#row('policies', policyName(step.policy));
        return row ? this.#save(row, () => fields) : this.#create('policy', fields);
      }
      case 'constraint': {
        const row = await this.#row('policies', policyName(step.policy));
        return (
          row &&
          this.#save(row, ({ Constraints }) => {
            const all = Array.isArray(Constraints) ? (Constraints as unknown[]) : [];
            const kept = all.filter((_, index) => index !== step.index % Math.max(1, all.length));
            return { Constraints: [...kept, ...(step.with ? [this.#constraint(step.with)] : [])] };
          })
        );
      }
      case 'profile': {
        const row = await this.#row('users', userNames[step.user]);
        return row && this.#save(row, () => ({ Tag1: step.Tag1, Company: step.Company }));
      }
      case 'allUsers': {
        const target = { connectionId: this.#connection.id, kind: 'settings', id: 'settings', name: 'Settings' };
        await (await this.#scene.services.documents()).open(target);
        return this.#saveActive(() => ({ enableallusersgrp: step.isGranted ? 'True' : 'False' }));
      }
    }
  }

  async #policyFields(index: number, content: PolicyContent): Promise<Fields> {
    const { groups, users, allUsers } = await this.#ids();
    const ofGroups = [...groups, allUsers].filter((id, at) => id !== '' && [...content.groups, content.allUsers][at]);
    return {
      Name: policyName(index),
      isActive: content.isActive,
      Constraints: content.constraints.map((each) => this.#constraint(each)),
      Groups: ofGroups.map((GroupId) => ({ GroupId })),
      Users: users.filter((_, at) => content.users[at]).map((ID) => ({ ID })),
    };
  }

  #constraint({ module, ...constraint }: StepConstraint): Fields {
    const ModuleID = module === 'any' ? '' : (this.#world.apps[module === 'first' ? 0 : 1]?.moduleId ?? '');
    const now = (value: string) =>
      tagLabels.reduce((text, label, at) => text.replace(`/#${label}#/`, `/#${this.#labels[at] ?? ''}#/`), value);
    const values = { Value: now(constraint.Value), Value2: now(constraint.Value2) };
    return { ...constraint, ...values, ModuleID, TableOwner: '', ColumnType: '' };
  }

  /** Changes values on the page of a tag. */
  async #editValues(row: TreeNode, step: Extract<Step, { kind: 'tag' }>, ids: Ids): Promise<void> {
    await editTagValues(this.#scene.services, row);
    const panel = panels.at(-1);
    if (!panel) throw new Error('The values are not shown.');
    const { table } = tagPage.parse(await panel.ask('ready'));
    const changes = (rows: readonly PageRow[], of: readonly string[], values: readonly (string | undefined)[]) =>
      rows.flatMap(({ id, value: from }) => {
        const at = of.indexOf(id);
        const to = values[at] ?? null;
        return at === -1 || to === from ? [] : [{ id, from, to }];
      });
    const [from, to] = [table.defaultValue, step.fallback];
    const wanted = {
      defaultValue: from === to ? null : { from, to },
      groups: changes(table.groups, ids.groups, step.groups),
      users: changes(table.users, ids.users, step.users),
    };
    await panel.ask('save', wanted).catch((error: unknown) => {
      if (!(error instanceof Error) || !error.message.includes('was not confirmed')) throw error;
    });
  }

  /** Imports a user with groups, values in the profile and a role in the first application. */
  async #import(step: Extract<ProductStep, { kind: 'import' }>, login: string): Promise<void> {
    const groups = groupNames.filter((_, at) => step.groups[at]);
    const header = 'LoginName,LastName,Password,Groups,Tag1,Company,Application,Role';
    const cells = [login, 'Import', importedPassword, groups.join(';'), step.Tag1, step.Company, 'First', 'Architect'];
    const line = cells.map((cell) => `"${cell}"`).join(',');
    await writeFile(path.join(this.#scene.folder, 'users.csv'), `${header}\n${line}`);
    await importUsers(this.#scene.services, this.#scene.services.tree.serverNode(this.#connection));
    const panel = panels.at(-1);
    if (!panel) throw new Error('The import is not shown.');
    const shown = async () => (await panel.ask('ready')) as ImportSnapshot;
    const asked = person.shown.length;
    await panel.ask('import');
    await waitFor('the import to end', async () => {
      const { state, rows } = await shown();
      const isDone = rows.every(({ look }) => look === 'done' || look === 'invalid');
      return !state.isRunning && (isDone || person.shown.slice(asked).some(({ choices }) => choices.length > 0));
    });
  }

  async #delete(list: ListName, name: string | undefined): Promise<void> {
    const row = await this.#row(list, name);
    if (row) await deleteObjects(this.#scene.services, row, [row]);
  }

  async #create(kind: string, fields: Fields): Promise<void> {
    await (await this.#scene.services.documents()).create(this.#connection.id, kind);
    await this.#saveActive(() => fields);
  }

  async #save(row: TreeNode, change: (present: Fields) => Fields): Promise<void> {
    const target = objectTargetOf(row);
    if (!target) throw new Error('The row has no document.');
    await (await this.#scene.services.documents()).open(target);
    await this.#saveActive(change);
  }

  async #saveActive(change: (present: Fields) => Fields): Promise<void> {
    const document = documents.active();
    if (!document) throw new Error('No document is shown.');
    const text = document.getText();
    const present = fieldsOf.parse(JSON.parse(text));
    documents.type(document, text, JSON.stringify({ ...present, ...change(present) }, undefined, 2));
    if (!(await document.save())) this.unsaved += 1;
  }

  async #row(list: ListName, name: string | undefined): Promise<TreeNode | undefined> {
    return (await this.#rows(list, name))[0];
  }

  async #rows(list: ListName, name: string | undefined): Promise<TreeNode[]> {
    const rows = await this.#scene.rows(this.#connection, list);
    return rows.filter((node) => objectOf(node)?.name === name);
  }

  async #ids(): Promise<Ids> {
    const rows = await this.#scene.rows(this.#connection, 'groups');
    const idOf = (name: string) => {
      const row = rows.find((node) => objectOf(node)?.name === name);
      return (row && objectTargetOf(row)?.id) ?? '';
    };
    return { groups: groupNames.map(idOf), users: this.#world.userIds, allUsers: idOf('All Users') };
  }
}

interface Ids {
  readonly groups: readonly string[];
  readonly users: readonly string[];
  readonly allUsers: string;
}

const pageRow = z.object({ id: z.string(), value: z.string().nullable() });
type PageRow = z.infer<typeof pageRow>;
const tagPage = z.object({
  table: z.object({ defaultValue: z.string(), groups: z.array(pageRow), users: z.array(pageRow) }),
});

function policyName(index: number): string {
  return `Policy ${index}`;
}

/** Renamed twice, a tag has its first label. */
function renamedLabel(label: string): string {
  return label.endsWith('2') ? label.slice(0, -1) : `${label}2`;
}

/** Roles, files and groups in lists. */
function chosen(choices: readonly string[], step: ProductStep): Answer {
  if (step.kind === 'join') return step.role === '0' ? 'None' : 'View';
  if (step.kind === 'import') return 'Choose a CSV File…';
  if (step.kind === 'role') {
    const [role, app] = ['Architect', applicationNames[step.app] ?? ''];
    return [app, role].find((each) => choices.includes(each)) ?? dismiss;
  }
  const wanted = step.kind === 'assign' ? groupNames[step.group] : undefined;
  return wanted !== undefined && choices.includes(wanted) ? [wanted] : dismiss;
}
