import { describe, expect, it } from 'vitest';
import { settingsKind } from '../../../../src/objects/kinds/administrationKinds.ts';
import { folderKind } from '../../../../src/objects/kinds/libraryKinds.ts';
import { dataTagKind, policyKind } from '../../../../src/objects/kinds/securityKinds.ts';
import { riskyChanges } from '../../../../src/objects/save/riskyChanges.ts';

describe('risky changes', () => {
  const base = { TENANT_MODE_ENABLED: 'False', SSOEnabled: 'False', enforcestrongpassword: 'True', MaxRecords: 5_000 };

  it('are those of settings that decide who gets in or what everybody sees', () => {
    const mine = { ...base, TENANT_MODE_ENABLED: 'True', MaxRecords: 10 };
    expect(riskyChanges(settingsKind, base, mine)).toEqual([
      {
        field: 'TENANT_MODE_ENABLED',
        before: 'False',
        now: 'True',
        meaning: 'Separates tenants on one server: removes Builders and Architects from every group except All Users.',
      },
    ]);
  });

  it('say of a field that the server does not act on that nothing follows', () => {
    const base = { mfa_enabled: 'False', SSOEnabled: 'False', InactiveSettings: ['mfa_enabled'] };
    const mine = { ...base, mfa_enabled: 'True', SSOEnabled: 'True' };
    const meanings = riskyChanges(settingsKind, base, mine).map(({ field, meaning }) => [field, meaning]);
    expect(Object.fromEntries(meanings)).toEqual({
      mfa_enabled: 'The server stores this value but does not apply it.',
      SSOEnabled: expect.stringMatching(/sign/i) as string,
    });
  });

  it('count where such a setting is left out: a server does not keep what it is not sent', () => {
    const { enforcestrongpassword: _left, ...mine } = base;
    expect(riskyChanges(settingsKind, base, mine)).toMatchObject([{ field: 'enforcestrongpassword', now: null }]);
  });

  it('are none without a change, without what there was before, and in objects that have none', () => {
    expect(riskyChanges(settingsKind, base, { ...base, MaxRecords: 10 })).toEqual([]);
    expect(riskyChanges(settingsKind, {}, base)).toEqual([]);
    expect(riskyChanges(dataTagKind, { DefaultValue: 'a' }, { DefaultValue: 'b' })).toEqual([]);
  });

  it('are lists that restrict and become empty: an empty one lets everybody in', () => {
    const open = { Permissions: [{ RightID: '1' }, { RightID: '2' }] };
    expect(riskyChanges(folderKind, open, { Permissions: [] })).toMatchObject([{ field: 'Permissions', now: [] }]);
    expect(riskyChanges(folderKind, open, {})).toMatchObject([{ field: 'Permissions', now: null }]);
    expect(riskyChanges(folderKind, open, { Permissions: [{ RightID: '2' }] })).toEqual([]);
    expect(riskyChanges(folderKind, { Permissions: [] }, open)).toEqual([]);
    const policy = { Constraints: [{ ColumnName: 'state' }], Groups: [{ GroupId: '1' }], Users: [] };
    const emptied = { Constraints: [], Groups: [], Users: [] };
    expect(riskyChanges(policyKind, policy, emptied).map(({ field }) => field)).toEqual(['Constraints', 'Groups']);
  });

  it('are a policy that is switched off, not one that is switched on', () => {
    const [on, off] = [{ isActive: true }, { isActive: false }];
    expect(riskyChanges(policyKind, on, off)).toMatchObject([{ field: 'isActive', before: true, now: false }]);
    expect(riskyChanges(policyKind, on, {})).toMatchObject([{ field: 'isActive', now: null }]);
    expect(riskyChanges(policyKind, off, on)).toEqual([]);
  });

  it('are lists that the server returned as null, and a save must send', () => {
    const base = { Description: 'a', Constraints: [], Groups: [], Users: null };
    const changes = riskyChanges(policyKind, base, { ...base, Description: 'b' });
    expect(changes).toMatchObject([{ field: 'Users', before: null, now: [] }]);
    expect(changes[0]?.meaning).toContain('they are removed');
    expect(riskyChanges(policyKind, base, { ...base, Users: [{ ID: '1' }] })).toEqual([]);
  });
});
