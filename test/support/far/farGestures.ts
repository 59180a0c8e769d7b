import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Connection } from '../../../src/connections/connection.ts';
import { objectTargetOf } from '../../../src/editor/nodes/objectTarget.ts';
import type { TreeNode } from '../../../src/editor/nodes/treeNode.ts';
import { deleteObjects } from '../../../src/features/documents/deleteObjects.ts';
import { newUser } from '../../../src/features/documents/newObjects.ts';
import { addToGroup } from '../../../src/features/security/groupMembers.ts';
import { assignPolicy } from '../../../src/features/security/assignPolicy.ts';
import { ServersTree } from '../../../src/features/sidebar/serversTree.ts';
import { throttledTree } from '../../../src/features/sidebar/throttledTree.ts';
import { countdownTimer, keepAliveTimer } from '../../../src/features/servers/sessionTimers.ts';
import { SessionStatusBar } from '../../../src/features/servers/sessionStatusBar.ts';
import { changeOn, createOn, openCommandScene, type CommandScene } from '../commandScene.ts';
import { useDocuments } from '../documents/documentServices.ts';
import { Disposable } from '../vscode/basics.ts';
import { documents } from '../vscode/documents.ts';
import { person } from '../vscode/person.ts';
import { settings } from '../vscode/settings.ts';
import { TreeEditor } from '../workbench/treeEditor.ts';
import { chainOf, type FarProxy } from './farProxy.ts';
import { FarReports } from './farReports.ts';

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
  /** Connections that were opened before the first gesture. */
  openedAhead = 0;
  readonly scene: CommandScene;
  readonly #proxy: FarProxy;
  readonly #password: string;
  readonly #documents: ReturnType<typeof useDocuments>;
  readonly #tree: ServersTree;
  readonly #provider: ReturnType<typeof throttledTree>;
  readonly #editor: TreeEditor;
  readonly #reports: FarReports;
  #connection: Connection;
  /** When the gesture under way began, in ms. */
  #startedAt = 0;

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
    this.scene = scene;
    this.#connection = connection;
    this.#documents = useDocuments(scene);
    [this.#tree, this.#provider, this.#editor] = this.#sidebar();
    Object.assign(scene.services, { tree: this.#tree });
    this.#reports = new FarReports(this, scene, connection);
  }

  #sidebar(): [ServersTree, ReturnType<typeof throttledTree>, TreeEditor] {
    const { connections, localServer } = this.scene.services;
    const tree = new ServersTree({ connections, localServer, showsScopes: () => true });
    const provider = throttledTree(tree);
    return [tree, provider, new TreeEditor(tree, provider)];
  }

  /** Makes every gesture once. */
  async work(): Promise<void> {
    // As while the password is typed.
    await this.#connection.openAhead();
    this.openedAhead = this.#proxy.opened();
    await this.gesture('password entered → library rows', async () => {
      const connection = this.#connection;
      await connection.signIn({ userName: 'admin', password: this.#password, isGuest: false }, true);
      await this.scene.connections.save(connection);
      await this.#editor.start();
      await this.expand(connection.id);
      await this.until(() => this.#editor.rows().some(({ node }) => node.kind === 'libraryRoot'));
    });
    await this.gesture('unfold a known server', async () => {
      const [again, provider, editor] = this.#sidebar();
      await editor.start();
      const [row] = editor.rows();
      if (row) await editor.expand(row);
      const sections = editor.rows().filter(({ node }) => node.kind === 'section');
      if (sections.length < 4) throw new Error('Not all static rows are shown.');
      editor.dispose();
      provider.dispose();
      again.dispose();
    });
    await this.expand(`${this.#connection.id}/security`);
    for (const list of ['users', 'groups', 'policies']) await this.expand(`${this.#connection.id}/security/${list}`);
    for (const kind of ['folder', 'folder']) await this.expandAll(kind);
    await this.#documentsWork();
    await this.#reports.work();
    await this.#securityWork();
    await this.gesture('refresh all', () => this.#tree.refresh());
  }

  /** Goes on opening documents and refreshing, as in a session of work. Returns the number of calls. */
  async goOn(rounds: number): Promise<{ calls: number; opened: number }> {
    await this.#settled();
    this.again();
    for (let round = 0; round < rounds; round++) {
      await this.open('user', 'far.user');
      await this.open('policy', 'Far Policy');
      await this.open('report', 'Routes');
      await this.open('folder');
      documents.closeAll();
      await this.#tree.refresh();
    }
    await this.#settled();
    return { calls: this.#proxy.calls.length, opened: this.#proxy.opened() };
  }

  async #documentsWork(): Promise<void> {
    await this.gesture('open a user', () => this.open('user', 'far.user'));
    await this.gesture('open a policy', () => this.open('policy', 'Far Policy'));
    await this.gesture('open a report', () => this.open('report', 'Routes'));
    await this.gesture('open a folder', () => this.open('folder'));
    await this.gesture('open a group', () => this.open('group', 'Far Group'));
    await this.gesture('save a group', async () => {
      const document = documents.active();
      if (!document) throw new Error('No document is open.');
      documents.type(document, '"Sales"', '"Sales of the north"');
      if (!(await document.save())) throw new Error('The group was not saved.');
    });
    await this.open('report', 'Routes');
    await this.gesture('save a report', async () => {
      const document = documents.active();
      if (!document) throw new Error('No document is open.');
      documents.type(document, '"Description": "', '"Description": "More ');
      if (!(await document.save())) throw new Error('The report was not saved.');
    });
    documents.closeAll();
    await this.gesture('new user', () => newUser(this.scene.services, this.row('server')));
    documents.closeAll();
  }

  async #securityWork(): Promise<void> {
    const { services } = this.scene;
    await this.gesture('add a member: role → row', async () => {
      // Reading the roles takes longer than the calls meanwhile.
      person.reads = () => this.#settled();
      person.answers('Role', () => {
        this.again();
        return 'View';
      });
      await addToGroup(services, { onto: this.row('group', 'Far Group'), dropped: [this.row('user', 'far.user')] });
    });
    await this.gesture('assign a policy → row', async () => {
      await assignPolicy(services, {
        onto: this.row('policy', 'Far Policy'),
        dropped: [this.row('group', 'Far Group')],
      });
    });
    let asked: FarFigure | undefined;
    const user = this.row('user', 'far.gone');
    await this.gesture('delete a user: gone', async () => {
      person.answers('Delete', () => {
        asked = this.#figure('delete a user: dialog', performance.now());
        this.again();
        return 'Delete';
      });
      await deleteObjects(services, user);
    });
    if (asked) this.figures.splice(-1, 0, asked);
  }

  /** Measures `work`, until its result is shown. */
  async gesture(gesture: string, work: () => Promise<void>): Promise<void> {
    await this.#settled();
    this.again();
    await work();
    const shownAt = performance.now();
    await this.#settled();
    this.figures.push(this.#figure(gesture, shownAt));
    person.leave();
  }

  /** Endpoints that are called by `work`, and until all has settled after it. */
  async callsOf(work: () => Promise<void>): Promise<readonly string[]> {
    await this.#settled();
    this.again();
    await work();
    await this.#settled();
    return this.#proxy.calls.map(({ endpoint }) => endpoint);
  }

  /** Rests the mouse on the first rows of objects in the sidebar. @returns the hints that show. */
  async hover(count: number): Promise<unknown[]> {
    const token = { isCancellationRequested: false, onCancellationRequested: () => new Disposable(() => undefined) };
    const objects = this.#editor.rows().filter(({ node }) => objectTargetOf(node) !== undefined);
    const rows = objects.slice(0, count);
    const hints: unknown[] = [];
    for (const { item, node } of rows) {
      const shown = await this.#provider.resolveTreeItem?.(item, node, token);
      if (shown?.tooltip !== undefined) hints.push(shown.tooltip);
    }
    return hints;
  }

  /** Lets sessions be kept alive and minutes count down, as they do in a window. */
  startTimers(): Disposable {
    const { connections, log } = this.scene.services;
    const statusBar = new SessionStatusBar(connections);
    const countdown = countdownTimer(() => {
      statusBar.update();
      this.#tree.updateCountdown();
    });
    return Disposable.from(statusBar, countdown, keepAliveTimer(connections, log));
  }

  /** Measures from now on only, as the user went on after a choice. */
  again(): void {
    this.#proxy.reset();
    this.#startedAt = performance.now();
  }

  #figure(gesture: string, shownAt: number): FarFigure {
    const { calls } = this.#proxy;
    const before = calls.filter(({ endedAt = Infinity }) => endedAt <= shownAt);
    const endpoints = calls.map(({ endpoint }) => endpoint);
    const opened = this.#proxy.opened();
    const counts = { calls: before.length, chain: chainOf(before), later: calls.length - before.length };
    return { gesture, ms: shownAt - this.#startedAt, endpoints, opened, ...counts };
  }

  /** Opens the document of an object. */
  async open(kind: string, name?: string): Promise<void> {
    const target = objectTargetOf(this.row(kind, name));
    if (!target) throw new Error(`${name ?? kind} has no document.`);
    await (await this.scene.services.documents()).open(target);
  }

  /** The row of an object, as it is now. */
  row(kind: string, name?: string): TreeNode {
    const found = this.#editor.rows().find(({ node }) => {
      if (node.kind === kind && name === undefined) return true;
      const target = objectTargetOf(node);
      return target?.kind === kind && target.name === name;
    });
    if (!found) throw new Error(`There is no row of ${name ?? kind}.`);
    return this.#tree.current(found.node);
  }

  /** Opens a row, and waits for those below it. */
  async expand(id: string): Promise<void> {
    const row = this.#editor.rows().find((each) => each.node.id === id);
    if (!row) throw new Error(`There is no row ${id}.`);
    await this.#editor.expand(row);
  }

  /** Opens every row of a kind that is shown. */
  async expandAll(kind: string): Promise<void> {
    await this.#settled();
    for (const { node } of this.#editor.rows().filter((row) => row.node.kind === kind)) await this.expand(node.id);
  }

  /** Resolves as soon as something holds. */
  async until(holds: () => boolean): Promise<void> {
    for (let waited = 0; !holds(); waited += 2) {
      if (waited > 60_000) throw new Error('What was waited for did not come.');
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  async #settled(): Promise<void> {
    await this.#editor.settled();
    await documents.settled();
    const isBusy = () => this.#proxy.calls.some(({ endedAt }) => endedAt === undefined);
    // The editor shows later changes of rows after 205 ms at most.
    for (let quiet = 0; quiet < 50; quiet++) {
      if (isBusy()) quiet = 0;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await this.#editor.settled();
  }

  async close(): Promise<void> {
    this.#reports.close();
    this.#editor.dispose();
    this.#provider.dispose();
    this.#tree.dispose();
    this.#documents.close();
    await this.scene.close();
  }
}

function userFields(name: string) {
  return { LoginName: name, FirstName: name, LastName: 'Far', EmailAddress: `${name}@example.com` };
}
