import assert from 'node:assert/strict';
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isClientError } from '../../src/client/clientError.ts';
import type { Connection } from '../../src/connections/connection.ts';
import { runWithSignal } from '../../src/client/http/cancelScope.ts';
import { countdownTimer, keepAliveTimer } from '../../src/features/servers/sessionTimers.ts';
import { SessionStatusBar } from '../../src/features/servers/sessionStatusBar.ts';
import { libraryPath } from '../../src/features/servers/localServer/commands.ts';
import { hostFigure } from '../support/hostFigure.ts';
import { openHostWindow, SharedSecrets, SharedState, type HostWindow, type Machine } from '../support/hostWindow.ts';
import { waitFor } from '../support/waitFor.ts';

describe('sessions in several windows', function () {
  this.timeout(60_000);
  let machine: Machine;
  let windows: HostWindow[];

  beforeEach(async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'analytics-windows-'));
    machine = { folder, secrets: new SharedSecrets(), state: new SharedState() };
    windows = [];
  });
  afterEach(async () => {
    for (const window of windows) await window.close();
    await rm(machine.folder, { recursive: true, force: true });
  });

  /** Opens windows that all know the local server. */
  async function open(count: number): Promise<[HostWindow, Connection][]> {
    const opened: [HostWindow, Connection][] = [];
    for (let index = 0; index < count; index++) {
      const window = openHostWindow(machine);
      windows.push(window);
      opened.push([window, await window.connections.addLocal('Local Server')]);
    }
    return opened;
  }

  async function call(connection: Connection): Promise<unknown> {
    return (await connection.client()).call('library/GetAllLibraryTree', {});
  }

  it('sign in once for any number of calls and windows', async () => {
    const opened = await open(3);
    await Promise.all(opened.flatMap(([, connection]) => Array.from({ length: 20 }, () => call(connection))));
    const logins = opened.reduce((sum, [window]) => sum + window.count('login/DoLogin'), 0);
    assert.equal(logins, 1);
    const servers = await Promise.all(opened.map(([window]) => window.localServer.peek()));
    assert.equal(new Set(servers.map((server) => server?.pid)).size, 1);
  });

  it('sign out everywhere, and in again only when asked to', async () => {
    const opened = await open(2);
    const [[, one], [otherWindow, other]] = opened as [[HostWindow, Connection], [HostWindow, Connection]];
    await call(one);
    await call(other);
    await one.signOut();
    await waitFor('the other window to know', async () => other.state.kind === 'signedOut');
    for (const connection of [one, other]) {
      await assert.rejects(call(connection), (error) => isClientError(error, 'notSignedIn'));
    }
    assert.equal(otherWindow.count('login/DoLogin'), 0);
    const kept = await one.keptCredentials();
    assert.ok(kept);
    await one.signIn(kept, true);
    await waitFor('the other window to know', async () => other.state.kind === 'active');
    await call(other);
    assert.equal(otherWindow.count('login/DoLogin'), 0);
  });

  it("send the local server's own password for its own account alone, and no more once it was rejected", async () => {
    const [[window, local]] = (await open(1)) as [[HostWindow, Connection]];
    await call(local);
    const own = (await local.keptCredentials())?.password ?? '';
    assert.equal(own, await window.localServer.password());
    const account = { name: 'Viewer', apiBase: '', installationId: '', userName: 'north.viewer', isGuest: false };
    const viewer = window.connections.draft({ ...account, kind: 'local' });
    await assert.rejects(call(viewer), (error) => isClientError(error, 'notSignedIn'));
    // The sample's accounts have it as well; without a word of the user it is not kept for them.
    await viewer.signIn({ userName: 'north.viewer', password: own, isGuest: false }, false);
    assert.equal(await viewer.keptCredentials(), undefined);
    await viewer.signIn({ userName: 'north.viewer', password: own, isGuest: false }, true);
    assert.equal((await viewer.keptCredentials())?.password, own);
    await viewer.forget();
    viewer.dispose();
    await window.localServer.rejectPassword(own);
    assert.equal(await local.keptCredentials(), undefined);
  });

  it('have calls of a stopped server served by it once it runs again, and never by other data', async () => {
    const [[window, local]] = (await open(1)) as [[HostWindow, Connection]];
    await call(local);
    const first = await local.client();
    await window.localServer.stop();
    await call(local);
    await first.call('library/GetAllLibraryTree', {});
    const second = await local.client();
    assert.notEqual(second, first);
    await window.localServer.erase();
    await call(local);
    for (const former of [first, second]) {
      const served = former.call('library/GetAllLibraryTree', {});
      await assert.rejects(served, (error) => isClientError(error, 'unreachable'));
    }
  });

  it('keep the servers that each adds, whatever another writes at the same time', async () => {
    const opened = await open(2);
    // What the editor keeps is a copy in each window; none of them may rest on it.
    assert.deepEqual(machine.state.keys(), []);
    const [[one, first], [other]] = opened as [[HostWindow, Connection], [HostWindow, Connection]];
    const account = { installationId: '', userName: 'ada', isGuest: false, kind: 'remote' as const };
    const draft = (window: HostWindow, name: string) =>
      window.connections.draft({ ...account, name, apiBase: `http://127.0.0.1:9/${name}` });
    await Promise.all([
      one.connections.save(draft(one, 'North')),
      other.connections.save(draft(other, 'South')),
      first.rename('Mine'),
    ]);
    const late = openHostWindow(machine);
    windows.push(late);
    assert.deepEqual(
      late.connections
        .list()
        .map(({ name }) => name)
        .sort(),
      ['Mine', 'North', 'South'],
    );
    const north = late.connections.list().find(({ name }) => name === 'North');
    assert.ok(north);
    await late.connections.remove(north);
    // The first window still has it, and changes it: that does not bring it back.
    await one.connections.get(north.id)?.rename('North again');
    const last = openHostWindow(machine);
    windows.push(last);
    assert.deepEqual(
      last.connections
        .list()
        .map(({ name }) => name)
        .sort(),
      ['Mine', 'South'],
    );
  });

  it('all follow at once when one adds, renames or removes a server', async () => {
    const [[one, local], [other]] = (await open(2)) as [[HostWindow, Connection], [HostWindow, Connection]];
    const names = () => other.connections.list().map(({ name }) => name);
    let changes = 0;
    const listening = other.connections.onDidChange(() => (changes += 1));
    const account = { installationId: '', userName: 'ada', isGuest: false, kind: 'remote' as const };
    // No session is begun, and no window gets the focus: the file alone tells.
    const draft = one.connections.draft({ ...account, name: 'North', apiBase: 'http://127.0.0.1:9/api' });
    await one.connections.save(draft);
    await waitFor('the other window to show it', async () => names().includes('North'));
    await draft.rename('South');
    await waitFor('the other window to rename it', async () => names().includes('South'));
    await one.connections.remove(draft);
    await waitFor('the other window to drop it', async () => names().length === 1);
    assert.ok(changes >= 3, `${changes} changes told`);
    assert.equal(local.name, 'Local Server');
    listening.dispose();
  });

  it('end within 200 ms when given up: starting, signing out and stopping', async () => {
    const [[window, local]] = (await open(1)) as [[HostWindow, Connection]];
    const locks = path.join(machine.folder, 'locks');
    await mkdir(locks, { recursive: true });
    await mkdir(path.join(machine.folder, 'local-server'), { recursive: true });
    // As another window of this machine leaves them while it works; the one that started the editor outlives this test.
    const held = [path.join(machine.folder, 'local-server', 'lock'), path.join(locks, 'session-local.lock')];
    for (const file of held) await writeFile(file, `${process.ppid} other`);
    const waits: [string, () => Promise<unknown>][] = [
      ['starting the local server', () => local.client()],
      ['signing out of a server that does not run', () => local.signOut()],
      ['stopping the local server', () => window.localServer.stop()],
    ];
    for (const [name, wait] of waits) {
      const giveUp = new AbortController();
      const ended = runWithSignal(giveUp.signal, wait).then(
        () => 'was not waiting',
        (error: unknown) => (isClientError(error) ? error.kind : error),
      );
      assert.equal(await Promise.race([ended, delay(300, 'waits')]), 'waits');
      const startedAt = performance.now();
      giveUp.abort();
      assert.equal(await ended, 'cancelled', name);
      const ms = performance.now() - startedAt;
      assert.ok(ms < 200, `${name}: ${ms} ms`);
      hostFigure('R12', `cancelled within ${Math.ceil(ms)} ms: ${name}`);
    }
    for (const file of held) await rm(file, { force: true });
    // The start, which others might wait for, goes on.
    await local.client();
  });

  it('give each server a name of its own', async () => {
    const [[{ connections }, local]] = (await open(1)) as [[HostWindow, Connection]];
    assert.equal(connections.isFree('local server'), false);
    assert.equal(connections.isFree('local server', local), true);
    assert.equal(connections.freeName('Local Server'), 'Local Server 2');
    assert.equal(connections.freeName('North'), 'North');
  });

  it('ask when the account signs in elsewhere, and never take the session back by themselves', async () => {
    const opened = await open(2);
    for (const [, connection] of opened) await call(connection);
    const [[, local]] = opened as [[HostWindow, Connection]];
    const kept = await local.keptCredentials();
    assert.ok(kept);
    // Another program, which shares nothing with these windows.
    const folder = path.join(machine.folder, 'apart');
    const elsewhere = openHostWindow({ folder, secrets: new SharedSecrets(), state: new SharedState() });
    windows.push(elsewhere);
    const { apiBase } = (await local.client()).target;
    const account = { name: 'elsewhere', installationId: '', userName: 'admin', isGuest: false };
    const remote = elsewhere.connections.draft({ ...account, kind: 'remote', apiBase });
    await remote.signIn(kept, false);
    for (const [window, connection] of opened) {
      const before = window.count('login/DoLogin');
      await assert.rejects(call(connection), (error) => isClientError(error, 'takenOver'));
      // Its Sign In… is for this account, whatever others are called.
      await assert.rejects(call(connection), (error) => {
        return isClientError(error, 'takenOver') && error.connectionId === connection.id;
      });
      assert.equal(connection.state.kind, 'takenOver');
      assert.equal(window.count('login/DoLogin'), before);
    }
    await call(remote);
    remote.dispose();
  });

  it('go on after the window that ran the server has closed', async () => {
    const [[first, one], [, other]] = (await open(2)) as [[HostWindow, Connection], [HostWindow, Connection]];
    await call(one);
    await call(other);
    await first.close();
    await call(other);
    assert.equal(other.state.kind, 'active');
  });

  it('keep secrets out of state, files and log, and leave nothing behind when the server is removed', async () => {
    const [[window, connection]] = (await open(1)) as [[HostWindow, Connection]];
    await call(connection);
    const kept = await connection.keptCredentials();
    const session: unknown = JSON.parse(machine.secrets.values.get('analytics.session.local') ?? '{}');
    const token = typeof session === 'object' && session !== null && 'token' in session ? session.token : undefined;
    assert.ok(kept && typeof token === 'string');
    const visible = [JSON.stringify([...machine.state.values]), JSON.stringify(window.requests)];
    for (const file of await readdir(machine.folder, { recursive: true, withFileTypes: true })) {
      if (file.isFile()) visible.push(await readFile(path.join(file.parentPath, file.name), 'latin1'));
    }
    const server = await window.localServer.peek();
    if (process.platform === 'linux' && server) {
      for (const part of ['cmdline', 'environ']) visible.push(await readFile(`/proc/${server.pid}/${part}`, 'latin1'));
    }
    const proxyPassword = 'canary-proxy-password';
    await window.network.keepProxyAccount({ url: 'http://proxy.test' }, { userName: 'ada', password: proxyPassword });
    visible.push(JSON.stringify([...machine.state.values]), vscode.workspace.getConfiguration().get('analytics', ''));
    const secrets = [kept.password, token, proxyPassword];
    for (const secret of secrets) {
      assert.equal(visible.filter((text) => JSON.stringify(text).includes(secret)).length, 0);
    }
    hostFigure('S1', `${secrets.length} secrets, ${visible.length} files, states, arguments and logs: 0 found`);
    await machine.secrets.delete('analytics.proxy.http://proxy.test');
    await window.connections.remove(connection);
    assert.equal(machine.secrets.values.size, 0);
    await assert.rejects(access(path.join(machine.folder, 'servers.json')));
    assert.deepEqual(await readdir(path.join(machine.folder, 'local-server')), []);
    assert.equal(await window.localServer.peek(), undefined);
  });

  it('make no request while the sidebar only counts down', async () => {
    const [[window, connection]] = (await open(1)) as [[HostWindow, Connection]];
    const { tree } = window;
    const path = await libraryPath(tree, connection);
    assert.ok(path.length > 2);
    // As the editor does with the rows that it draws.
    for (const place of path) {
      for (const node of await tree.getChildren(place)) {
        if (node.kind === 'folder') tree.drawn({ connectionId: connection.id, kind: 'folder', id: node.folderId });
      }
    }
    await waitFor('the scopes of folders', async () => window.count('library/GetFolderById') >= 5);
    const before = window.requests.length;
    tree.updateCountdown();
    for (const node of path) await tree.getChildren(node);
    assert.equal(window.requests.length, before);
  });

  it('make no request in an hour without a user, which ends the session', async () => {
    const opened = await open(2);
    for (const [{ tree }, connection] of opened) {
      for (const place of await libraryPath(tree, connection)) await tree.getChildren(place);
    }
    const requests = () => opened.reduce((sum, [window]) => sum + window.requests.length, 0);
    const log = vscode.window.createOutputChannel('Idle', { log: true });
    const before = requests();
    mock.timers.enable({ apis: ['setInterval', 'Date'], now: Date.now() });
    try {
      // All that the extension does by the clock, in each window.
      const clocks = opened.map(([{ connections, tree }]) => {
        const statusBar = new SessionStatusBar(connections);
        const countdown = countdownTimer(() => {
          statusBar.update();
          tree.updateCountdown();
        });
        return vscode.Disposable.from(statusBar, countdown, keepAliveTimer(connections, log));
      });
      for (let minute = 0; minute < 60; minute += 1) {
        mock.timers.tick(60_000);
        for (const [{ tree }, connection] of opened) await tree.getChildren(tree.serverNode(connection));
        await setImmediate();
      }
      for (const clock of clocks) clock.dispose();
      assert.equal(requests() - before, 0);
      for (const [, connection] of opened) assert.notEqual(connection.state.kind, 'active');
      hostFigure('R22', `2 windows with their sidebars, 60 idle minutes by the clock: ${requests() - before} requests`);
    } finally {
      mock.timers.reset();
      log.dispose();
    }
  });
});
