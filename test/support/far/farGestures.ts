import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Connection } from '../../../src/connections/connection.ts';
import { objectTargetOf } from '../../../src/editor/nodes/objectTarget.ts';
import type { TreeNode } from '../../../src/editor/nodes/treeNode.ts';
import { deleteObjects } from '../../../src/features/documents/deleteObjects.ts';
import { addToGroup } from '../../../src/features/security/groupMembers.ts';
import { assignPolicy } from '../../../src/features/security/assignPolicy.ts';
import { ServersTree } from '../../../src/features/sidebar/serversTree.ts';
import { changeOn, createOn, openCommandScene, type CommandScene } from '../commandScene.ts';
import { useDocuments } from '../documents/documentServices.ts';
import { documents } from '../vscode/documents.ts';
import { person } from '../vscode/person.ts';
import { settings } from '../vscode/settings.ts';
import { TreeEditor } from '../workbench/treeEditor.ts';
import { chainOf, type FarProxy } from './farProxy.ts';

/** What a gesture took. */
export interface FarFigure {
  readonly gesture: string;
  /** Calls until its result was shown. */
  readonly calls: number;
  /** Of these, calls one after the other. */
  readonly chain: number;
  /** Calls that went on afterwards. */
  readonly later: number;
  /** Connections that were opened. */
  readonly opened: number;
  readonly ms: number;
  /** Endpoints in the order of their calls. */
  readonly endpoints: readonly string[];
}

/** A person who works on a far server, in the editor of `test/support/vscode`. */
export class FarPerson {
  readonly figures: FarFigure[] = [];
  readonly #proxy: FarProxy;
  readonly #password: string;
  readonly #scene: CommandScene;
  readonly #documents: ReturnType<typeof useDocuments>;
  readonly #tree: ServersTree;
  readonly #editor: TreeEditor;
  #connection: Connection;

  /**
   * @param straight API base of the server itself, to prepare objects without the proxy.
   * @param ca certificate of the authority that the proxy's is signed by, PEM.
   */
  static async begin(proxy: FarProxy, straight: string, password: string, ca?: string): Promise<FarPerson> {
    const scene = await openCommandScene();
    if (ca !== undefined) {
      const file = path.join(scene.folder, 'ca.pem');
      await writeFile(file, ca);
      settings.set('analytics.network.extraCaFile', { globalValue: file });
    }
    const near = await scene.addServer('Near', straight, password);
    await createOn(near, 'group', 'Far Group', { GroupDescription: 'Sales' });
    const id = await createOn(near, 'user', 'far.user', userFields('far.user'));
    await createOn(near, 'user', 'far.gone', userFields('far.gone'));
    await createOn(near, 'policy', 'Far Policy', { isActive: true });
    await changeOn(near, 'user', id, { FirstName: 'Nora' });
    const installationId = await (await near.client()).call('LicenseManager/GetInstallationID', {});
    await scene.connections.remove(near);
    const account = { userName: 'admin', isGuest: false };
    const connection = scene.connections.draft({
      ...{ name: 'Far', kind: 'remote', apiBase: proxy.apiBase, installationId },
      ...account,
    });
    return new FarPerson(proxy, password, scene, connection);
  }

  private constructor(proxy: FarProxy, password: string, scene: CommandScene, connection: Connection) {
    this.#proxy = proxy;
    this.#password = password;
    this.#scene = scene;
    this.#connection = connection;
    this.#documents = useDocuments(scene);
    const { connections, localServer } = scene.services;
    this.#tree = new ServersTree({ connections, localServer, showsScopes: () => true });
    this.#editor = new TreeEditor(this.#tree);
    Object.assign(scene.services, { tree: this.#tree });
  }

  /** Makes every gesture once. */
  async work(): Promise<void> {
    await this.#gesture('password entered → library rows', async () => {
      const connection = this.#connection;
      await connection.signIn({ userName: 'admin', password: this.#password, isGuest: false }, true);
      await this.#scene.connections.save(connection);
      await this.#editor.start();
      await this.#expand(connection.id);
      await this.#expand(`${connection.id}/library`);
    });
    await this.#gesture('unfold a known server', async () => {
      const again = new ServersTree({
        connections: this.#scene.connections,
        localServer: this.#scene.services.localServer,
        showsScopes: () => true,
      });
      const editor = new TreeEditor(again);
      await editor.start();
      const [row] = editor.rows();
      if (row) await editor.expand(row);
      editor.dispose();
      again.dispose();
    });
    await this.#expand(`${this.#connection.id}/security`);
    for (const list of ['users', 'groups', 'policies']) await this.#expand(`${this.#connection.id}/security/${list}`);
    await this.#documentsWork();
    await this.#securityWork();
    await this.#gesture('refresh all', () => this.#tree.refresh());
  }

  async #documentsWork(): Promise<void> {
    await this.#gesture('open a user', () => this.#open('user', 'far.user'));
    await this.#gesture('open a policy', () => this.#open('policy', 'Far Policy'));
    await this.#gesture('open a group', () => this.#open('group', 'Far Group'));
    await this.#gesture('save a group', async () => {
      const document = documents.active();
      if (!document) throw new Error('No document is open.');
      documents.type(document, '"Sales"', '"Sales of the north"');
      if (!(await document.save())) throw new Error('The group was not saved.');
    });
    documents.closeAll();
  }

  async #securityWork(): Promise<void> {
    const { services } = this.#scene;
    await this.#gesture('add a member: role → row', async () => {
      person.answers('Role', () => {
        this.#proxy.reset();
        return 'View';
      });
      await addToGroup(services, { onto: this.#row('group', 'Far Group'), dropped: [this.#row('user', 'far.user')] });
    });
    await this.#gesture('assign a policy → row', async () => {
      await assignPolicy(services, {
        onto: this.#row('policy', 'Far Policy'),
        dropped: [this.#row('group', 'Far Group')],
      });
    });
    let asked: FarFigure | undefined;
    const user = this.#row('user', 'far.gone');
    await this.#gesture('delete a user: gone', async () => {
      person.answers('Delete', () => {
        asked = this.#figure('delete a user: dialog', 0, performance.now());
        this.#proxy.reset();
        return 'Delete';
      });
      await deleteObjects(services, user);
    });
    if (asked) this.figures.splice(-1, 0, asked);
  }

  async #gesture(gesture: string, work: () => Promise<void>): Promise<void> {
    await this.#settled();
    this.#proxy.reset();
    const startedAt = performance.now();
    await work();
    const ms = performance.now() - startedAt;
    await this.#settled();
    this.figures.push(this.#figure(gesture, ms, startedAt + ms));
    person.leave();
  }

  #figure(gesture: string, ms: number, shownAt: number): FarFigure {
    const { calls } = this.#proxy;
    const before = calls.filter(({ endedAt = Infinity }) => endedAt <= shownAt);
    const endpoints = calls.map(({ endpoint }) => endpoint);
    const opened = this.#proxy.opened();
    const counts = { calls: before.length, chain: chainOf(before), later: calls.length - before.length };
    return { gesture, ms, endpoints, opened, ...counts };
  }

  async #open(kind: string, name: string): Promise<void> {
    const target = objectTargetOf(this.#row(kind, name));
    if (!target) throw new Error(`${name} has no document.`);
    await (await this.#scene.services.documents()).open(target);
  }

  #row(kind: string, name: string): TreeNode {
    const found = this.#editor.rows().find(({ node }) => {
      const target = objectTargetOf(node);
      return target?.kind === kind && target.name === name;
    });
    if (!found) throw new Error(`There is no row of ${name}.`);
    return this.#tree.current(found.node);
  }

  async #expand(id: string): Promise<void> {
    const row = this.#editor.rows().find((each) => each.node.id === id);
    if (!row) {
      throw new Error(
        `There is no row ${id} among ${this.#editor
          .rows()
          .map(({ node }) => node.id)
          .join(', ')}.`,
      );
    }
    await this.#editor.expand(row);
  }

  async #settled(): Promise<void> {
    await this.#editor.settled();
    await documents.settled();
    const isBusy = () => this.#proxy.calls.some(({ endedAt }) => endedAt === undefined);
    for (let quiet = 0; quiet < 20; quiet++) {
      if (isBusy()) quiet = 0;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async close(): Promise<void> {
    this.#editor.dispose();
    this.#tree.dispose();
    this.#documents.close();
    await this.#scene.close();
  }
}

function userFields(name: string) {
  return { LoginName: name, FirstName: name, LastName: 'Far', EmailAddress: `${name}@example.com` };
}
