import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reportResult } from '../../../../src/contract/resources/reportResult.ts';
import { user as userSchema } from '../../../../src/contract/resources/user.ts';
import { registerServer, registerTable, tableReport } from '../../../support/databases/livePlatforms.ts';
import { freePort } from '../../../support/databases/serverProcess.ts';
import { isRecord } from '../../../support/isRecord.ts';
import { type SignedIn, startServer, type TestServer } from '../../../support/server.ts';
import { runCommand } from '../../../support/state/runCommand.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { mayMount, onSmallDisk } from '../../../support/state/smallDisk.ts';

/* What goes on while the disk of the data folder is full, and what is stored once there is space. */

const newGroup = { GroupRoles: [], Membership: [], AllUsers: [], AllRoles: [] };

/** Appends to a file until its disk is full. */
function fillDisk(file: string): void {
  for (const bytes of [65_536, 4_096, 1]) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes));
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('ENOSPC')) throw error;
    }
  }
}

describe.skipIf(!mayMount)('a server whose disk is full', { timeout: 120_000 }, () => {
  let scratch: string;
  let dataFolder: string;
  let server: TestServer;
  let admin: SignedIn;
  let report: object;
  beforeEach(() => {
    scratch = mkdtempSync(path.join(tmpdir(), 'analytics-serving-'));
    dataFolder = mkdtempSync(path.join(scratch, 'data-'));
  });
  afterEach(async () => {
    await server.stop();
    rmSync(scratch, { recursive: true });
  });

  /** Starts a server with a user and a report, and fills its disk. */
  async function startFull(...serverArgs: string[]): Promise<void> {
    const launcher = onSmallDisk(dataFolder);
    server = await startServer({ dataFolder, launcher, serverArgs: ['--backup-folder', 'none', ...serverArgs] });
    admin = await server.login('admin', server.adminPassword);
    const template = userSchema.parse((await admin.call('Contact/NewContact')).json);
    for (const LoginName of ['ann', 'bob']) {
      const user = { ...template, LoginName, Pin: `pin of ${LoginName}` };
      userSchema.parse((await admin.call('Contact/SaveContact', { withpin: true, user })).json);
    }
    const file = path.join(scratch, 'shop.db');
    const shop = new DatabaseSync(file);
    shop.exec("CREATE TABLE orders (note TEXT); INSERT INTO orders VALUES ('first'), ('second')");
    shop.close();
    const registered = await registerServer(admin, 'Shop', 'sqlite', { DatabaseName: file });
    await registerTable(admin, registered, { name: 'orders', columns: { note: 'cha' } });
    report = tableReport(registered, 'orders', ['note']);
    fill();
    // The journal has space of its own, which the server uses up first: with large writes, then with the smallest.
    await untilFull((count) => saveGroup(`full ${count} ${'x'.repeat(5_000)}`));
    const appsettings = (await admin.call('AppSettings/GetAppSettings')).json;
    await untilFull(() => admin.call('AppSettings/SaveAppSettings', { appsettings }));
    fill();
  }

  async function untilFull(write: (count: number) => Promise<{ text: string }>): Promise<void> {
    for (let count = 0, reply = ''; !reply.includes('is full'); count += 1) {
      reply = (await write(count)).text;
      expect(count).toBeLessThan(10_000);
    }
  }

  const onDisk = () => path.join(`/proc/${server.process.pid}/root`, dataFolder);
  const saveGroup = (GroupName: string) => admin.call('Group/SaveSecurityGroup', { group: { ...newGroup, GroupName } });
  const run = (who: SignedIn) =>
    who.call('Report/GetReportData', { Reportobj: { Report: report }, supressprompts: true });

  const fill = () => fillDisk(path.join(onDisk(), 'filler'));

  function emptyDisk(): void {
    rmSync(path.join(onDisk(), 'filler'));
  }

  function copyOfData(): string {
    const copy = path.join(scratch, 'copy');
    rmSync(copy, { recursive: true, force: true });
    cpSync(onDisk(), copy, { recursive: true });
    return copy;
  }

  /** What a copy of the state holds. */
  function stored<T>(read: (database: DatabaseSync) => T): T {
    const database = new DatabaseSync(path.join(copyOfData(), 'state.db'));
    try {
      return read(database);
    } finally {
      database.close();
    }
  }

  const auditDetails = () =>
    stored((database) =>
      database
        .prepare('SELECT detail FROM audit_entry ORDER BY id')
        .all()
        .map(({ detail }) => String(detail)),
    );

  it('names disk and space in refused saves, to administrators only', async () => {
    await startFull();
    const { json } = await saveGroup('refused');
    expect(json).toMatchObject({ ErrorCode: 9000 });
    const message = isRecord(json) ? String(json.ErrorMessage) : '';
    expect(message).toMatch(/^The disk of .+ is full: \d+ KB left\. Nothing was saved\.$/);
    expect(message).toContain(dataFolder);
    const ann = await server.login('ann', 'pin of ann');
    const profile = isRecord(ann.reply.LoginUser) ? ann.reply.LoginUser : {};
    const { text } = await ann.call('Contact/SaveMYContact', {
      withpin: false,
      user: { ...profile, Company: 'North' },
    });
    expect(text).toContain("The server's disk is full. Nothing was saved.");
    expect(text).not.toContain(dataFolder);
  });

  it('lets people sign in, browse and run reports, and audits that once there is space', async () => {
    await startFull();
    const ann = await server.login('ann', 'pin of ann');
    const again = await server.login('ann', 'pin of ann');
    expect((await ann.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 101 });
    expect((await again.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 0 });
    await server.loginAsGuest();
    expect((await admin.call('Group/GetAllSecurityGroups')).text).toContain('All Users');
    const rows = reportResult.parse((await run(admin)).json).Data?.map(({ note }) => note);
    expect(rows).toEqual(['first', 'second']);
    await again.call('login/DoLogout');
    expect((await again.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 101 });
    const before = auditDetails().length;

    emptyDisk();
    // Nothing else is written: what waits is stored by itself.
    await waitFor('the entries', async () => auditDetails().length > before);
    expect(auditDetails().slice(before)).toEqual(['ann', 'ann', 'guest', 'orders']);
    expect(stored((database) => database.prepare('SELECT count(*) AS n FROM session').get())).toEqual({ n: 2 });
    expect((await saveGroup('after')).json).toMatchObject({ ErrorCode: 0 });
    expect(auditDetails().at(-1)).toBe('created group after');
    const ended = await runCommand(['check', '--data', copyOfData()]);
    expect(ended).toMatchObject({ code: 0 });
  });

  it('is ready all the same, with a warning of the space, unless it must store its audit entries', async () => {
    const health = async (...serverArgs: string[]) => {
      const monitor = `127.0.0.1:${await freePort()}`;
      await startFull('--monitor', monitor, ...serverArgs);
      const reply = await fetch(`http://${monitor}/healthz`);
      return { status: reply.status, health: (await reply.json()) as unknown };
    };
    const space = expect.stringMatching(/^The disk of the data folder has 0 MB left\.$/) as unknown;
    expect(await health()).toEqual({
      status: 200,
      health: { live: true, ready: true, reasons: [], warnings: [space] },
    });
    await server.stop();
    dataFolder = mkdtempSync(path.join(scratch, 'data-'));
    rmSync(path.join(scratch, 'shop.db'));
    expect(await health('--require-audit')).toEqual({
      status: 503,
      health: { live: true, ready: false, reasons: [space], warnings: [] },
    });
  });

  it('locks an account after five wrong passwords, and keeps it locked', async () => {
    await startFull();
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await expect(server.login('bob', `wrong ${attempt}`)).rejects.toThrow('invalid');
    }
    await expect(server.login('bob', 'pin of bob')).rejects.toThrow('invalid');
    emptyDisk();
    await waitFor('the failures to be stored', async () => {
      const sql = "SELECT failed_logins AS failures FROM user WHERE login_name = 'bob'";
      return stored((database) => database.prepare(sql).get()?.failures) === 5;
    });
    await expect(server.login('bob', 'pin of bob')).rejects.toThrow('invalid');
  });

  it('refuses with --require-audit what it cannot audit, but signs users out', async () => {
    await startFull('--require-audit');
    await expect(server.login('ann', 'pin of ann')).rejects.toThrow("The server's disk is full");
    // An entry of the audit trail alone may still fit into the journal.
    await untilFull(() => run(admin));
    expect((await admin.call('Group/GetAllSecurityGroups')).text).toContain('All Users');
    await admin.call('login/DoLogout');
    expect((await admin.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 101 });
    emptyDisk();
    await server.login('ann', 'pin of ann');
  });
});

describe.skipIf(!mayMount)('a server that starts on a full disk', { timeout: 120_000 }, () => {
  it('lets people sign in all the same, also after it was killed', async () => {
    const dataFolder = mkdtempSync(path.join(tmpdir(), 'analytics-start-'));
    // Keeps the disk mounted from one start to the next.
    const mount = 'mount -t tmpfs -o size=16m,mode=700 tmpfs "$0" && echo mounted && exec sleep 600';
    const keeper = spawn('unshare', ['-rm', 'sh', '-c', mount, dataFolder], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(keeper.stdout, 'data');
      const launcher = ['nsenter', '--preserve-credentials', '-U', '-m', '-t', String(keeper.pid)];
      const start = () => startServer({ dataFolder, launcher, serverArgs: ['--backup-folder', 'none'] });
      const filler = path.join(`/proc/${keeper.pid}/root`, dataFolder, 'filler');
      const first = await start();
      fillDisk(filler);
      await first.stop();
      for (const end of ['kill', 'stop'] as const) {
        fillDisk(filler);
        const server = await start();
        fillDisk(filler);
        const admin = await server.login('admin', server.adminPassword);
        expect((await admin.call('Group/GetAllSecurityGroups')).text).toContain('All Users');
        await server[end]();
        // The reserve is taken again by a start with space.
        rmSync(filler);
        await (await start()).stop();
      }
    } finally {
      keeper.kill();
      await once(keeper, 'close');
      rmSync(dataFolder, { recursive: true });
    }
  });
});

describe.runIf(process.platform === 'linux')('a server whose disk takes no more', { timeout: 120_000 }, () => {
  it('refuses saves with the reason, and lets people sign in, as when beyond a quota', async () => {
    const server = await startServer({ serverArgs: ['--backup-folder', 'none'] });
    /** No file of the server may be written to behind this byte. */
    const limit = (bytes: string) =>
      execFileSync('prlimit', ['--pid', String(server.process.pid), `--fsize=${bytes}:unlimited`]);
    try {
      const admin = await server.login('admin', server.adminPassword);
      const save = (GroupName: string) => admin.call('Group/SaveSecurityGroup', { group: { ...newGroup, GroupName } });
      limit('1');
      const { json } = await save('refused');
      const message = isRecord(json) ? String(json.ErrorMessage) : '';
      expect(message).toMatch(
        /^The disk of .+ cannot be written to \(disk I\/O error; .+ left\)\. Nothing was saved\.$/,
      );
      const guest = await server.loginAsGuest();
      expect((await guest.call('Session/CheckSession')).json).toMatchObject({ ErrorCode: 0 });
      expect((await admin.call('Group/GetAllSecurityGroups')).text).not.toContain('refused');
      limit('unlimited');
      expect((await save('stored')).json).toMatchObject({ ErrorCode: 0 });
      const ended = await runCommand(['check', '--data', server.dataFolder]);
      expect(ended).toMatchObject({ code: 0 });
    } finally {
      await server.stop();
    }
  });
});
