import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Dialect } from '../../../../src/client/dialect/dialect.ts';

/** A total as the description has it, and in forms that other servers may write. */
const total = { type: 'total', func: 'SUM', field1: 'Cost', field2: '', Value2: '', percent: true, addgtotal: false };
const otherTotal = (func: string, column: string, share: boolean) => ({
  Caption: 'mine',
  Total: {
    Kind: func === '/' ? 'Formula' : 'Summary',
    Aggregation: func,
    Column: column,
    IsPercent: share ? 'True' : 'False',
  },
});

function read(
  dialect: Dialect,
  path: 'Report/GetReport' | 'DataTag/GetAllDataTags' | 'AppBuilder/GetAnyDbModule',
  value: unknown,
) {
  return JSON.parse(dialect.readReply(path, JSON.stringify(value))) as Record<string, never>;
}

describe('the form of lists that the API description leaves open', () => {
  it('is learned from an entry, and written for a new one', () => {
    const dialect = new Dialect();
    const report = { ReportID: '1', AdHocFields: [otherTotal('SUM', 'Cost', true), otherTotal('/', 'Cost', false)] };
    const ours = read(dialect, 'Report/GetReport', report);
    expect(ours.AdHocFields).toEqual([
      { Caption: 'mine', type: 'total', func: 'SUM', field1: 'Cost', percent: true },
      { Caption: 'mine', type: 'calc', func: '/', field1: 'Cost', percent: false },
    ]);
    const added = { type: 'calc', func: '/', field1: 'A', percent: true };
    const body = dialect.writeBody('Report/SaveReport', { report: { AdHocFields: [added] } });
    expect(body.report.AdHocFields).toEqual([{ ...otherTotal('/', 'A', true), Caption: '' }]);
  });

  it('keeps every entry that is not edited as it came', () => {
    const entries = fc.array(
      fc.oneof(
        fc.record({
          Caption: fc.string(),
          Total: fc.record(
            {
              Kind: fc.constantFrom('Summary', 'Formula', 'summary', ''),
              Aggregation: fc.constantFrom('SUM', '/', 'Average', ''),
              Column: fc.string(),
              IsPercent: fc.constantFrom<unknown>('True', 'False', 'true', 1, true, null),
              Extra: fc.jsonValue(),
            },
            { requiredKeys: [] },
          ),
        }),
        fc.record(
          { type: fc.string(), func: fc.string(), field1: fc.string(), percent: fc.jsonValue() },
          { requiredKeys: [] },
        ),
        fc.jsonValue(),
      ),
    );
    fc.assert(
      fc.property(entries, fc.boolean(), (AdHocFields, isKnown) => {
        const dialect = new Dialect();
        if (isKnown) read(dialect, 'Report/GetReport', { AdHocFields: [otherTotal('SUM', 'Cost', true)] });
        const text = JSON.stringify({ AdHocFields });
        const shown = JSON.parse(dialect.readReply('Report/GetReport', text)) as object;
        const { report } = dialect.writeBody('Report/SaveReport', { report: shown });
        expect(report).toEqual(JSON.parse(text));
      }),
    );
  });

  it('leaves what it does not understand as it is', () => {
    for (const AdHocFields of [[{ name: 'Cost', datatype: 'cur' }], ['Cost'], [], null, [{ func: 'SUM' }], [null]]) {
      const dialect = new Dialect();
      const text = JSON.stringify({ AdHocFields });
      expect(dialect.readReply('Report/GetReport', text)).toBe(text);
      expect(dialect.knows('totals')).toBe(false);
    }
  });

  it('is ours where the server writes ours, and then nothing changes', () => {
    const dialect = new Dialect();
    const text = JSON.stringify({ AdHocFields: [total], x: 1.0 });
    expect(dialect.readReply('Report/GetReport', text)).toBe(text);
    expect(dialect.knows('totals')).toBe(true);
    expect(dialect.unknownIn('Report/SaveReport', { report: { AdHocFields: [total] } })).toEqual([]);
  });

  it('keeps all digits, and does not hide a repeated key', () => {
    const dialect = new Dialect();
    const entry = JSON.stringify(otherTotal('SUM', 'Cost', true));
    const text = `{"ReportID":9007199254740993,"x":1.10,"AdHocFields":[${entry}]}`;
    expect(dialect.readReply('Report/GetReport', text)).toContain('"ReportID":9007199254740993,"x":1.10,');
    const twice = `{"ErrorCode":0,"ErrorCode":1,"AdHocFields":[${entry}]}`;
    expect(dialect.readReply('Report/GetReport', twice)).toBe(twice);
  });

  it('understands joins under another name, as pairs of texts', () => {
    const dialect = new Dialect();
    const joins = [{ JoinType: 'INNER JOIN', From: 'orders.customer_id', To: 'customers.id' }];
    const reply = {
      ReportTypes: [{ RepTypeID: 1, SQLTables: [{ tablename: 'a' }], TableLinks: joins, FieldTree: [] }],
    };
    const ours = read(dialect, 'AppBuilder/GetAnyDbModule', reply);
    const join = {
      kind: 'inner',
      leftAlias: 'orders',
      leftColumn: 'customer_id',
      rightAlias: 'customers',
      rightColumn: 'id',
    };
    expect(ours).toMatchObject({ ReportTypes: [{ Joins: [join] }] });
    const next = { kind: 'left', leftAlias: 'a', leftColumn: 'b', rightAlias: 'c', rightColumn: 'd' };
    const anydbmodule = {
      ReportTypes: [
        { RepTypeID: 1, Joins: [join, next] },
        { RepTypeID: 2, Joins: [] },
      ],
    };
    expect(dialect.writeBody('AppBuilder/SaveAnyDbModule', { anydbmodule }).anydbmodule).toEqual({
      ReportTypes: [
        { RepTypeID: 1, TableLinks: [...joins, { JoinType: 'LEFT JOIN', From: 'a.b', To: 'c.d' }] },
        { RepTypeID: 2, TableLinks: [] },
      ],
    });
  });

  it('learns the word for values of users beside the described names', () => {
    const dialect = new Dialect();
    const entry = {
      LeftID: '7',
      RightID: '1',
      RelationshipType: 'tag_con',
      RelationType: 'tag_con',
      Option1: 'x',
      Option2: '',
    };
    const [tag] = read(dialect, 'DataTag/GetAllDataTags', [{ ID: '7', Contacts: [entry] }]) as unknown as [object];
    expect(tag).toMatchObject({ Contacts: [{ RightID: '1', RelationshipType: 'tag_usr', Option1: 'x' }] });
    const added = { ...entry, LeftID: '', RightID: '2', RelationshipType: 'tag_usr', RelationType: 'tag_usr' };
    const { datatag } = dialect.writeBody('DataTag/SaveDataTag', { datatag: { Contacts: [added] } });
    expect(datatag.Contacts).toEqual([{ ...added, RelationshipType: 'tag_con', RelationType: 'tag_con' }]);
  });
});
