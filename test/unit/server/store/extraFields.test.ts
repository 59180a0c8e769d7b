import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { identitySchema } from '../../../../src/server/identity/identitySchema.ts';
import { librarySchema } from '../../../../src/server/library/librarySchema.ts';
import { securitySchema } from '../../../../src/server/security/policies.ts';
import { insertDataTag, listDataTags } from '../../../../src/server/security/dataTags.ts';
import { allExtraFields, extraFieldsOf, writeExtraFields } from '../../../../src/server/store/extraFields.ts';
import { Store } from '../../../../src/server/store/store.ts';

const schemas = [identitySchema, securitySchema, librarySchema];

describe('fields that are only kept', () => {
  it('are none of what was stored before there were any', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'extra-'));
    const file = path.join(folder, 'state.db');
    const before = Store.open(
      file,
      schemas.map((schema) => ({ ...schema, steps: schema.steps.slice(0, 1) })),
    );
    const tag = "INSERT INTO data_tag (label, created, modified) VALUES ('old', '2026', '2026')";
    const { lastId } = before.run(tag);
    before.run("INSERT INTO data_tag_group (tag_id, group_id, value) VALUES (?, 1, 'v')", lastId);
    before.close();
    const store = Store.open(file, schemas);
    expect(listDataTags(store)).toMatchObject([{ label: 'old', groupValues: [{ value: 'v', extra: {} }] }]);
    expect(extraFieldsOf(store, 'user', '1')).toEqual({});
    store.close();
    rmSync(folder, { recursive: true });
  });

  it('belong to one object, and go with it', () => {
    const store = Store.open(':memory:', schemas);
    const [one, other] = [insertDataTag(store, { label: 'one' }), insertDataTag(store, { label: 'other' })];
    writeExtraFields(store, 'data_tag', one, { note: 'kept', list: [1] });
    expect(extraFieldsOf(store, 'data_tag', one)).toMatchObject({ note: 'kept', list: [1] });
    expect(extraFieldsOf(store, 'data_tag', other)).toEqual({});
    expect([...allExtraFields(store, 'data_tag').keys()]).toEqual([one]);
    store.run('DELETE FROM data_tag WHERE id = ?', one);
    expect(extraFieldsOf(store, 'data_tag', one)).toEqual({});
    store.close();
  });
});
