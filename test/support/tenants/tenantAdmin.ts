import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import type { Connection } from '../../../src/connections/connection.ts';
import { objectTargetOf } from '../../../src/editor/nodes/objectTarget.ts';
import { objectOf, type ListName, type TreeNode } from '../../../src/editor/nodes/treeNode.ts';
import { importUsers } from '../../../src/features/userImport/importUsers.ts';
import type { ImportSnapshot } from '../../../src/features/userImport/pageContract.ts';
import { editTagValues } from '../../../src/features/tagValues/commands.ts';
import { rowsBelow, type CommandScene } from '../commandScene.ts';
import { waitFor } from '../waitFor.ts';
import { documents } from '../vscode/documents.ts';
import { dismiss, person, type Answer } from '../vscode/person.ts';
import { closePanels, panels } from '../vscode/webviews.ts';

type Fields = Record<string, unknown>;
const fieldsOf = z.record(z.string(), z.unknown());
const value = z.object({ id: z.string(), name: z.string(), value: z.string().nullable() });
const tagPage = z.object({ table: z.object({ groups: z.array(value), users: z.array(value) }) });

/** Answers of a step: labels to choose, in lists and as buttons; texts to type, in order. */
export interface Answers {
  readonly picks?: readonly (string | readonly string[])[];
  readonly types?: readonly string[];
}

/** The administrator of a tenant's day, who uses rows of the sidebar, documents and pages. */
export class TenantAdmin {
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

  async row(list: ListName, name: string): Promise<TreeNode> {
    return this.scene.row(this.connection, list, name);
  }

  async folder(...names: string[]): Promise<TreeNode> {
    return this.scene.find(this.connection, 'library', 'public', ...names);
  }

  async member(group: string, user: string): Promise<TreeNode> {
    const below = await rowsBelow(await this.row('groups', group));
    const found = below.find((node) => objectOf(node)?.name === user);
    if (!found) throw new Error(`${user} is not in ${group}.`);
    return found;
  }

  /** Creates an object in a document. */
  async creates(kind: string, fields: Fields): Promise<void> {
    await (await this.scene.services.documents()).create(this.connection.id, kind);
    await this.saves(() => fields);
  }

  /** Edits the document of a row. */
  async edits(row: TreeNode, change: (present: Fields) => Fields): Promise<void> {
    const target = objectTargetOf(row);
    if (!target) throw new Error('The row has no document.');
    await (await this.scene.services.documents()).open(target);
    await this.saves(change);
  }

  /** Types into the document in front, and saves it. @throws {Error} if it is not saved. */
  async saves(change: (present: Fields) => Fields): Promise<void> {
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
    if (!(await document.save())) throw new Error(`Not saved: ${person.texts().at(-1) ?? ''}`);
  }

  /** Sets values of a tag on its page. */
  async values(
    tag: string,
    wanted: { groups?: Record<string, string>; users?: Record<string, string> },
  ): Promise<void> {
    await editTagValues(this.scene.services, await this.row('dataTags', tag));
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

  /** Imports a CSV file. @returns what became of each row. */
  async imports(...lines: string[]): Promise<string[]> {
    await writeFile(this.csv, lines.join('\n'));
    await importUsers(this.scene.services, this.scene.services.tree.serverNode(this.connection));
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

  get csv(): string {
    return path.join(this.scene.folder, 'users.csv');
  }
}

/** A document's text with another value of a top field, all others character for character as they were. */
function withField(text: string, name: string, now: unknown): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`  ${JSON.stringify(name)}:`));
  const end = lines.findIndex((line, at) => at > start && /^ {2}"|^}/.test(line));
  const comma = lines[end - 1]?.endsWith(',') ? ',' : '';
  return lines.toSpliced(start, end - start, `  ${JSON.stringify(name)}: ${JSON.stringify(now)}${comma}`).join('\n');
}
