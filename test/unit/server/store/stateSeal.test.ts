import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Store } from '../../../../src/server/store/store.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'analytics-seal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('says that a state could not be sealed, and closes it', async () => {
  const file = path.join(folder, 'state.db');
  const schemas = [{ room: 'one', steps: ['CREATE TABLE one (id INTEGER PRIMARY KEY)'] }];
  // Something else has the name that a seal is written under.
  mkdirSync(path.join(folder, 'state.seal.new'));
  const warned = once(process, 'warning');
  Store.open(file, schemas).close();
  const [warning] = (await warned) as [Error];
  expect(warning.message).toContain(`${path.join(folder, 'state.seal')} cannot be written (EISDIR)`);
  expect(existsSync(path.join(folder, 'state.seal'))).toBe(false);
  Store.open(file, schemas).close();
});
