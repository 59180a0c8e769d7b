import { copyFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { examineState, repairState } from '../../../../src/server/backups/examineState.ts';
import { stateSchemas } from '../../../../src/server/schemas.ts';
import { AuditProofs } from '../../../../src/server/store/auditProofs.ts';
import { signAuditTrail } from '../../../../src/server/store/auditTrail.ts';
import { Store } from '../../../../src/server/store/store.ts';
import { folderWithState, keptKey, keptState } from '../../../support/state/keptState.ts';

const proofs = new AuditProofs(keptKey);
let folder: string;
let database: DatabaseSync;
beforeEach(() => {
  folder = folderWithState(keptState('0.1.0'));
  const file = path.join(folder, 'state.db');
  const store = Store.open(file, stateSchemas);
  signAuditTrail(store, proofs, false);
  store.close();
  copyFileSync(file, path.join(folder, 'copy.db'));
  database = new DatabaseSync(path.join(folder, 'copy.db'), { enableForeignKeyConstraints: false });
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

const texts = () => examineState(database, proofs).map(({ kind, text }) => `${kind}: ${text}`);

it('finds nothing in a state with all kinds of objects', () => {
  expect(texts()).toEqual([]);
});

it('finds and removes relations to what does not exist, and no object', () => {
  database.exec(`
    DELETE FROM user WHERE login_name = 'hostile.user';
    DELETE FROM security_group WHERE id > 1;
    DELETE FROM application WHERE id = (SELECT max(id) FROM application);`);
  const found = texts();
  expect(found).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^relation: Rows in membership that refer to a missing user: \d+$/) as unknown,
    ]),
  );
  expect(found).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/Rows in membership that refer to a missing security group/) as unknown,
    ]),
  );
  expect(found).toEqual(
    expect.arrayContaining([expect.stringMatching(/Rows in item that refer to a missing application/) as unknown]),
  );
  expect(found).toEqual(
    expect.arrayContaining([expect.stringMatching(/policy: .*application "2", which does not exist/) as unknown]),
  );
  const objects = () =>
    ['user', 'security_group', 'policy', 'item', 'folder', 'data_tag', 'report_type', 'registered_server'].map(
      (table) => database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.count,
    );
  const before = objects();
  const findings = examineState(database, proofs);
  const repaired = repairState(database, findings);
  expect(repaired).toBeGreaterThan(4);
  expect(objects()).toEqual(before);
  const left = examineState(database, proofs);
  expect(left).toEqual(findings.filter(({ repair }) => repair === undefined));
  expect(left.some(({ text }) => text.includes('membership'))).toBe(false);
});

it('finds policies that name a missing table or tag, and tags that no policy uses', () => {
  const set = (pathInJson: string, value: string) =>
    database
      .prepare(`UPDATE policy SET constraints = json_set(constraints, ?, ?) WHERE name LIKE '%DROP TABLE%'`)
      .run(pathInJson, value);
  set('$[0].TableName', 'gone "table"');
  expect(texts()).toEqual([
    expect.stringMatching(/^policy: Policy "Ω .* restricts table "gone \\"table\\"", which no/),
  ]);
  set('$[0].TableName', 'SALES');
  expect(texts()).toEqual([]);
  set('$[0].Value', '/#no such tag#/');
  expect(texts()).toEqual([
    expect.stringMatching(/uses tag "no such tag", which does not exist: its users see no rows/),
    'note: Tag "hostile tag" is used by no policy',
  ]);
  database.exec("UPDATE policy SET constraints = '[{' WHERE id = 1");
  expect(texts()).toEqual(
    expect.arrayContaining([expect.stringMatching(/cannot be read: its users see no rows/) as unknown]),
  );
});
