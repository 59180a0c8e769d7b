import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isRecord } from '../../../support/isRecord.ts';
import { soakSize } from '../../../support/run/soakSize.ts';
import { startServer, type SignedIn, type TestServer } from '../../../support/server.ts';
import { folderWithState, keptKey, keptPassword, keptState } from '../../../support/state/keptState.ts';
import { runCommand } from '../../../support/state/runCommand.ts';

const hostile = `Ω "'; DROP TABLE user; -- \u202Eabc`;

let scratch: string;
let dataFolder: string;
let server: TestServer | undefined;
beforeEach(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'analytics-backups-'));
  dataFolder = folderWithState(keptState('0.1.0'));
});
afterEach(async () => {
  await server?.stop();
  server = undefined;
  rmSync(scratch, { recursive: true });
  rmSync(dataFolder, { recursive: true });
});

const at = (name: string) => path.join(scratch, name);
const backUp = (to = at('a.db')) => runCommand(['backup', '--data', dataFolder, '--to', to]);
const restore = (from: string, ...more: string[]) =>
  runCommand(['restore', '--data', dataFolder, '--from', from, ...more]);
const running = async () => (server = await startServer({ dataFolder, password: keptPassword, realHashes: true }));
const halted = async () => {
  await server?.stop();
  server = undefined;
};

async function saveGroup({ call }: Pick<SignedIn, 'call'>, GroupName: string): Promise<void> {
  const group = { GroupRoles: [], Membership: [], AllUsers: [], AllRoles: [], GroupName };
  const { json, text } = await call('Group/SaveSecurityGroup', { group });
  if (!isRecord(json) || json.ErrorCode !== 0) throw new Error(text);
}

const groupNames = async ({ call }: Pick<SignedIn, 'call'>) =>
  z
    .array(z.looseObject({ GroupName: z.string() }))
    .parse((await call('Group/GetAllSecurityGroups')).json)
    .map(({ GroupName }) => GroupName);

function inFile<T>(file: string, read: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file);
  try {
    return read(database);
  } finally {
    database.close();
  }
}

describe('server.js backup', () => {
  it('makes one private, checked file while clients write: what was acknowledged before is in it', async () => {
    const admin = await (await running()).login('admin', keptPassword);
    await saveGroup(admin, 'before');
    let isWriting = true;
    const write = async (writer: number) => {
      for (let count = 0; isWriting; count += 1) await saveGroup(admin, `during ${writer} ${count}`);
    };
    const writers = [1, 2, 3].map(write);
    const { code, out, err } = await backUp();
    isWriting = false;
    await Promise.all(writers);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(
      /a\.db: the state at .*, release .*, checked\.\n12? ?\d* users, .*SHA-256.*\n.*does not hold the key/,
    );
    expect(readdirSync(scratch)).toEqual(['a.db']);
    expect(statSync(at('a.db')).mode & 0o777).toBe(0o600);
    inFile(at('a.db'), (database) => {
      expect(database.prepare('PRAGMA integrity_check').get()?.integrity_check).toBe('ok');
      const names = (sql: string) =>
        database
          .prepare(sql)
          .all()
          .map(({ name }) => String(name));
      const groups = names(
        "SELECT name FROM security_group WHERE name = 'before' OR name LIKE 'during %' ORDER BY name",
      );
      expect(groups).toContain('before');
      // A write and its audit entry are one: neither is there without the other.
      const entries = `SELECT substr(detail, 15) AS name FROM audit_entry
        WHERE detail LIKE 'created group during %' OR detail = 'created group before' ORDER BY name`;
      expect(names(entries)).toEqual(groups);
    });
  });

  it('is refused to those who do not know the token, which only the owner can read', async () => {
    await running();
    const note = path.join(dataFolder, 'server.control');
    expect(statSync(note).mode & 0o777).toBe(0o600);
    const { port } = z.object({ port: z.int() }).parse(JSON.parse(readFileSync(note, 'utf8')));
    writeFileSync(at('stolen.db'), '');
    const token = '0'.repeat(64);
    for (const sent of [JSON.stringify({ token, target: at('stolen.db') }), 'POST / HTTP/1.1', 'x'.repeat(100_000)]) {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      let reply = '';
      socket.on('data', (bytes: Buffer) => (reply += bytes.toString()));
      socket.write(`${sent}\n`);
      await new Promise((resolve) => socket.on('close', resolve));
      expect(reply).toBe('');
    }
    expect(statSync(at('stolen.db')).size).toBe(0);
    await halted();
    expect(existsSync(note)).toBe(false);
  });

  it('needs no running server, and refuses to overwrite, to copy nothing and to copy damage', async () => {
    expect((await backUp()).code).toBe(0);
    const again = await backUp();
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('a.db exists') as unknown });
    const pages = readFileSync(path.join(dataFolder, 'state.db'));
    pages.fill(0xff, 5 * 1024, 6 * 1024);
    writeFileSync(path.join(dataFolder, 'state.db'), pages);
    expect(await backUp(at('b.db'))).toMatchObject({ code: 1, err: expect.stringContaining('is damaged') as unknown });
    rmSync(path.join(dataFolder, 'state.db'));
    expect(await backUp(at('b.db'))).toMatchObject({ code: 1, err: expect.stringContaining('no state') as unknown });
    expect(readdirSync(scratch)).toEqual(['a.db']);
  });
});

describe('server.js restore', () => {
  it('names what is given in place of a backup', async () => {
    const { code, err } = await restore(scratch, '--yes');
    expect([code, err]).toEqual([1, expect.stringContaining(`${scratch} is not a file`)]);
    expect(await restore(at('none.db'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('does not exist') as unknown,
    });
    expect(await runCommand(['restore', '--help'])).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^Usage/) as unknown,
    });
  });

  it('says what would be lost, keeps what it replaces and ends all sessions', { timeout: 120_000 }, async () => {
    await running();
    expect((await backUp()).code).toBe(0);
    const admin = await server?.login('admin', keptPassword);
    if (!admin) throw new Error('No server');
    const before = await groupNames(admin);
    await saveGroup(admin, `later ${hostile}`);
    expect(await restore(at('a.db'), '--yes')).toMatchObject({ code: 4 });
    await halted();

    const looked = await restore(at('a.db'));
    expect(looked.code).toBe(0);
    expect(looked.out).toContain(`groups: 1 (${JSON.stringify(`later ${hostile}`)})`);
    await running();
    expect(
      await groupNames({ call: (endpoint) => server!.call(endpoint, { sessionToken: admin.token }) }),
    ).toHaveLength(before.length + 1);
    await halted();

    const { code, out } = await restore(at('a.db'), '--yes');
    expect(code).toBe(0);
    const kept = /kept as (.*)/.exec(out)?.[1] ?? '';
    const last = 'SELECT detail FROM audit_entry ORDER BY id DESC LIMIT 1';
    const said = inFile(path.join(dataFolder, 'state.db'), (state) => state.prepare(last).get()?.detail);
    const entries = inFile(kept, (state) => state.prepare('SELECT max(id) AS last FROM audit_entry').get()?.last);
    expect(said).toMatch(/^restored the state of \d{4}-.*Z over one with audit entries up to \d+$/);
    expect(said).toMatch(new RegExp(` ${Number(entries)}$`));
    expect(await runCommand(['check', '--data', dataFolder])).toMatchObject({ code: 0 });
    await running();
    const after = await server!.call('Group/GetAllSecurityGroups', { sessionToken: admin.token });
    expect(after.text).not.toContain('GroupName');
    const again = await server!.login('admin', keptPassword);
    expect(await groupNames(again)).toEqual(before);
    await halted();

    expect((await restore(kept, '--yes')).code).toBe(0);
    await running();
    expect(await groupNames(await server!.login('admin', keptPassword))).toContain(`later ${hostile}`);
  });

  it('says that a backup is of another server, and that all objects are lost', async () => {
    copyFileSync(path.join(dataFolder, 'state.db'), at('other.db'));
    expect((await restore(at('other.db'))).out).toContain('No object was created or changed since.');
    inFile(at('other.db'), (database) => database.exec("UPDATE installation SET identifier = 'of another server'"));
    const { code, out } = await restore(at('other.db'));
    expect([code, out]).toEqual([0, expect.stringContaining('It is a backup of another server')]);
    const users = inFile(path.join(dataFolder, 'state.db'), (state) =>
      state.prepare('SELECT count(*) AS n FROM user').get(),
    );
    expect(out).toContain(`users: ${Number(users?.n)} (`);
    expect(out).not.toContain('No object');
  });

  it('names the passwords of another key, and removes them', async () => {
    writeFileSync(path.join(dataFolder, 'secret.key'), Buffer.alloc(32, 8).toString('base64'));
    const state = path.join(dataFolder, 'state.db');
    copyFileSync(state, at('plain.db'));
    const { out, code } = await restore(at('plain.db'), '--yes');
    expect(code).toBe(0);
    expect(out).toMatch(/another key. Enter them again:\n {2}"database server Ω .*DROP TABLE/);
    inFile(state, (database) => {
      const sealed = 'SELECT count(*) AS count FROM registered_server WHERE sealed_password NOT NULL';
      expect(database.prepare(sealed).get()?.count).toBe(0);
    });
    writeFileSync(path.join(dataFolder, 'secret.key'), keptKey.toString('base64'));
    expect((await restore(at('plain.db'), '--yes')).out).not.toContain('another key');
  });

  it(
    'refuses what is damaged, of a newer release or no backup, and changes nothing',
    { timeout: 120_000 },
    async () => {
      expect((await backUp()).code).toBe(0);
      const whole = readFileSync(at('a.db'));
      const state = readFileSync(path.join(dataFolder, 'state.db'));
      const refusal = async (bytes: Buffer | string) => {
        writeFileSync(at('b.db'), bytes);
        const { code, err } = await restore(at('b.db'), '--yes');
        expect(code).toBe(1);
        expect(readFileSync(path.join(dataFolder, 'state.db')).equals(state)).toBe(true);
        return err;
      };
      expect(await refusal(whole.subarray(0, whole.length - 3_000))).toMatch(/b\.db is damaged/);
      expect(await refusal('A letter. '.repeat(1_000))).toMatch(/b\.db is not a database/);
      expect(await refusal('')).toMatch(/b\.db is empty/);
      // A changed letter of a text, which SQLite does not notice.
      const changed = Buffer.from(whole);
      changed.write('X', changed.indexOf('Everyone on') + 1);
      expect(await refusal(changed)).toMatch(/does not match its digest/);
      writeFileSync(at('c.db'), whole);
      inFile(at('c.db'), (database) => {
        database.exec(
          "DROP TRIGGER IF EXISTS versions_only_rise; DROP TABLE backup_record; UPDATE schema_version SET version = 99 WHERE room = 'audit'",
        );
      });
      expect(await refusal(readFileSync(at('c.db')))).toMatch(/has upgraded .*b\.db/);
      rmSync(at('b.db'));
      expect((await restore(at('b.db'), '--yes')).err).toMatch(/does not exist/);
    },
  );

  it('replaces a damaged state, and keeps its files', async () => {
    expect((await backUp()).code).toBe(0);
    writeFileSync(path.join(dataFolder, 'state.db'), 'no database');
    const { code, out } = await restore(at('a.db'), '--yes');
    expect(code).toBe(0);
    expect(readFileSync(/kept as (.*)/.exec(out)?.[1] ?? '', 'utf8')).toBe('no database');
    await running();
    expect((await server!.login('admin', keptPassword)).token).not.toBe('');
  });

  it(
    'killed before any of its operations leaves the old state or the new one, and the next one succeeds',
    { timeout: 300_000 },
    async () => {
      expect((await backUp()).code).toBe(0);
      const state = path.join(dataFolder, 'state.db');
      const rename = (name: string) =>
        inFile(state, (database) => database.exec(`UPDATE security_group SET name = '${name}' WHERE id = 1`));
      const found = new Set<string>();
      let kills = 0;
      for (let operation = 1; ; operation += soakSize(9, 1)) {
        rename('old');
        const script = 'test/support/state/killedCommand.ts';
        const args = [String(operation), 'restore', '--data', dataFolder, '--from', at('a.db'), '--yes'];
        const { signal, err } = await runCommand(args, { script });
        const name = inFile(state, (database) => {
          expect(database.prepare('PRAGMA integrity_check').get()?.integrity_check).toBe('ok');
          return String(database.prepare('SELECT name FROM security_group WHERE id = 1').get()?.name);
        });
        found.add(name);
        if (signal === null) {
          expect(err).toBe('');
          expect(name).toBe('All Users');
          break;
        }
        kills += 1;
      }
      expect([...found].sort()).toEqual(['All Users', 'old']);
      expect(kills).toBeGreaterThan(5);
      expect(existsSync(path.join(dataFolder, 'state.restored.new'))).toBe(false);
    },
  );
});

describe('server.js check', () => {
  const check = (...more: string[]) => runCommand(['check', '--data', dataFolder, ...more]);
  const inState = (sql: string) => {
    // Its maker can also remove the seal.
    rmSync(path.join(dataFolder, 'state.seal'), { force: true });
    inFile(path.join(dataFolder, 'state.db'), (database) => database.exec(`PRAGMA foreign_keys = OFF; ${sql}`));
  };

  it('finds nothing in a whole state, while a server runs on it', async () => {
    const admin = await (await running()).login('admin', keptPassword);
    await saveGroup(admin, 'one');
    expect(await check()).toMatchObject({ code: 0, out: expect.stringContaining('Nothing is wrong') as unknown });
    expect((await check('--fix')).code).toBe(4);
    expect(readdirSync(path.join(dataFolder, 'backups')).filter((name) => name.startsWith('checked'))).toEqual([]);
  });

  it.each([
    ['taken out', "DELETE FROM audit_entry WHERE detail = 'created group two'", /: entry \d+ was taken out\./],
    ['taken out at the end', 'DELETE FROM audit_entry WHERE id = (SELECT max(id) FROM audit_entry)', /was taken out\./],
    [
      'taken out from the start',
      'DELETE FROM audit_entry WHERE id = (SELECT first_id FROM audit_head)',
      /was taken out\./,
    ],
    ['changed', "UPDATE audit_entry SET detail = 'x' WHERE detail = 'created group two'", /entry \d+ was changed\./],
    ['dated back', "UPDATE audit_entry SET moment = '2020' WHERE detail = 'created group two'", /was changed\./],
    [
      'exchanged',
      `CREATE TEMP TABLE two AS SELECT * FROM audit_entry WHERE detail IN ('created group one', 'created group two');
       UPDATE audit_entry SET (moment, detail, digest) = (SELECT moment, detail, digest FROM two WHERE two.id <> audit_entry.id)
       WHERE id IN (SELECT id FROM two)`,
      /was changed\./,
    ],
    [
      'added',
      `INSERT INTO audit_entry (moment, type_id, detail, digest) SELECT moment, type_id, 'created group four', digest
       FROM audit_entry ORDER BY id DESC LIMIT 1`,
      /was changed\./,
    ],
    [
      'cut off its end, with digests that match',
      `DELETE FROM audit_entry WHERE detail = 'created group three';
       UPDATE audit_head SET (entry_id, digest) = (SELECT id, digest FROM audit_entry ORDER BY id DESC LIMIT 1)`,
      /its end is not the one that the server recorded\./,
    ],
    ['without its head', 'DELETE FROM audit_head', /its head was taken out\./],
  ])('shows an audit trail with an entry %s', async (_how, sql, said) => {
    const admin = await (await running()).login('admin', keptPassword);
    for (const name of ['one', 'two', 'three']) await saveGroup(admin, name);
    await halted();
    inState(sql);
    const { code, out } = await check();
    expect(code).toBe(3);
    expect(out).toMatch(/audit trail was tampered with/);
    expect(out).toMatch(said);
  });

  it('does not know the end of an audit trail without the key, and accepts another key when asked', async () => {
    await running();
    await halted();
    const key = path.join(dataFolder, 'secret.key');
    rmSync(key);
    expect(await check()).toMatchObject({ code: 0, out: expect.stringMatching(/key .* is not known here/) as unknown });
    writeFileSync(key, Buffer.alloc(32, 8).toString('base64'), { mode: 0o600 });
    expect(await check()).toMatchObject({ code: 3, out: expect.stringMatching(/signed with another key/) as unknown });
    expect(await check('--fix')).toMatchObject({ code: 0, out: expect.stringContaining('Repaired: 1') as unknown });
    expect(await check()).toMatchObject({ code: 0 });
  });

  it('leaves the data of a newer release alone, as does a backup', async () => {
    inState(`DROP TRIGGER IF EXISTS versions_only_rise; DELETE FROM security_group WHERE id > 1;
      UPDATE schema_version SET version = 99 WHERE room = 'audit'`);
    const state = path.join(dataFolder, 'state.db');
    const before = readFileSync(state);
    for (const tried of [() => check(), () => check('--fix'), () => backUp()]) {
      const { code, err } = await tried();
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringContaining(`has upgraded ${state}, and this is`) as unknown,
      });
    }
    expect(readFileSync(state).equals(before)).toBe(true);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('removes relations to the deleted only when asked, and keeps the state before', async () => {
    inState('DELETE FROM security_group WHERE id > 1');
    const count = (file: string) =>
      inFile(file, (state) => state.prepare('SELECT count(*) AS count FROM membership').get()?.count);
    const before = count(path.join(dataFolder, 'state.db'));
    const looked = await check();
    expect(looked.code).toBe(3);
    expect(looked.out).toContain('run with --fix');
    expect(count(path.join(dataFolder, 'state.db'))).toBe(before);
    const { code, out } = await check('--fix');
    expect(code).toBe(0);
    expect(Number(count(path.join(dataFolder, 'state.db')))).toBeLessThan(Number(before));
    expect(count(/kept as (.*)/.exec(out)?.[1] ?? '')).toBe(before);
    expect((await check()).code).toBe(0);
  });
});
