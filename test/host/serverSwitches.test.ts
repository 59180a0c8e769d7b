import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isClientError } from '../../src/client/clientError.ts';
import type { Connection } from '../../src/connections/connection.ts';
import { hostFigure } from '../support/hostFigure.ts';
import { openHostWindow, SharedSecrets, SharedState, type HostWindow, type Machine } from '../support/hostWindow.ts';
import { startScriptedServer } from '../support/scriptedServer.ts';
import { soakSize } from '../support/run/soakSize.ts';
import { Dice } from '../support/workbench/treeServer.ts';

const switches = soakSize(250, 1_000);
const users = ['ada', 'ben'];

/** An address, and the installations that answer there one after the other. */
class Address {
  readonly name: string;
  /** Requests that carry the token or password of another address, or came to an installation unasked. */
  astray = 0;
  logins = 0;
  generation = 1;
  isDown = false;
  readonly #tokens = new Map<string, string>();
  /** Installation that each user chose: the one that answered when the user signed in by hand. */
  readonly chosen = new Map<string, number>();
  url = '';
  close: () => Promise<void> = async () => undefined;

  constructor(name: string) {
    this.name = name;
  }

  get installationId(): string {
    const digits = String(this.generation).padStart(4, '0');
    return `${digits}-${String(this.name.length).repeat(4)}-0000-0000-0000-0000`;
  }

  /** Another installation takes the address: it knows no session of the one before. */
  replace(): void {
    this.generation += 1;
    this.#tokens.clear();
  }

  expire(user: string): void {
    this.#tokens.delete(user);
  }

  async start(): Promise<void> {
    const server = await startScriptedServer(({ path, body }, response) => {
      if (this.isDown) {
        response.destroy();
        return new Promise(() => undefined);
      }
      if (path.endsWith('GetInstallationID')) return JSON.stringify(this.installationId);
      return path.endsWith('login/DoLogin') ? this.#login(body) : this.#answer(path, body);
    });
    this.url = server.url;
    this.close = () => server.close();
  }

  #login({ UserId, UserPassword }: Record<string, unknown>): unknown {
    const user = String(UserId);
    this.logins += 1;
    if (UserPassword !== `${this.name}-${user}-password`) this.astray += 1;
    if (this.chosen.get(user) !== this.generation) this.astray += 1;
    const token = `${this.name}-${user}-${this.logins}`;
    this.#tokens.set(user, token);
    // Within the tolerance: a token that is rejected has expired, and was not taken over.
    const SessionExpir = new Date(Date.now() + 25_000).toISOString();
    return {
      ErrorCode: 0,
      LoginSession: { SessionToken: token, SessionExpir },
      LoginUser: { ID: user, LoginName: user },
    };
  }

  #answer(path: string, { sessionToken }: Record<string, unknown>): unknown {
    if (!String(sessionToken).startsWith(`${this.name}-`)) this.astray += 1;
    const user = [...this.#tokens].find(([, token]) => token === sessionToken)?.[0];
    if (user === undefined) return { ErrorCode: 101, ErrorMessage: 'Session Expired' };
    if (path.endsWith('DoLogout')) return '0';
    return [{ RoleId: '1', RoleName: `${user} of ${this.name}-${this.generation}` }];
  }
}

describe('switching between servers and accounts', function () {
  this.timeout(240_000);
  let machine: Machine;
  let window: HostWindow;
  const addresses = ['one', 'two', 'three'].map((name) => new Address(name));

  beforeEach(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'analytics-switches-'));
    machine = { folder, secrets: new SharedSecrets(), state: new SharedState() };
    window = openHostWindow(machine);
    for (const address of addresses) await address.start();
  });
  afterEach(async () => {
    await window.close();
    for (const address of addresses) await address.close();
    await rm(machine.folder, { recursive: true, force: true });
  });

  async function addAccounts(): Promise<{ address: Address; user: string; connection: Connection }[]> {
    const accounts = addresses.flatMap((address) => users.map((user) => ({ address, user })));
    return Promise.all(
      accounts.map(async ({ address, user }) => {
        const { installationId, url } = address;
        const server = {
          kind: 'remote' as const,
          apiBase: `${url}/api`,
          installationId,
          userName: user,
          isGuest: false,
        };
        const connection = window.connections.draft({ ...server, name: `${user} on ${address.name}` });
        await signIn({ address, user, connection });
        await window.connections.save(connection);
        return { address, user, connection };
      }),
    );
  }

  /** What only the user does: takes whatever installation answers. */
  async function signIn({ address, user, connection }: { address: Address; user: string; connection: Connection }) {
    address.chosen.set(user, address.generation);
    const credentials = { userName: user, password: `${address.name}-${user}-password`, isGuest: false };
    await connection.signIn(credentials, true);
  }

  it('R16: sends no call, token or password astray, whatever becomes of the servers meanwhile', async () => {
    const accounts = await addAccounts();
    const dice = new Dice(16);
    const count = { calls: 0, refused: 0, replaced: 0, expired: 0, down: 0, renamed: 0, signedOut: 0 };
    for (let turn = 0; turn < switches; turn++) {
      const account = dice.pick(accounts);
      assert.ok(account);
      const { address, user, connection } = account;
      switch (dice.roll(16)) {
        case 0:
          address.replace();
          count.replaced += 1;
          break;
        case 1:
        case 2:
          address.expire(user);
          count.expired += 1;
          break;
        case 3:
          address.isDown = true;
          count.down += 1;
          break;
        case 4:
          await connection.rename(`${user} on ${address.name}, ${turn}`);
          count.renamed += 1;
          break;
        case 5:
          await connection.signOut().catch((error: unknown) => assert.ok(isClientError(error), String(error)));
          count.signedOut += 1;
          break;
      }
      // Some at once: answers of one must not end up with another either.
      const asked = [account, dice.pick(accounts) ?? account, dice.pick(accounts) ?? account];
      await Promise.all(asked.map((one) => call(one)));
      address.isDown = false;
    }

    async function call(one: (typeof accounts)[number]): Promise<void> {
      const { address, user, connection } = one;
      const { generation, isDown } = address;
      try {
        const [role] = await (await connection.client()).call('Contact/GetRolesList', {});
        assert.equal(role?.RoleName, `${user} of ${address.name}-${generation}`);
        assert.equal(address.chosen.get(user), generation, 'a call reached an installation that nobody chose');
        count.calls += 1;
      } catch (error) {
        if (!isClientError(error)) throw error;
        count.refused += 1;
        if (isDown) return assert.ok(['unreachable', 'notSignedIn'].includes(error.kind), error.kind);
        assert.equal(error.kind, 'notSignedIn', error.message);
        await signIn(one);
        assert.equal(connection.entry.installationId, address.installationId);
      }
    }

    const astray = addresses.reduce((sum, each) => sum + each.astray, 0);
    const logins = addresses.reduce((sum, each) => sum + each.logins, 0);
    assert.equal(astray, 0);
    // Each is thrown in one of 16 turns.
    const rarest = Math.min(count.replaced, count.down, count.renamed, count.signedOut);
    assert.ok(rarest > switches / 32, JSON.stringify(count));
    assert.ok(count.calls > switches, JSON.stringify(count));
    hostFigure(
      'R16',
      `${switches} switches between ${accounts.length} accounts on ${addresses.length} addresses: ${count.calls} calls done, ${count.refused} refused, ` +
        `${count.replaced} servers replaced by another installation, ${count.down} stopped for a while, ${count.renamed} renamed, ` +
        `${count.expired} expiries, ${count.signedOut} sign-outs, ${logins} sign-ins: ${astray} calls, tokens or passwords astray`,
    );
  });
});
