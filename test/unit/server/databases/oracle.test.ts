import { describe, expect, it } from 'vitest';
import { oracleColumn } from '../../../../src/server/databases/oracle/json.ts';
import { oracleDerived, type OracleEdge } from '../../../../src/server/databases/oracle/relations.ts';

describe('a column of Oracle', () => {
  it.each([
    ['NUMBER', '"c"', '-.5', '-0.5'],
    ['NUMBER', '"c"', '123456789012345678901234567890.12345678', '123456789012345678901234567890.12345678'],
    ['BINARY_DOUBLE', '"c"', 0.1, '0.1'],
    ['BINARY_DOUBLE', '"c"', Number.NaN, 'null'],
    ['BINARY_FLOAT', '"c"', Number.NEGATIVE_INFINITY, 'null'],
    ['DATE', `TO_CHAR("c", 'YYYY-MM-DD HH24:MI:SS')`, '2026-03-29 02:30:00', '"2026-03-29 02:30:00"'],
    [
      'TIMESTAMP',
      `TO_CHAR("c", 'YYYY-MM-DD HH24:MI:SS.FF9')`,
      '2026-03-01 10:30:00.120000000',
      '"2026-03-01 10:30:00.12"',
    ],
    ['VARCHAR2', '"c"', 'it\'s "日本"', '"it\'s \\"日本\\""'],
    ['RAW', '"c"', Buffer.from([1, 171]), '"01AB"'],
  ])('of type %s is asked for as %s', (type, sentAs, value, json) => {
    const column = oracleColumn('c', type);
    expect(column.sentAs).toBe(sentAs);
    expect(column.write(value)).toBe(json);
  });
});

describe('a view of Oracle', () => {
  const view = { owner: 'SHOP', name: 'V' };
  const edge = (
    readType: string,
    readOwner: string | null,
    readName: string,
    link: string | null = null,
  ): OracleEdge => ({
    ...view,
    readType,
    readOwner,
    readName,
    link,
  });
  const sales = edge('TABLE', 'SHOP', 'SALES');

  it('reads what the database says, plain functions aside', () => {
    const derived = oracleDerived([view], [sales, edge('PACKAGE', 'SYS', 'STANDARD'), edge('SYNONYM', 'PUBLIC', 'S')]);
    const reads = [
      { owner: 'SHOP', name: 'SALES' },
      { owner: 'PUBLIC', name: 'S' },
    ];
    expect(derived).toEqual([{ ...view, reads, isComplete: true }]);
  });

  it.each(['TABLE', 'VIEW', 'MATERIALIZED VIEW', 'SYNONYM'])('reads a %s', (type) => {
    const reads = [{ owner: 'SHOP', name: 'SALES' }];
    expect(oracleDerived([view], [edge(type, 'SHOP', 'SALES')])).toEqual([{ ...view, reads, isComplete: true }]);
  });

  it('is told apart from others, and reads its namesake of another owner', () => {
    const other = { owner: 'SHOP', name: 'W' };
    const namesake = edge('TABLE', 'ARCHIVE', 'V');
    expect(oracleDerived([view, other], [namesake, { ...sales, ...other }])).toEqual([
      { ...view, reads: [{ owner: 'ARCHIVE', name: 'V' }], isComplete: true },
      { ...other, reads: [{ owner: 'SHOP', name: 'SALES' }], isComplete: true },
    ]);
  });

  it('may read any owner where none is told', () => {
    expect(oracleDerived([view], [edge('TABLE', null, 'SALES')])[0]?.reads).toEqual([{ owner: '', name: 'SALES' }]);
  });

  it('is no path to itself where it keeps its rows in a table of its name', () => {
    expect(oracleDerived([view], [sales, edge('TABLE', 'SHOP', 'V')])[0]?.reads).toHaveLength(1);
  });

  it.each([
    ['a function', [sales, edge('FUNCTION', 'SHOP', 'ROWS_OF')]],
    ['a package', [sales, edge('PACKAGE', 'SYS', 'DBMS_XMLGEN')]],
    ["a user's package of a known name", [sales, edge('PACKAGE', 'SHOP', 'STANDARD')]],
    ['another database', [edge('TABLE', null, 'SALES', 'FAR')]],
    ['nothing that can be seen', []],
  ])('reads what cannot be seen: %s', (_name, edges) => {
    expect(oracleDerived([view], edges)[0]?.isComplete).toBe(false);
  });
});
