import { expect, it } from 'vitest';
import { freshRows, newUsers } from '../../../../src/features/userImport/importRows.ts';
import type { UserRow } from '../../../../src/features/userImport/userCsv.ts';

const row = (loginName: string, more: Partial<UserRow> = {}): UserRow => ({
  ...{ line: 2, loginName, firstName: '', lastName: '', email: '', company: 'Acme', description: '', password: 'x' },
  ...{ tags: ['NC', '', '', ''], memberships: [], problems: [] },
  ...more,
});

it('counts with the users that can be created, in the groups of their rows', () => {
  const memberships = [
    { groupName: 'North', roleId: '2' },
    { groupName: 'Unknown', roleId: '2' },
  ];
  const rows = freshRows([
    row('nora', { memberships }),
    row('omar', { problems: [{ kind: 'onServer', text: 'omar' }] }),
  ]);
  expect(newUsers(rows, { groupIds: new Map([['north', '10']]) })).toMatchObject([
    {
      fields: { LoginName: 'nora', Company: 'Acme', Tag1: 'NC' },
      groups: [{ GroupId: '10', GroupName: 'North', GroupRoles: [{ RoleId: '2' }] }],
    },
  ]);
});
