import * as vscode from 'vscode';
import type { AnalyticsClient } from '../../../src/client/client.ts';
import { ClientError } from '../../../src/client/clientError.ts';
import type { EndpointPath, ReplyOf, RequestOf } from '../../../src/contract/endpoints.ts';
import type { LibraryNode } from '../../../src/contract/resources/library.ts';
import type { ServerEntry } from '../../../src/connections/serverEntry.ts';
import type { TreeConnections } from '../../../src/features/sidebar/serversTree.ts';
import type { TreeConnection } from '../../../src/editor/nodes/treeNode.ts';

/** Draws numbers that depend on nothing but a seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A whole number below `sides`. */
  roll(sides: number): number {
    this.#state = (Math.imul(this.#state ^ (this.#state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    const mixed = Math.imul(this.#state ^ (this.#state >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) % sides;
  }

  /** One of several; undefined of none. */
  pick<T>(of: readonly T[]): T | undefined {
    return of[this.roll(Math.max(1, of.length))];
  }
}

interface Named {
  id: number;
  name: string;
  /** Folder that it lies in; 0 for objects outside the library. */
  in: number;
}

const lists = ['folder', 'report', 'user', 'group', 'tag', 'policy'] as const;
type Kind = (typeof lists)[number];

/** The Public Library. */
const rootId = 1;

/** A server's objects, changed by others, with outages and sessions that end: what the sidebar is compared with. */
export class TreeServer {
  readonly objects = Object.fromEntries(lists.map((kind) => [kind, [] as Named[]])) as Record<Kind, Named[]>;
  readonly connections: TreeConnections;
  isUp = true;
  /** Folders whose groups are gone, so that nobody sees them. */
  readonly closed = new Set<number>();
  /** Users who may not sign in. */
  readonly locked = new Set<number>();
  #state: TreeConnection['state'] = { kind: 'signedOut' };
  #isSignedOut = false;
  #nextId = 10;
  readonly #calls = new Map<EndpointPath, number>();
  readonly #dice: Dice;
  readonly #stateChanged = new vscode.EventEmitter<TreeConnection>();
  readonly #connection: TreeConnection;

  constructor(dice: Dice) {
    this.#dice = dice;
    const entry = (): ServerEntry => ({
      ...{ id: 's', name: 'Server', kind: 'remote', apiBase: 'http://127.0.0.1/api', installationId: '' },
      ...{ userName: 'admin', isGuest: false, keepsPassword: true, isSignedOut: this.#isSignedOut },
    });
    const state = () => this.#state;
    const call = <P extends EndpointPath>(path: P, body: RequestOf<P>) =>
      this.#answer(path, body) as Promise<ReplyOf<P>>;
    this.#connection = {
      ...{ id: 's', name: 'Server', kind: 'remote', userName: 'admin' },
      get entry() {
        return entry();
      },
      get state() {
        return state();
      },
      client: async (): Promise<Pick<AnalyticsClient, 'call'>> => ({ call }),
    };
    const never = new vscode.EventEmitter<unknown>();
    this.connections = {
      list: () => [this.#connection],
      onDidChange: never.event,
      onDidChangeState: this.#stateChanged.event,
    };
    for (const kind of lists) for (let count = 0; count < 3; count++) this.add(kind);
  }

  get connection(): TreeConnection {
    return this.#connection;
  }

  get isSignedIn(): boolean {
    return this.#state.kind === 'active';
  }

  signIn(userId = '1'): void {
    this.#isSignedOut = false;
    const account = {
      userId,
      loginName: 'admin',
      fullName: 'Admin',
      isAdmin: true,
      isGuest: false,
      productVersion: '1',
    };
    this.#enter({ kind: 'active', expiresAt: new Date(Date.now() + 1_200_000), account });
  }

  signOut(): void {
    this.#isSignedOut = true;
    this.#enter({ kind: 'signedOut' });
  }

  /** Somebody creates an object. */
  add(kind: Kind): void {
    const id = this.#nextId++;
    const folders = [rootId, ...this.objects.folder.map((folder) => folder.id)];
    const place = kind === 'folder' || kind === 'report' ? (this.#dice.pick(folders) ?? rootId) : 0;
    this.objects[kind].push({ id, name: `${kind} ${this.#dice.roll(50)}`, in: place });
  }

  /** Somebody renames an object. */
  rename(kind: Kind): void {
    const object = this.#dice.pick(this.objects[kind]);
    if (object) object.name = `${kind} ${this.#dice.roll(50)}`;
  }

  /** Somebody deletes an object with all that is in it. */
  remove(kind: Kind): void {
    const object = this.#dice.pick(this.objects[kind]);
    if (object) this.#drop(kind, object.id);
  }

  /** Somebody moves a report or folder. */
  move(): void {
    const report = this.#dice.pick(this.objects.report);
    if (report) report.in = this.#dice.pick([rootId, ...this.objects.folder.map(({ id }) => id)]) ?? rootId;
    const leaf = this.#dice.pick(
      this.objects.folder.filter(({ id }) => !this.objects.folder.some((other) => other.in === id)),
    );
    const target = this.#dice.pick(this.objects.folder.filter((folder) => folder !== leaf));
    if (leaf && target) leaf.in = target.id;
  }

  /** Names directly in a folder, or of a kind of objects outside the library. */
  names(kind: Kind, place = 0): string[] {
    return this.objects[kind].filter((object) => object.in === place).map(({ name }) => name);
  }

  #drop(kind: Kind, id: number): void {
    const kept = this.objects[kind].filter((object) => object.id !== id);
    this.objects[kind].splice(0, Infinity, ...kept);
    if (kind !== 'folder') return;
    for (const below of ['folder', 'report'] as const) {
      for (const object of this.objects[below].filter((other) => other.in === id)) this.#drop(below, object.id);
    }
  }

  #enter(state: TreeConnection['state']): void {
    this.#state = state;
    this.#stateChanged.fire(this.#connection);
  }

  /** How often an endpoint was asked. */
  count(path: EndpointPath): number {
    return this.#calls.get(path) ?? 0;
  }

  async #answer(path: EndpointPath, body: object): Promise<unknown> {
    this.#calls.set(path, this.count(path) + 1);
    // Replies overtake each other as they do on a wire; what a reply says was true when the server wrote it.
    for (let turns = this.#dice.roll(4); turns > 0; turns--) await new Promise(setImmediate);
    if (!this.isUp) throw new ClientError('unreachable', 'Server did not answer.', { server: 'Server' });
    if (this.#isSignedOut) throw new ClientError('notSignedIn', 'Nobody is signed in.', { server: 'Server' });
    if (!this.isSignedIn) this.signIn();
    const reply = structuredClone(this.#replyTo(path, body));
    for (let turns = this.#dice.roll(4); turns > 0; turns--) await new Promise(setImmediate);
    return reply;
  }

  #replyTo(path: EndpointPath, body: object): unknown {
    const { report, user, group, tag, policy } = this.objects;
    switch (path) {
      case 'library/GetAllLibraryTree':
        return [{ rootnode: { id: rootId, text: 'Public', libtype: 1, children: this.#foldersIn(rootId) } }];
      case 'library/GetListByFolderID': {
        const place = 'LibraryID' in body ? Number(body.LibraryID) : 0;
        return report
          .filter((item) => item.in === place)
          .map(({ id, name }) => ({ id, ReportName: name, itemtype: 1 }));
      }
      case 'library/GetFolderById':
        return this.#folder('folderid' in body ? Number(body.folderid) : 0);
      case 'Contact/GetContactList':
        // A server may list an object twice, for example once for each of its roles.
        return [...user, ...user.slice(0, 1)].map(({ id, name }) => ({
          ID: String(id),
          LoginName: name,
          ...(this.locked.has(id) && { lockdate: '2026-01-02T03:04:05' }),
        }));
      case 'Group/GetAllSecurityGroups': {
        const Membership = user.map(({ id, name }) => ({ ID: String(id), LoginName: name }));
        return group.map(({ id, name }) => ({ GroupId: String(id), GroupName: name, Membership }));
      }
      case 'DataTag/GetAllDataTags':
        return tag.map(({ id, name }) => ({ ID: String(id), Label: name }));
      case 'Shield/GetAllShieldPolicies':
        return policy.map(({ id, name }) => ({ id: String(id), Name: name, isActive: true }));
      case 'AppSettings/GetAppSettings':
        return { MaxRecords: 5, SESSION_TIMEOUT: 20 };
      case 'SMTP/GetSMTP':
        return { SMTPHost: 'mail' };
      case 'LicenseManager/GetInstallationID':
        return '1111-2222-3333-4444-5555-6666';
      default:
        return [];
    }
  }

  #folder(id: number): object {
    return { error_code: 0, id, isRestricted: this.closed.has(id), Permissions: [] };
  }

  #foldersIn(place: number): LibraryNode[] {
    return this.objects.folder
      .filter((folder) => folder.in === place)
      .map(({ id, name }) => ({ id, text: name, libtype: 1, children: this.#foldersIn(id) }));
  }
}
