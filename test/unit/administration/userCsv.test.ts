import { describe, expect, it } from 'vitest';
import { readUserCsv, UserFileError } from '../../../src/administration/userCsv.ts';

const known = { logins: new Set(['admin']), groups: new Set(['north', 'all users']) };
const kindsOf = (text: string) => readUserCsv(text, known).rows.map(({ problems }) => problems.map(({ kind }) => kind));

describe('a file of users', () => {
  it('is read whatever parts its values, with quotes, line breaks in values and a byte order mark', () => {
    const text =
      '\uFEFFLogin Name;First-Name;groups;PIN;Shoe Size\r\nada;"A ""B""\nC";North:modify|All Users;p;42\r\n\r\nbob;;;;\r\n';
    const { rows, ignoredColumns } = readUserCsv(text, known);
    expect(ignoredColumns).toEqual(['Shoe Size']);
    expect(rows.map(({ line, loginName }) => [line, loginName])).toEqual([
      [2, 'ada'],
      [5, 'bob'],
    ]);
    expect(rows[0]).toMatchObject({ firstName: 'A "B"\nC', password: 'p', problems: [] });
    expect(rows[0]?.memberships).toEqual([
      { groupName: 'North', roleId: '3' },
      { groupName: 'All Users', roleId: '2' },
    ]);
    expect(readUserCsv('login\tmail\nada\ta@b', known).rows[0]).toMatchObject({ email: 'a@b' });
  });

  it('tells the line on which each row begins, whatever breaks lines within quotes before it', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const lines = [
        'LoginName,Description',
        `ada,"a${end}b${end}c"`,
        `bob,"d${end}e"`,
        'cy,f',
        `dan,"${end}g"`,
        'eve,',
      ];
      const { rows } = readUserCsv(lines.join(end === '\r' ? '\n' : end), known);
      expect(rows.map(({ line, loginName }) => [line, loginName])).toEqual([
        [2, 'ada'],
        [5, 'bob'],
        [7, 'cy'],
        [8, 'dan'],
        [10, 'eve'],
      ]);
    }
  });

  it('is read with the column names that German spreadsheets have', () => {
    const text =
      'Benutzername;Vorname;Nachname;E-Mail-Adresse;Firma;Beschreibung;Gruppen;Kennwort\nada;A;L;a@b;F;B;North;p\n';
    expect(readUserCsv(text, known)).toMatchObject({
      ignoredColumns: [],
      rows: [
        {
          loginName: 'ada',
          firstName: 'A',
          lastName: 'L',
          email: 'a@b',
          company: 'F',
          description: 'B',
          password: 'p',
        },
      ],
    });
  });

  it('is read with the separator that its first line names, and counts that line', () => {
    const { rows } = readUserCsv('\uFEFFsep=;\r\nLoginName;LastName\r\nada;"King; Lovelace"\r\n', known);
    expect(rows).toMatchObject([{ line: 3, loginName: 'ada', lastName: 'King; Lovelace', problems: [] }]);
  });

  it('puts users into groups with a colon in their names', () => {
    const names = { ...known, groups: new Set(['sales: east']) };
    const { rows } = readUserCsv('login,groups\nada,Sales: East\nbob,Sales: East:Modify\n', names);
    expect(rows.map(({ memberships, problems }) => [memberships, problems])).toEqual([
      [[{ groupName: 'Sales: East', roleId: '2' }], []],
      [[{ groupName: 'Sales: East', roleId: '3' }], []],
    ]);
  });

  it('takes no group for the one meant where several have the name; an id tells them apart', () => {
    const names = {
      ...known,
      groups: new Set(['north', '#4', '#9']),
      ambiguousGroups: new Map([['north', ['4', '9']]]),
    };
    const { rows } = readUserCsv('login,groups\nada,North:Modify\nbob,#9:Modify\n', names);
    expect(rows[0]?.problems).toEqual([{ kind: 'ambiguousGroup', text: 'North (#4, #9)' }]);
    expect(rows[1]).toMatchObject({ memberships: [{ groupName: '#9', roleId: '3' }], problems: [] });
  });

  it('says what is wrong with each row', () => {
    const rows = ['admin,,', ',x@y,', 'ada,x@y,North', 'ADA,,', 'bob,nobody,East:Owner', 'eve,,,,'];
    expect(kindsOf(['LoginName,EmailAddress,Groups', ...rows].join('\n'))).toEqual([
      ['onServer'],
      ['noLogin'],
      [],
      ['repeated'],
      ['unknownRole', 'noEmailAddress', 'unknownGroup'],
      ['tooManyValues'],
    ]);
  });

  it('is refused whole when it is no list of users', () => {
    const kindOf = (text: string) => {
      try {
        readUserCsv(text, known);
        return undefined;
      } catch (error) {
        return error instanceof UserFileError ? error.kind : error;
      }
    };
    expect(kindOf('')).toBe('empty');
    expect(kindOf('First,Last\na,b')).toBe('noLoginColumn');
    expect(kindOf('login,user\na,b')).toBe('columnTwice');
    expect(kindOf('login\n"a')).toBe('noCsv');
    expect(kindOf(`login\n${'a'.repeat(10_000_001)}`)).toBe('tooLarge');
  });
});
