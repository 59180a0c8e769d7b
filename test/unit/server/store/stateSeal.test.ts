import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDraft, finishBackup } from '../../../../src/server/backups/backupFile.ts';
import { stateSchemas } from '../../../../src/server/schemas.ts';
import { checkState } from '../../../../src/server/store/stateVersions.ts';
import { Store } from '../../../../src/server/store/store.ts';
import { waitFor } from '../../../support/waitFor.ts';

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

describe('the journal that a killed server left', () => {
  const at = (...names: string[]) => path.join(folder, ...names);
  const tag = (store: Store, label: string) =>
    store.run("INSERT INTO audit_entry (moment, type_id, detail) VALUES ('2026', 1, ?)", label);

  /** The folder of a server that was killed after it made a backup, beside that backup and the state of the run before. */
  async function leaveJournal(): Promise<void> {
    mkdirSync(at('data'));
    Store.open(at('data', 'state.db'), stateSchemas).close();
    copyFileSync(at('data', 'state.db'), at('before.db'));
    const store = Store.open(at('data', 'state.db'), stateSchemas);
    store.mark();
    tag(store, 'before the backup');
    const draft = createDraft(at('backup.db'));
    await store.copyTo(draft, () => undefined);
    finishBackup(draft, at('backup.db'), { release: '0.2.0', moment: new Date() });
    tag(store, 'after the backup');
    const isNoted = () =>
      Promise.resolve(
        existsSync(at('data', 'state.seal')) && readFileSync(at('data', 'state.seal'), 'utf8').includes('journalBytes'),
      );
    await waitFor('the length of the journal', isNoted);
    cpSync(at('data'), at('killed'), { recursive: true });
    store.close();
  }

  it.each(['before.db', 'backup.db'])('is not read into %s that is put beside it', async (name) => {
    await leaveJournal();
    const state = at('killed', 'state.db');
    expect(() => checkState(state)).not.toThrow();
    copyFileSync(at(name), state);
    expect(() => checkState(state)).toThrow(
      `${state} was replaced or damaged while its journal ${state}-wal was left. If you replaced it yourself, delete ` +
        `${state}-wal and ${at('killed', 'state.seal')} and start again. Nothing was changed.`,
    );
    for (const file of [`${state}-wal`, at('killed', 'state.seal')]) rmSync(file);
    const store = Store.open(state, stateSchemas);
    expect(store.all('SELECT detail FROM audit_entry').map(({ detail }) => detail)).toEqual(
      name === 'backup.db' ? ['before the backup'] : [],
    );
    store.close();
  });
});
