import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { growJournal, Store } from '../../../../src/server/store/store.ts';

const schema = { room: 'notes', steps: ['CREATE TABLE note (text TEXT NOT NULL)'] };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'journal-'));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (name: string) => path.join(folder, name);
const sizeOf = async (name: string) => (await stat(at(name))).size;
const notes = (store: Store) => store.all('SELECT text FROM note ORDER BY rowid').map(({ text }) => text);

/** The files as a server leaves them that is killed now. */
async function killed(name: string): Promise<string> {
  for (const end of ['', '-wal']) await copyFile(at(`state.db${end}`), at(`${name}.db${end}`));
  return `${name}.db`;
}

describe('the journal of the state', () => {
  it('has its room from the start and keeps it', async () => {
    const store = Store.open(at('state.db'), [schema]);
    const length = await sizeOf('state.db-wal');
    expect(length).toBeGreaterThan(4_000_000);
    const long = 'x'.repeat(300_000);
    for (let count = 0; count < 30; count += 1) {
      store.run('DELETE FROM note');
      store.run('INSERT INTO note (text) VALUES (?)', long);
    }
    // Twice its length has been written; the last commit before it begins anew may go beyond.
    expect(await sizeOf('state.db-wal')).toBeLessThan(length + 700_000);
    store.close();
  });

  it('is read to its last commit, and no further, after a kill', async () => {
    const store = Store.open(at('state.db'), [schema]);
    const texts: string[] = [];
    for (let count = 0; count < 50; count += 1) {
      texts.push(`note ${count}`);
      store.run('INSERT INTO note (text) VALUES (?)', `note ${count}`);
      if (count % 10 !== 3) continue;
      const after = Store.open(at(await killed(`kill ${count}`)), [schema]);
      expect(notes(after)).toEqual(texts);
      expect(after.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
      after.close();
    }
    store.close();
  });

  it('goes on where it ended when the server that was killed starts again', async () => {
    const store = Store.open(at('state.db'), [schema]);
    store.run("INSERT INTO note (text) VALUES ('before')");
    const name = await killed('again');
    const again = Store.open(at(name), [schema]);
    again.run("INSERT INTO note (text) VALUES ('after')");
    for (const end of ['', '-wal']) await copyFile(at(`${name}${end}`), at(`third.db${end}`));
    const third = Store.open(at('third.db'), [schema]);
    expect(notes(third)).toEqual(['before', 'after']);
    for (const each of [store, again, third]) each.close();
  });

  it('is none to grow where SQLite keeps none', async () => {
    growJournal(at('none.db-wal'), 1_000);
    await expect(stat(at('none.db-wal'))).rejects.toThrow('ENOENT');
  });

  it('is left alone where it is long enough', async () => {
    const store = Store.open(at('state.db'), [schema]);
    const length = await sizeOf('state.db-wal');
    growJournal(at('state.db-wal'), length - 1);
    expect(await sizeOf('state.db-wal')).toBe(length);
    store.close();
  });
});
