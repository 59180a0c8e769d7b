import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { flagOf, idOf, idOrNull, textOf, textOrNull } from '../../../../src/server/store/columns.ts';
import { readSettings, settingsSchema, storedSettings, writeSettings } from '../../../../src/server/store/settings.ts';
import { NumberTooLarge, Store } from '../../../../src/server/store/store.ts';

const shelf = { room: 'shelf', steps: ['CREATE TABLE book (id INTEGER PRIMARY KEY, title TEXT NOT NULL)'] };

describe('Store', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-store-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const titles = (store: Store) => store.all('SELECT title FROM book ORDER BY id').map((row) => row.title);

  it('keeps what a transaction did, or nothing of it', () => {
    const store = Store.open(':memory:', [shelf]);
    store.transaction(() => store.run('INSERT INTO book (title) VALUES (?)', 'kept'));
    const failing = () =>
      store.transaction(() => {
        store.run('INSERT INTO book (title) VALUES (?)', 'lost');
        store.transaction(() => store.run('INSERT INTO book (title) VALUES (?)', 'lost too'));
        throw new Error('on purpose');
      });
    expect(failing).toThrow('on purpose');
    expect(titles(store)).toEqual(['kept']);
    store.close();
  });

  it('counts changes of tables, those that a reference brings about included', () => {
    const steps = [
      `CREATE TABLE parent (id INTEGER PRIMARY KEY);
      CREATE TABLE child (parent INTEGER REFERENCES parent (id) ON DELETE CASCADE);
      CREATE TABLE other (id INTEGER)`,
    ];
    const store = Store.open(':memory:', [{ room: 'family', steps }]);
    const [changes, same] = [store.countChanges(['child']), store.countChanges(['child'])];
    let before = changes();
    const moved = () => {
      const isMoved = changes() !== before && changes() === same();
      before = changes();
      return isMoved;
    };
    store.run('INSERT INTO parent (id) VALUES (1)');
    store.run('INSERT INTO other (id) VALUES (1)');
    expect(moved()).toBe(false);
    store.run('INSERT INTO child (parent) VALUES (1)');
    expect(moved()).toBe(true);
    store.run('UPDATE child SET parent = 1');
    expect(moved()).toBe(true);
    store.run('DELETE FROM parent');
    expect(moved()).toBe(true);
    store.close();
  });

  it('takes no number that it could not give back', () => {
    const store = Store.open(':memory:', [shelf]);
    for (const id of [2 ** 53, -(2 ** 53), 1e300]) {
      expect(() => store.run('INSERT INTO book (id, title) VALUES (?, ?)', id, 'lost')).toThrow(NumberTooLarge);
    }
    store.run('INSERT INTO book (id, title) VALUES (?, ?)', Number.MAX_SAFE_INTEGER, 'kept');
    expect(titles(store)).toEqual(['kept']);
    store.close();
  });

  it('brings an older database up to date, step by step, once', () => {
    const file = path.join(folder, 'state.db');
    const first = Store.open(file, [shelf]);
    first.run('INSERT INTO book (title) VALUES (?)', 'old');
    first.close();
    const steps = [...shelf.steps, `ALTER TABLE book ADD COLUMN pages INTEGER NOT NULL DEFAULT 1`];
    for (let opened = 0; opened < 2; opened += 1) {
      const store = Store.open(file, [{ ...shelf, steps }]);
      expect(store.get('SELECT title, pages FROM book')).toMatchObject({ title: 'old', pages: 1 });
      store.close();
    }
  });

  it('lets only its owner read the file, and enforces references', async () => {
    const file = path.join(folder, 'state.db');
    const child = {
      room: 'child',
      steps: ['CREATE TABLE page (book_id INTEGER NOT NULL REFERENCES book (id) ON DELETE CASCADE)'],
    };
    const store = Store.open(file, [shelf, child]);
    expect((await stat(file)).mode & 0o077).toBe(0);
    expect(() => store.run('INSERT INTO page (book_id) VALUES (7)')).toThrow('FOREIGN KEY');
    store.close();
  });

  it('commits durably: synchronous is FULL in WAL mode, and nobody else opens it', () => {
    const store = Store.open(path.join(folder, 'state.db'), []);
    expect(store.get('PRAGMA synchronous')).toMatchObject({ synchronous: 2 });
    expect(store.get('PRAGMA journal_mode')).toMatchObject({ journal_mode: 'wal' });
    expect(store.get('PRAGMA locking_mode')).toMatchObject({ locking_mode: 'exclusive' });
    const other = new DatabaseSync(path.join(folder, 'state.db'), { timeout: 0 });
    expect(() => other.prepare('SELECT count(*) FROM sqlite_schema').get()).toThrow('locked');
    other.close();
    store.close();
  });
});

describe('columns', () => {
  it('are read as what they hold and nothing else', () => {
    const row = { id: 7, name: 'x', none: null, yes: 1 };
    expect([idOf(row, 'id'), textOf(row, 'name'), textOrNull(row, 'none'), flagOf(row, 'yes')]).toEqual([
      '7',
      'x',
      null,
      true,
    ]);
    expect(idOrNull(row, 'none')).toBeNull();
    expect(() => textOf(row, 'id')).toThrow('Column id');
    expect(() => textOf(row, 'absent')).toThrow('Column absent');
    expect(() => idOf(row, 'name')).toThrow('Column name');
  });
});

describe('settings', () => {
  it('are the defaults until they are written, then what was written', () => {
    const store = Store.open(':memory:', [settingsSchema]);
    expect(readSettings(store)).toEqual(storedSettings.parse({}));
    writeSettings(store, { ...readSettings(store), SESSION_TIMEOUT: 5 });
    expect(readSettings(store).SESSION_TIMEOUT).toBe(5);
    const failing = () =>
      store.transaction(() => {
        writeSettings(store, { ...readSettings(store), SESSION_TIMEOUT: 9 });
        throw new Error('on purpose');
      });
    expect(failing).toThrow('on purpose');
    expect(readSettings(store).SESSION_TIMEOUT).toBe(5);
    store.close();
  });
});
