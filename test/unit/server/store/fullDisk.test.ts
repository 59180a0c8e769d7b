import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { explainDiskError } from '../../../../src/server/store/fullDisk.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'analytics-disk-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('Nothing was thrown');
}

it('names the folder of a database that cannot be opened, and what to check', () => {
  const error = thrownBy(() => new DatabaseSync(path.join(folder, 'missing', 'state.db')));
  expect(String(explainDiskError(error, [folder]))).toBe(
    `Error: The data of ${folder} cannot be used (unable to open database file). ` +
      'Check its disk, and that its files belong to the user who runs the server.',
  );
});

it('names the folder of a database that cannot be written to', () => {
  const file = path.join(folder, 'state.db');
  new DatabaseSync(file).close();
  const database = new DatabaseSync(file, { readOnly: true });
  const error = thrownBy(() => database.exec('CREATE TABLE one (a)'));
  database.close();
  expect(String(explainDiskError(error, [folder]))).toContain(`${folder} cannot be used (it is read-only)`);
});

it('leaves errors alone that have another cause', () => {
  const database = new DatabaseSync(':memory:');
  const wrong = thrownBy(() => database.exec('no SQL'));
  database.close();
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' });
  for (const error of [wrong, missing, new Error('other'), undefined]) {
    expect(explainDiskError(error, [folder])).toBe(error);
  }
});
