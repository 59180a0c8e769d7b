import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Store } from '../../../../src/server/store/store.ts';
import { soakSize } from '../../../support/run/soakSize.ts';
import { openAsRelease010 } from '../../../support/state/release010.ts';
import { earlierShelf, laterShelf } from '../../../support/state/shelf.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'analytics-migrations-'));
  file = path.join(folder, 'state.db');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A state of the earlier release in `at`; with `isKilled` as a server leaves it that was killed, its last commits in the journal. */
function makeEarlier(at = file, isKilled = false): void {
  const scratch = mkdtempSync(path.join(tmpdir(), 'analytics-earlier-'));
  const from = path.join(scratch, 'state.db');
  const store = Store.open(from, earlierShelf, '9.0.0');
  for (const title of ['Ümlaut', "it's", '']) store.run('INSERT INTO book (title) VALUES (?)', title);
  store.run("INSERT INTO reader (name) VALUES ('first')");
  if (!isKilled) store.close();
  for (const end of isKilled ? ['', '-wal'] : ['']) copyFileSync(`${from}${end}`, `${at}${end}`);
  if (isKilled) store.close();
  rmSync(scratch, { recursive: true });
}

/** Digest of every file below the folder, by name, with rights and time of the last change. */
function everyFile(): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return Object.fromEntries(
    names.map((name) => {
      const at = path.join(folder, name);
      const { mode, mtimeMs } = statSync(at);
      const digest = statSync(at).isDirectory() ? '' : createHash('sha256').update(readFileSync(at)).digest('hex');
      return [name, `${mode} ${mtimeMs} ${digest}`];
    }),
  );
}

function rowsOf(database: string, sql: string): unknown[] {
  const opened = new DatabaseSync(database, { readOnly: true });
  try {
    return opened
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  } finally {
    opened.close();
  }
}

const upgraded = [
  ['Ümlaut!', 1],
  ["it's!", 1],
  ['!', 1],
];
const allVersions = 'SELECT room, version FROM schema_version ORDER BY room';

describe('a state of a newer release', () => {
  it.each([false, true])('is refused, and not a byte is changed (killed: %s)', (isKilled) => {
    makeEarlier(file, isKilled);
    const newer = Store.open(file, laterShelf, '9.1.0');
    newer.run("INSERT INTO reader (name) VALUES ('later')");
    if (isKilled) {
      // As a kill leaves it: what the newer release committed is in the journal only.
      for (const end of ['', '-wal']) copyFileSync(`${file}${end}`, path.join(folder, `kept${end}`));
      newer.close();
      for (const end of ['', '-wal']) copyFileSync(path.join(folder, `kept${end}`), `${file}${end}`);
    } else newer.close();
    const before = everyFile();
    for (const schemas of [
      earlierShelf,
      laterShelf.slice(0, 2),
      [...laterShelf.slice(1), ...earlierShelf.slice(0, 1)],
    ]) {
      const refused = () => Store.open(file, schemas, '9.0.0');
      expect(refused).toThrow(`Release 9.1.0 has upgraded ${file}, and this is release 9.0.0`);
      expect(refused).toThrow(`restore --data ${folder} --from ${path.join(folder, 'backups', 'before-9.1.0.db')}`);
    }
    expect(everyFile()).toEqual(before);
    const again = Store.open(file, laterShelf, '9.1.0');
    expect(again.all('SELECT name FROM reader').map(({ name }) => name)).toEqual(['first', 'everyone', 'later']);
    again.close();
  });

  it('offers no copy where there is none', () => {
    Store.open(file, laterShelf, '9.1.0').close();
    expect(() => Store.open(file, earlierShelf, '9.0.0')).toThrow(/Install release 9\.1\.0 or later\.$/);
  });

  it.each([{ schemas: earlierShelf }, { schemas: laterShelf }])('stops release 0.1.0 with a reason', ({ schemas }) => {
    makeEarlier();
    Store.open(file, laterShelf, '9.1.0').close();
    const before = everyFile();
    expect(() => openAsRelease010(file, schemas)).toThrow(
      'Release 9.1.0 has upgraded this data, which an earlier release cannot read. Nothing was changed.',
    );
    const digest = (files: Record<string, string>) => files['state.db']?.split(' ')[2];
    expect(digest(everyFile())).toBe(digest(before));
  });

  it('is given back to release 0.1.0 by the copy', () => {
    openAsRelease010(file, earlierShelf);
    Store.open(file, laterShelf, '9.1.0').close();
    copyFileSync(path.join(folder, 'backups', 'before-9.1.0.db'), file);
    openAsRelease010(file, earlierShelf);
    expect(rowsOf(file, allVersions)).toEqual([
      ['reader', 1],
      ['shelf', 1],
    ]);
  });

  it('is not mistaken for a database of something else', () => {
    new DatabaseSync(file).exec('CREATE TABLE other (id INTEGER)');
    const before = everyFile();
    expect(() => Store.open(file, earlierShelf)).toThrow(`${file} is a database, but not the state of this server`);
    expect(everyFile()).toEqual(before);
  });
});

describe('an upgrade', () => {
  const copy = () => path.join(folder, 'backups', 'before-9.1.0.db');

  it('makes a checked copy first that only its owner reads, and keeps the last three', () => {
    makeEarlier();
    mkdirSync(path.join(folder, 'backups'));
    const old = ['before-8.0.0.db', 'before-8.2.0.db', 'before-8.1.0.db', 'note.txt', 'before-8.0.0.db.new'];
    old.forEach((name, index) => {
      const at = path.join(folder, 'backups', name);
      writeFileSync(at, name);
      utimesSync(at, 1_000 + index, 1_000 + index);
    });
    Store.open(file, laterShelf, '9.1.0').close();
    expect(readdirSync(path.join(folder, 'backups')).sort()).toEqual(
      ['before-8.1.0.db', 'before-8.2.0.db', 'before-9.1.0.db', 'note.txt'].sort(),
    );
    expect(statSync(copy()).mode & 0o777).toBe(0o600);
    expect(rowsOf(copy(), 'SELECT title FROM book ORDER BY id')).toEqual([['Ümlaut'], ["it's"], ['']]);
    expect(rowsOf(file, 'SELECT release FROM migration ORDER BY id')).toEqual([['9.0.0'], ['9.1.0']]);
  });

  it('copies nothing where there is nothing to do: a new folder, and each further start', () => {
    for (let opened = 0; opened < 2; opened += 1) Store.open(file, laterShelf, '9.1.0').close();
    Store.open(file, laterShelf, '9.2.0').close();
    expect(readdirSync(folder)).toEqual(['state.db', 'state.seal']);
  });

  it('is not begun without a copy', () => {
    makeEarlier();
    writeFileSync(path.join(folder, 'backups'), 'a file where the folder should be');
    const before = everyFile();
    expect(() => Store.open(file, laterShelf, '9.1.0')).toThrow(
      /was not upgraded to release 9\.1\.0.*Nothing was changed/,
    );
    expect(everyFile()).toEqual(before);
  });

  it('does all rooms or none: a step that fails takes the others back', () => {
    makeEarlier();
    const failing = [...laterShelf, { room: 'broken', steps: ['CREATE TABLE loan (id INTEGER)'] }];
    expect(() => Store.open(file, failing, '9.1.0')).toThrow('loan already exists');
    expect(rowsOf(file, allVersions)).toEqual([
      ['reader', 1],
      ['shelf', 1],
    ]);
    Store.open(file, laterShelf, '9.1.1').close();
    expect(rowsOf(file, 'SELECT title, pages FROM book ORDER BY id')).toEqual(upgraded);
  });

  it.each([false, true])(
    'that is killed before any of its operations starts again whole (hot journal: %s)',
    async (isKilled) => {
      const script = path.resolve(import.meta.dirname, '../../../support/state/killedUpgrade.ts');
      let killed = 0;
      for (let operation = 1; ; operation += soakSize(3, 1)) {
        rmSync(folder, { recursive: true });
        mkdirSync(folder);
        makeEarlier(file, isKilled);
        const child = spawn(process.execPath, [script, file, String(operation)], {
          stdio: ['ignore', 'ignore', 'inherit'],
        });
        const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
        if (code === 0) break;
        expect(signal).toBe('SIGKILL');
        killed += 1;
        // What the killed one left is the earlier state or the later one, and the server starts on it.
        const store = Store.open(file, laterShelf, '9.1.0');
        expect(store.all('SELECT title, pages FROM book ORDER BY id').map((row) => Object.values(row))).toEqual(
          upgraded,
        );
        expect(store.all('SELECT name FROM reader').map(({ name }) => name)).toEqual(['first', 'everyone']);
        expect(store.all('SELECT release FROM migration').map(({ release }) => release)).toEqual(['9.0.0', '9.1.0']);
        expect(store.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
        store.close();
        expect(rowsOf(copy(), 'SELECT title FROM book ORDER BY id')).toEqual([['Ümlaut'], ["it's"], ['']]);
      }
      expect(killed).toBeGreaterThan(soakSize(8, 25));
    },
    900_000,
  );
});
