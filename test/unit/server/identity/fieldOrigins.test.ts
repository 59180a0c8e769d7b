import { expect, it } from 'vitest';
import { selfSetFields, uncertainValues } from '../../../../src/server/identity/fieldOrigins.ts';
import { adminUserId, identitySchema } from '../../../../src/server/identity/identitySchema.ts';
import { findUser, insertUser, listUsers } from '../../../../src/server/identity/users.ts';
import { insertPolicy, findPolicy, securitySchema } from '../../../../src/server/security/policies.ts';
import { policyConstraint } from '../../../../src/server/security/policyConstraint.ts';
import { uncertainReaders } from '../../../../src/server/security/policyHandlers.ts';
import { settingsSchema } from '../../../../src/server/store/settings.ts';
import { Store } from '../../../../src/server/store/store.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

it('values that are older than the record of who set them count as the administrator’s, and are told of', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'origins-'));
  try {
    const file = path.join(folder, 'state.db');
    const older = { ...identitySchema, steps: identitySchema.steps.slice(0, 2) };
    const before = Store.open(file, [settingsSchema, older, securitySchema]);
    before.run(
      `INSERT INTO user (login_name, company, created, modified) VALUES ('ann', 'North', '', ''), ('bob', '', '', '')`,
    );
    before.close();

    const store = Store.open(file, [settingsSchema, identitySchema, securitySchema]);
    insertUser(store, { loginName: 'cyd', company: 'South' });
    const users = listUsers(store);
    expect(users.map(selfSetFields)).toEqual(users.map(() => []));
    expect(uncertainValues(users, 'company')).toEqual({ field: 'company', selfSet: [], unknown: ['ann'] });
    expect(findUser(store, adminUserId)?.fieldOrigins).toEqual({});
    const constraints = [
      policyConstraint.parse({ TableName: 't', ColumnName: 'c', Operator: '=', Value: '/#Company#/' }),
    ];
    const warningsFor = (change: object) => {
      const policy = { name: 'p', description: '', isActive: false, constraints, groupIds: [], userIds: [], ...change };
      const saved = findPolicy(store, insertPolicy(store, policy));
      if (!saved) throw new Error('The policy was just saved');
      return uncertainReaders(store, saved);
    };
    const annId = users.find(({ loginName }) => loginName === 'ann')?.id ?? '';
    for (const whom of [{}, { groupIds: ['1'], userIds: [annId] }, { userIds: [annId] }]) {
      expect(warningsFor(whom)).toEqual([expect.stringMatching(/^Company of 1 user \(ann\) was set before /)]);
    }
    expect(warningsFor({ userIds: [adminUserId] })).toEqual([]);
    expect(warningsFor({ constraints: [] })).toEqual([]);
    store.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});
