import { describe, expect, it } from 'vitest';
import { userCsvTemplate } from '../../../../src/features/userImport/userColumns.ts';
import { readUserCsv, UserFileError } from '../../../../src/features/userImport/userCsv.ts';

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

  it('takes no password of a row that has a value too many: it may be another value', () => {
    const { rows } = readUserCsv('login,last,password\nada,Byron, King,hush\nbob,B,hush', known);
    expect(rows.map(({ password, problems }) => [password, problems.map(({ kind }) => kind)])).toEqual([
      ['', ['tooManyValues']],
      ['hush', []],
    ]);
  });

  it('knows users and groups in any case', () => {
    expect(kindsOf('login,groups\nADMIN,\nAda,NORTH\naDA,')).toEqual([['onServer'], [], ['repeated']]);
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

  it('takes no blanks around a login name into it, nor letters in parts; passwords stay as they are', () => {
    const text = 'LoginName,Password\n" ada "," p w "\nada,\n"Jo\u0308rg",\nJ\u00f6rg,\n';
    const { rows } = readUserCsv(text, known);
    expect(rows[0]).toMatchObject({ loginName: 'ada', password: ' p w ', problems: [] });
    expect(rows.map(({ problems }) => problems.map(({ kind }) => kind))).toEqual([[], ['repeated'], [], ['repeated']]);
  });

  it('does not choose between two roles in one group', () => {
    const names = {
      ...known,
      groupIds: new Map([
        ['north', '16'],
        ['#16', '16'],
        ['all users', '1'],
      ]),
    };
    const withIds = { ...names, groups: new Set([...known.groups, '#16']) };
    const rows = ['ada,North:View|north:Modify', 'bob,North|#16:Admin', 'cy,North|All Users'];
    const problems = readUserCsv(['login,groups', ...rows].join('\n'), withIds).rows.map((row) => row.problems);
    expect(problems).toEqual([[{ kind: 'groupTwice', text: 'north' }], [{ kind: 'groupTwice', text: '#16' }], []]);
  });

  it('does not choose between two rows that give one user different access', () => {
    const names = {
      ...known,
      groups: new Set([...known.groups, '#16']),
      groupIds: new Map<string, string>([
        ['all users', '1'],
        ['north', '16'],
        ['#16', '16'],
      ]),
      applications: [{ id: '4', name: 'Sales' }],
    };
    const problems = (...rows: string[]) =>
      readUserCsv(['login,groups,application,role', ...rows].join('\n'), names).rows.map((row) =>
        row.problems.map(({ kind }) => kind),
      );
    expect(problems('ada,North:View,,', 'bob,North,,', 'ADA,North:Delete,,')).toEqual([['repeated'], [], ['repeated']]);
    expect(problems('ada,,Sales,Agent', 'ada,,Sales,Builder')).toEqual([['repeated'], ['repeated']]);
    expect(problems('ada,North|All Users,,', 'ada,,,', 'ada,all users|#16:View,,')).toEqual([
      [],
      ['repeated'],
      ['repeated'],
    ]);
    // One of an application that does not exist gives nothing, and is refused by itself.
    expect(problems('ada,North,,', 'ada,,Nowhere,Agent')).toEqual([[], ['unknownApplication', 'repeated']]);
  });

  it('is parted by what parts its first line, whatever stands before that or within its quotes', () => {
    expect(readUserCsv('\r\n\r\nlogin;groups\r\nada;North\r\n', known).rows).toMatchObject([
      { line: 4, loginName: 'ada' },
    ]);
    expect(readUserCsv('"login";"Town, street, and number"\nada;x\n', known)).toMatchObject({
      rows: [{ loginName: 'ada' }],
      ignoredColumns: ['Town, street, and number'],
    });
    expect(readUserCsv('login,constructor\nada,x\n', known).ignoredColumns).toEqual(['constructor']);
  });

  it('is refused without a word of its values, which may be passwords', () => {
    const text = 'login,description,pin\r\nada,"a\r\nb",x\r\nbob,,s3cr"et\r\n';
    let fault: unknown;
    try {
      readUserCsv(text, known);
    } catch (error) {
      fault = error;
    }
    expect(fault).toMatchObject({ kind: 'noCsv', detail: '4' });
    expect(String(fault)).not.toContain('s3cr');
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
    expect(kindOf('login,groups\r\n')).toBe('noRows');
    expect(kindOf(`login\n${'a'.repeat(10_000_001)}`)).toBe('tooLarge');
  });
});

describe('a role in an application', () => {
  const two = [
    { id: '3', name: 'Flights' },
    { id: '4', name: 'Sales' },
  ];
  const read = (text: string, applications = two) => {
    const [row] = readUserCsv(text, { ...known, applications }).rows;
    return [row?.application, row?.problems.map(({ kind }) => kind)];
  };

  it('is read by name or ID, in any case and in German columns', () => {
    const agent = { id: '4', name: 'Sales', roleId: '6' };
    expect(read('login,application,role\nada,sales,AGENT')).toEqual([agent, []]);
    expect(read('login;Anwendung;Rolle\nada;#4;6')).toEqual([agent, []]);
    expect(read('login,Application,Role\nada,,')).toEqual([undefined, []]);
  });

  it('needs no application where there is only one', () => {
    const only = [{ id: '3', name: 'Flights' }];
    expect(read('login,role\nada,Builder', only)).toEqual([{ id: '3', name: 'Flights', roleId: '5' }, []]);
    expect(read('login,role\nada,Builder')[1]).toEqual(['noApplication']);
  });

  it('is refused where the server hides its applications, other rows are not', () => {
    const known = { logins: new Set<string>(), groups: new Set<string>(), hidesApplications: true };
    const { rows } = readUserCsv('login,application,role\nada,Sales,Agent\neva,,', known);
    expect(rows.map(({ problems }) => problems)).toEqual([[{ kind: 'hiddenApplications', text: 'Sales' }], []]);
  });

  it.each([
    ['an unknown application', 'Weather,Agent', 'unknownApplication'],
    ['a role of groups', 'Sales,View', 'unknownApplicationRole'],
    ['an application without a role', 'Sales,', 'noRole'],
  ])('is refused for %s', (_case, values, kind) => {
    expect(read(`login,application,role\nada,${values}`)[1]).toEqual([kind]);
  });

  it('is refused where two applications share the name', () => {
    const namesakes = two.map(({ id }) => ({ id, name: 'Sales' }));
    expect(read('login,application,role\nada,Sales,Agent', namesakes)[1]).toEqual(['unknownApplication']);
  });
});

describe('the template', () => {
  it('can be filled in and imported, whatever its comments contain', () => {
    const template = userCsvTemplate(['Groups: North; South, "East" | West', '=1+1', 'plain']);
    const row = 'ada,Ada,L,a@b,C,D,1,2,3,4,North:Modify,,,p';
    expect(readUserCsv(`${template}${row}\r\n`, known)).toMatchObject({
      ignoredColumns: [],
      rows: [{ line: 5, loginName: 'ada', tags: ['1', '2', '3', '4'], password: 'p', problems: [] }],
    });
    expect(kindOfFault(template)).toBe('noRows');
    expect(kindOfFault('# only\n# comments')).toBe('empty');
  });

  it('takes no row for a comment: a login name may begin with #', () => {
    expect(readUserCsv('# one; two\nlogin,last\n#ada,L', known).rows.map(({ loginName }) => loginName)).toEqual([
      '#ada',
    ]);
  });

  function kindOfFault(text: string): string | undefined {
    try {
      readUserCsv(text, known);
      return undefined;
    } catch (error) {
      return error instanceof UserFileError ? error.kind : String(error);
    }
  }
});
