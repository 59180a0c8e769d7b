import { describe, expect, it } from 'vitest';
import { ReportError } from '../../../../src/server/reports/reportError.ts';
import { plan, shownSql, sqlOf } from '../../../support/reports/runPlan.ts';
import { shopField, shopReport, where } from '../../../support/reports/shopData.ts';

const amount = shopField('s.amount');
const note = (...Criteria: ReturnType<typeof where>[]) => shopField('s.note', { Criteria });
const pieces = (...Criteria: ReturnType<typeof where>[]) => shopField('s.pieces', { Criteria });

describe('fields and tables', () => {
  it('selects fields in the order of their index under unique aliases', () => {
    const report = shopReport([
      { ...shopField('s.note'), fieldindex: 3, RenamedField: 'a-b' },
      { ...shopField('s.amount'), fieldindex: 1, RenamedField: 'A_B' },
      { ...shopField('s.pieces'), fieldindex: 2, RenamedField: '' },
    ]);
    expect(sqlOf(report)).toEqual({
      sql: 'SELECT "s"."amount" AS "A_B", "s"."pieces" AS "Pieces", "s"."note" AS "a_b_2" FROM "sales" AS "s" LIMIT 1000',
      values: [],
    });
  });

  it('joins only the tables it needs, and those between them', () => {
    expect(sqlOf(shopReport([shopField('st.region')])).sql).toContain('FROM "stores" AS "st" LIMIT');
    const both = sqlOf(shopReport([shopField('st.region'), shopField('c.name')])).sql;
    expect(both).toContain(
      'FROM "sales" AS "s" LEFT JOIN "stores" AS "st" ON "s"."store_id" = "st"."id" ' +
        'INNER JOIN "clerks" AS "c" ON "s"."clerk_id" = "c"."id"',
    );
  });

  it('joins the table of a criteria row or a sort whose field is hidden', () => {
    const hidden = { ...shopField('st.region', { Criteria: [where('=', 'North')] }), fieldindex: -2 };
    expect(sqlOf(shopReport([amount, hidden])).sql).toContain('LEFT JOIN "stores"');
  });

  it('finds registered names whatever their case and refuses all others', () => {
    const upper = { ...shopField('s.amount'), DbTableAlias: 'S', DbFieldName: 'AMOUNT' };
    expect(sqlOf(shopReport([upper])).sql).toContain('"s"."amount"');
    const foreign = { ...shopField('s.amount'), DbFieldName: 'tenant" FROM secrets --' };
    expect(() => plan(shopReport([foreign]))).toThrow(
      /Field "Amount": "s\.tenant.*is not a field of report type "Sales"/,
    );
  });

  it('groups by what is no aggregate', () => {
    const report = shopReport([shopField('st.region'), shopField('s.amount', { strGroup: 'sum' })]);
    expect(sqlOf(report).sql).toContain('sum("s"."amount") AS "s_amount"');
    expect(sqlOf(report).sql).toContain('GROUP BY "st"."region"');
  });

  it.each([
    [shopField('s.note', { strGroup: 'SUM' }), 'SUM requires numbers'],
    [shopField('s.amount', { strGroup: 'MEDIAN' }), '"MEDIAN" is not an aggregate'],
    [shopField('s.amount', { Fieldtype: 'xyz' }), '"xyz" is not a field type'],
    [shopField('s.amount', { Formula: 'SUM(?) / Pieces' }), 'mixes an aggregate'],
    [shopField('s.amount', { strGroup: 'SUM', Formula: 'SUM(?)' }), 'is already an aggregate'],
    [shopField('s.amount', { Criteria: [where('', '', { sortorder: 'sideways' })] }), 'is not a sort order'],
  ])('names the field it cannot read: %#', (field, message) => {
    expect(() => plan(shopReport([field]))).toThrow(ReportError);
    expect(() => plan(shopReport([field]))).toThrow(message);
  });

  it('limits rows by TopN and by the most records', () => {
    expect(sqlOf(shopReport([amount], { TopN: 5 })).sql).toMatch(/LIMIT 5$/);
    expect(sqlOf(shopReport([amount], { TopN: 5000 })).sql).toMatch(/LIMIT 1000$/);
    expect(sqlOf(shopReport([amount], { Distinct: 1 })).sql).toMatch(/^SELECT DISTINCT /);
    expect(() => plan(shopReport([amount], { TopN: -1 }))).toThrow('TopN is -1');
  });

  it('sorts by group, then by priority, then by position', () => {
    const sorted = (column: string, sortorder: string) =>
      shopField(column, { Criteria: [where('', '', { sortorder })] });
    const report = shopReport([
      sorted('s.note', 'desc'),
      sorted('s.pieces', '-2'),
      sorted('s.amount', '1'),
      shopField('s.tenant', { grouped: 1 }),
    ]);
    expect(sqlOf(report).sql).toContain(
      'ORDER BY "s_tenant" NULLS LAST, "s_amount" NULLS LAST, "s_pieces" DESC NULLS LAST, "s_note" DESC NULLS LAST',
    );
  });
});

describe('criteria', () => {
  const condition = (...Criteria: ReturnType<typeof where>[]) =>
    sqlOf(shopReport([note(...Criteria)])).sql.match(/WHERE (.*) LIMIT/)?.[1];

  it.each([
    [where('=', "it's"), '"s"."note" = $1'],
    [where('NOT_EQUAL', 'x'), '"s"."note" <> $1'],
    [where('in list', "a, 'b,c'"), '"s"."note" IN ($1, $2)'],
    [where('not in', 'a'), '"s"."note" NOT IN ($1)'],
    [where('like', 'a%'), `regexp_full_match("s"."note", $1, 's')`],
    [where('contains', '50%'), `regexp_full_match("s"."note", $1, 's')`],
    [where('is null'), '"s"."note" IS NULL'],
    [where('is not empty'), '"s"."note" IS NOT NULL'],
    [where('between', 'a', { Value2: 'b' }), '("s"."note" >= $1 AND "s"."note" <= $2)'],
  ])('writes %o', (row, sql) => {
    expect(condition(row)).toBe(sql);
  });

  it('escapes wildcards of values that are no patterns', () => {
    expect(sqlOf(shopReport([note(where('contains', '50%_\\'))])).values).toEqual(['text .*50%_\\\\.*']);
    expect(sqlOf(shopReport([note(where('like', '50%'))])).values).toEqual(['text 50.*']);
  });

  it('types values by the registered field', () => {
    expect(sqlOf(shopReport([pieces(where('=', ' 007.50 '))])).values).toEqual(['number 007.50']);
    expect(() => plan(shopReport([pieces(where('=', '1 OR 1=1'))]))).toThrow(
      'Criteria of "Pieces": "1 OR 1=1" is not a number',
    );
    expect(() => plan(shopReport([pieces(where('like', '1'))]))).toThrow('compare text only');
  });

  it('reads a day as a span of time', () => {
    const day = shopField('s.sold_at', { Criteria: [where('=', '2026-02-28')] });
    expect(sqlOf(shopReport([day]))).toMatchObject({
      sql: expect.stringContaining(
        '("s"."sold_at" >= CAST($1 AS TIMESTAMP) AND "s"."sold_at" < CAST($2 AS TIMESTAMP))',
      ) as string,
      values: ['timestamp 2026-02-28 00:00:00', 'timestamp 2026-03-01 00:00:00'],
    });
    const month = shopField('s.sold_on', { Criteria: [where('<=', '[Last Month]')] });
    expect(sqlOf(shopReport([month])).values).toEqual(['date 2026-03-01']);
  });

  it('lets AND bind tighter, rows of one field stand together, and Nested span fields', () => {
    const or = { Logical: 'OR' };
    expect(condition(where('=', 'a', or), where('=', 'b'), where('=', 'c'))).toBe(
      '("s"."note" = $1 OR ("s"."note" = $2 AND "s"."note" = $3))',
    );
    const separate = sqlOf(shopReport([note(where('=', 'a', or), where('=', 'b')), pieces(where('>', '1'))])).sql;
    expect(separate).toContain('WHERE (("s"."note" = $1 OR "s"."note" = $2) AND "s"."pieces" > $3)');
    const nested = { Nested: true };
    const spanning = sqlOf(
      shopReport([
        shopField('s.amount', { Criteria: [where('>', '0')] }),
        note(where('=', 'a', { ...or, ...nested })),
        pieces(where('>', '1', nested)),
      ]),
    ).sql;
    expect(spanning).toContain('WHERE ("s"."amount" > $1 AND ("s"."note" = $2 OR "s"."pieces" > $3))');
  });

  it('moves criteria of aggregates to HAVING and refuses to mix them by OR', () => {
    const total = shopField('s.amount', { strGroup: 'SUM', Criteria: [where('>', '100')] });
    const report = shopReport([note(where('=', 'a')), total]);
    expect(sqlOf(report).sql).toContain('WHERE "s"."note" = $1 GROUP BY "s"."note" HAVING sum("s"."amount") > $2');
    const mixed = shopReport([note(where('=', 'a', { Logical: 'OR' })), total]);
    expect(() => plan(mixed)).toThrow('cannot be joined by OR');
  });

  it.each([
    [where('resembles', 'x'), '"resembles" is not an operator'],
    [where('=', null), 'the operator "=" needs Value1'],
    [where('contains', ''), 'needs a text'],
    [where('in', ' , '), 'The list has no values'],
    [where('in', "'open"), 'unclosed quote'],
    [where('=', 'x', { Logical: 'XOR' }), '"XOR" is not a logical operator'],
  ])('refuses %o', (row, message) => {
    expect(() => plan(shopReport([note(row)]))).toThrow(message);
  });

  it('ignores what a client sends as SQL', () => {
    const hostile = { SearchCriteria: '1=1', tbl10: '1=1) OR (1=1', tbl11: 'OR' };
    expect(sqlOf(shopReport([{ ...note(where('=', 'a')), ...hostile }])).sql).toBe(
      sqlOf(shopReport([note(where('=', 'a'))])).sql,
    );
  });
});

describe('prompts in SQL', () => {
  const asked = (more = {}) => shopReport([note(where('between', '', { bprompt: true, ...more }))]);

  it('shows a placeholder until it is answered', () => {
    expect(shownSql(asked())).toContain('WHERE "s"."note" BETWEEN {?Note} AND {?Note}');
    const answered = asked({ Value1: 'a', Value2: 'b', flags: 'set' });
    expect(shownSql(answered)).toContain(`WHERE ("s"."note" >= 'a' AND "s"."note" <= 'b')`);
  });

  it('needs an answer to run, takes defaults, and leaves skippable prompts out', () => {
    expect(() => plan(asked())).toThrow('The prompt "Note" needs a value');
    expect(sqlOf(asked({ Value1: 'a', Value2: 'b' })).values).toEqual(['text a', 'text b']);
    expect(sqlOf(asked({ bskip: true })).sql).not.toContain('WHERE');
    expect(
      sqlOf(asked({ Value1: 'a', Value2: 'b', flags: 'set' }), undefined, { promptUse: 'leaveOut' }).sql,
    ).not.toContain('WHERE');
  });

  it('drops a skipped prompt from an OR without opening the rest', () => {
    const report = shopReport([
      note(where('=', '', { bprompt: true, bskip: true, flags: 'skipped', Logical: 'OR' }), where('=', 'b')),
      pieces(where('>', '1')),
    ]);
    expect(sqlOf(report).sql).toContain('WHERE ("s"."note" = $1 AND "s"."pieces" > $2)');
  });

  it.each([
    ['without a value', {}],
    ['with a default', { Value1: 'a', Value2: 'b' }],
    ['that says it may not', { bskip: false }],
  ])('takes the mark of a skipped prompt for no answer where it may not be skipped: %s', (_, more) => {
    const report = asked({ ...more, flags: 'skipped' });
    expect(() => plan(report)).toThrow('The prompt "Note" was not given a valid value');
    expect(shownSql(report)).toContain('BETWEEN {?Note} AND {?Note}');
    expect(sqlOf(report, undefined, { promptUse: 'leaveOut' }).sql).not.toContain('WHERE');
  });
});

describe('totals', () => {
  const total = { type: 'total', func: 'SUM', field1: 'Amount' };

  it('queries the report once per level', () => {
    const report = shopReport([shopField('s.tenant', { grouped: 1 }), amount], {
      AdHocFields: [{ ...total, addgtotal: true }],
    });
    expect(plan(report).totals.map(({ level, groups }) => [level, groups.length])).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  it('adds calculated columns', () => {
    const calc = { type: 'calc', func: '/', field1: 's_amount', field2: 's_pieces', percent: 'true' };
    const report = shopReport([amount, shopField('s.pieces')], { AdHocFields: [calc] });
    expect(sqlOf(report).sql).toContain(
      'TRY(((CAST("s"."amount" AS DOUBLE) / nullif("s"."pieces", 0)) * $1)) AS "Amount_Pieces"',
    );
  });

  it.each([
    [{ ...total, field1: 'Colour' }, '"Colour" is not a field of the report'],
    [{ ...total, func: '' }, 'names no aggregate'],
    [{ ...total, type: 'magic' }, '"magic" is not a type'],
    [{ type: 'calc', func: '^', field1: 'Amount' }, 'is not one of + - * /'],
    [{ type: 'calc', func: '*', field1: 'Amount', Value2: '2; DROP' }, 'is not a number'],
  ])('refuses %o', (entry, message) => {
    expect(() => plan(shopReport([amount], { AdHocFields: [entry] }))).toThrow(message);
  });
});
