import { expect, it } from 'vitest';
import { importing } from '../../../../src/features/userImport/importEffect.ts';
import type { ImportRow } from '../../../../src/features/userImport/importRows.ts';

const row = (
  loginName: string,
  more: Partial<ImportRow> = {},
  problems: ImportRow['row']['problems'] = [],
): ImportRow => ({
  ...{ status: 'ready', userId: '', reason: '' },
  row: {
    ...{ line: 2, loginName, firstName: '', lastName: 'L', email: '', company: 'Acme', description: '', password: '' },
    tags: ['NC', '', '', ''],
    memberships: [
      { groupName: 'North', roleId: '2' },
      { groupName: 'Unknown', roleId: '2' },
    ],
    problems,
  },
  ...more,
});

it('counts with the users that will be created, and with the groups that existing ones will join', () => {
  const rows = [
    row('nora'),
    row('omar', { status: 'invalid' }, [{ kind: 'onServer', text: 'omar' }]),
    row('ole', { status: 'failed' }),
    row('ina', { status: 'partial', userId: '5' }),
    row('eva', { status: 'created', userId: '6' }),
  ];
  const lists = { users: [{ ID: '5', LoginName: 'ina' }], tags: [], policies: [], grantsAllUsers: true };
  const { users } = importing(rows, { groupIds: new Map([['north', '10']]) })(lists);
  const SecurityGroups = [{ GroupId: '10', GroupName: 'North', GroupRoles: [{ RoleId: '2' }] }];
  expect(users).toMatchObject([
    { ID: '5', LoginName: 'ina', SecurityGroups },
    { LoginName: 'nora', Company: 'Acme', Tag1: 'NC', SecurityGroups },
    { LoginName: 'ole', SecurityGroups },
  ]);
  expect(users).toHaveLength(3);
});

it('takes a user who is there by now for the one of a row that was cut off', () => {
  const lists = { users: [{ ID: '7', LoginName: 'Nora' }], tags: [], policies: [], grantsAllUsers: true };
  const rows = [row('nora', { status: 'notTried' })];
  const { users } = importing(rows, { groupIds: new Map([['north', '10']]) })(lists);
  expect(users).toEqual([
    {
      ID: '7',
      LoginName: 'Nora',
      SecurityGroups: [{ GroupId: '10', GroupName: 'North', GroupRoles: [{ RoleId: '2' }] }],
    },
  ]);
});
