import { applyEdits } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { ClientError } from '../../../../src/client/clientError.ts';
import type { Report } from '../../../../src/contract/resources/report.ts';
import type { BuilderEdit } from '../../../../src/features/builder/pageContract.ts';
import type { BuilderCalls } from '../../../../src/features/builder/builderCalls.ts';
import { BuilderSession } from '../../../../src/features/builder/builderSession.ts';
import { promptsOf } from '../../../../src/server/reports/prompts.ts';
import { draftMetadata, previewRows } from '../../../../src/features/builder/draftReport.ts';
import { namedField } from '../../../../src/features/builder/liveSql.ts';
import { UndoGroups } from '../../../../src/features/builder/edits/editQueue.ts';

const tree = {
  rootnode: {
    text: 'Sales',
    type: 'Folder',
    children: [
      {
        text: 'Store',
        type: 'Folder',
        children: [{ text: 'Region', type: 'Field', dbtablealias: 's', dbfieldname: 'region' }],
      },
      { text: 'Amount', type: 'Field', dbtablealias: 's', dbfieldname: 'amount', fieldtype: 'num' },
    ],
  },
};
const amountField = { DisplayFieldName: 'Amount', RenamedField: 'amount' };
const start = JSON.stringify(
  { Reportname: 'R', ModuleName: 'Shop', ReportType: 'Sales', ServerName: 'Main', FieldList: [] },
  null,
  2,
);

/** A server that knows one report type; every SQL question waits until it is answered here. */
class FakeServer implements BuilderCalls {
  readonly questions: { report: Report; signal: AbortSignal; answer: (sql: string | Error) => void }[] = [];
  applications = async () => [
    {
      service: { ID: '1', Name: 'Shop', ModuleType: 'ANYDB' },
      RegisteredServers: [{ ID: '9', DisplayName: 'Main', DatabasePlatform: 'duckdb' }],
    },
  ];
  trees: [string, string][] = [];
  tree = async (serverId: string, reportType: string) => {
    this.trees.push([serverId, reportType]);
    return tree;
  };
  functions = async () => [{ name: 'ROUND', expression: 'ROUND(?, 2)' }];
  outputTypes = async () => [{ id: 1, name: 'Grid', uiclass: 'datagrid' }];
  folders = async () => [{ id: '1', text: 'Public', children: [{ id: 7, text: 'Sales' }] }];
  target = async (reportId: string) => ({
    Report: { ReportID: reportId, FieldList: [{ DisplayFieldName: 'Region' }, { ...amountField }] },
    Prompts: [{ PromptField: amountField }],
  });
  newField = async (node: { text?: string | null; dbfieldname?: string | null }) => ({
    DbFieldName: node.dbfieldname ?? '',
    DisplayFieldName: node.text ?? '',
    RenamedField: node.text ?? '',
    Criteria: null,
  });
  newCriteria = async () => ({ Index: 0, Op: '', Value1: '', Value2: '', Logical: 'AND' });
  newTotals = async (type: string) => ({ type, func: '' });
  fieldValues = async () => [{ key: 'N', val: 'North' }];
  sql = (report: Report, signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      const answer = (sql: string | Error) => (sql instanceof Error ? reject(sql) : resolve(sql));
      this.questions.push({ report, signal, answer });
    });
}

function open(text = start, bursts = new UndoGroups(), held = { text, changes: 0 }) {
  const server = new FakeServer();
  const session: BuilderSession = new BuilderSession({
    text: {
      read: () => held.text,
      change: async (edits) => {
        held.text = applyEdits(held.text, [...edits]);
        held.changes += 1;
        session.textChanged();
        return true;
      },
    },
    bursts,
    calls: () => server,
    format: async (sql) => sql,
    words: {
      failure: (error) => (error instanceof Error ? error.message : String(error)),
      linkFailure: (name, error) => `${name}: ${String(error)}`,
      nextStep: () => 'retry',
      noServer: () => 'no server',
      notTaken: () => 'not taken',
      stale: () => 'stale',
      unreadable: () => 'unreadable',
      newFormula: () => 'Formula',
    },
    listener: { documentChanged: () => undefined, groundChanged: () => undefined, sqlChanged: () => undefined },
    today: () => '2026-03-18',
    now: () => new Date(2026, 10, 21),
    sqlPauseMs: 0,
  });
  return { session, server, held };
}

describe('a builder', () => {
  it('reads the fields of the report type from the server that the report names', async () => {
    const { session, server } = open();
    await session.load();
    expect(server.trees).toEqual([['9', 'Sales']]);
    expect(session.ground).toMatchObject({
      kind: 'ready',
      platform: 'duckdb',
      folders: [
        { id: '1', name: 'Public' },
        { id: '7', name: 'Public / Sales' },
      ],
      tree: [{ label: 'Store' }, { label: 'Region', depth: 1 }, { source: 's.amount' }],
    });
  });

  it('offers the fields of a report to drill down to, what it asks for first', async () => {
    const { session } = open();
    // The name in the SQL stays when the header changes; without a plain one the header has to do.
    expect(await session.targetFields('5')).toEqual([
      { value: 'amount', label: 'Amount' },
      { value: 'Region', label: 'Region' },
    ]);
  });

  it('names the report to drill down to that cannot be read', async () => {
    const links = [{ ReportID: '5', Name: 'By Region', Links: [] }];
    const { session, server } = open(JSON.stringify({ ...(JSON.parse(start) as object), linkreports: links }));
    server.target = async () => Promise.reject(new Error('gone'));
    await expect(session.targetFields('5')).rejects.toThrow('By Region: Error: gone');
    await expect(session.targetFields('6')).rejects.toThrow('6: Error: gone');
  });

  it('says what is missing instead of showing nothing', async () => {
    const { session, server } = open(start.replace('"Shop"', '"Gone"').replace('"Main"', '"Gone"'));
    await session.load();
    expect(session.ground).toMatchObject({ kind: 'failed', nextStep: 'retry' });
    expect(server.trees).toEqual([]);
  });

  it('makes edits one after the other, each on the text that the one before it left', async () => {
    const { session, held } = open();
    await session.load();
    await Promise.all([session.addFields(0, [1, 2], null), session.addFields(0, [2], null), session.addFormula()]);
    expect(session.document.report?.fields.map(({ name }) => name)).toEqual(['Region', 'Amount', 'Amount', 'Formula']);
    expect(held.changes).toBe(3);
    // A folder is no field.
    await session.addFields(session.document.version, [0], null);
    expect(held.changes).toBe(3);
  });

  it('refuses an edit of what is gone', async () => {
    const { session } = open();
    await session.load();
    await session.addFields(0, [1, 2], null);
    const { version } = session.document;
    await session.edit(version, { kind: 'renameField', field: 0, value: 'Area' });
    await session.edit(version, { kind: 'removeField', field: 0 });
    await expect(session.edit(version, { kind: 'removeField', field: 0 })).rejects.toThrow('stale');
    await expect(session.addCriterion(version, 0)).rejects.toThrow('stale');
    expect(session.document.report?.fields.map(({ name }) => name)).toEqual(['Amount']);
  });

  /** Three fields with criteria, two totals, and a link that is handed two values. */
  const rich = JSON.stringify({
    FieldList: ['a', 'b', 'c'].map((name, at) => ({
      fieldindex: at + 1,
      DbTableAlias: 's',
      DbFieldName: 'amount',
      DisplayFieldName: name,
      RenamedField: name,
      Criteria: [1, 2, 3].map((Index) => ({ Index, Op: '=', Value1: `${name}${Index}` })),
    })),
    AdHocFields: ['a', 'b'].map((field1) => ({ type: 'total', func: 'SUM', field1 })),
    linkreports: [{ ReportID: '5', Links: ['a', 'b'].map((Field) => ({ Field, TargetField: Field })) }],
  });
  const names = (session: BuilderSession) => session.document.report?.fields.map(({ name }) => name).join('');

  it.each<[string, BuilderEdit[], string]>([
    [
      'rename then hide',
      [
        { kind: 'renameField', field: 1, value: 'B' },
        { kind: 'setHidden', field: 1, value: true },
      ],
      'a -B c',
    ],
    [
      'move then remove',
      [
        { kind: 'moveField', field: 0, place: 2 },
        { kind: 'removeField', field: 1 },
      ],
      'c a',
    ],
    [
      'remove then rename',
      [
        { kind: 'removeField', field: 0 },
        { kind: 'renameField', field: 2, value: 'C' },
      ],
      'b C',
    ],
    [
      'move then move',
      [
        { kind: 'moveField', field: 2, place: 0 },
        { kind: 'moveField', field: 0, place: 1 },
      ],
      'a c b',
    ],
    [
      'remove then move to the end',
      [
        { kind: 'removeField', field: 1 },
        { kind: 'moveField', field: 0, place: 2 },
      ],
      'c a',
    ],
  ])('makes both of two edits in one moment: %s', async (_, edits, wanted) => {
    const { session } = open(rich);
    const { version } = session.document;
    await Promise.all(edits.map((edit) => session.edit(version, edit)));
    const shown = session.document.report?.fields.map(({ name, isHidden }) => (isHidden ? `-${name}` : name));
    expect(shown?.join(' ')).toBe(wanted);
  });

  it('makes both of two edits in one moment to criteria, totals and values that are handed on', async () => {
    const { session, held } = open(rich);
    const { version } = session.document;
    const at = { field: 1, row: 0 } as const;
    await Promise.all([
      session.edit(version, { kind: 'setCriterion', ...at, change: { operator: '<' } }),
      session.edit(version, { kind: 'setCriterion', ...at, change: { value1: 'x' } }),
      session.edit(version, { kind: 'moveCriterion', ...at, place: 2 }),
      session.edit(version, { kind: 'removeCriterion', field: 1, row: 1 }),
      session.edit(version, { kind: 'setCriterion', ...at, change: { isNested: true } }),
      session.edit(version, { kind: 'moveCriterion', field: 1, row: 2, place: 0 }),
      session.edit(version, { kind: 'removeTotal', total: 0 }),
      session.edit(version, { kind: 'setTotal', total: 1, change: { func: 'MAX' } }),
      session.edit(version, { kind: 'removePair', link: 0, place: 0 }),
      session.edit(version, { kind: 'setPair', link: 0, place: 1, change: { target: 'B' } }),
      session.edit(version, { kind: 'addPair', link: 0 }),
    ]);
    expect((JSON.parse(held.text) as Report).FieldList?.[1]?.Criteria).toMatchObject([
      { Index: 1, Op: '<', Value1: 'x', Nested: true },
      { Index: 2, Op: '=', Value1: 'b3' },
    ]);
    expect(session.document.report).toMatchObject({
      totals: [{ func: 'MAX', field1: 'b' }],
      links: [
        {
          pairs: [
            { field: 'b', target: 'B' },
            { field: '', target: '' },
          ],
        },
      ],
    });
  });

  it('waits with an edit for a field that is being added before others, and makes it where it was meant', async () => {
    const { session } = open(rich.replace('{', '{"ModuleName":"Shop","ReportType":"Sales","ServerName":"Main",'));
    await session.load();
    const { version } = session.document;
    await Promise.all([
      session.addFields(version, [2], 0),
      session.edit(version, { kind: 'renameField', field: 0, value: 'A' }),
      session.addFields(version, [2], 2),
      session.sortField(version, 2, 'desc'),
      session.addCriterion(version, 1),
    ]);
    expect(names(session)).toBe('AmountAbAmountc');
    expect(session.document.report?.fields.map(({ sort, criteria }) => [sort?.isDescending, criteria.length])).toEqual([
      [undefined, 0],
      [undefined, 3],
      [undefined, 4],
      [undefined, 0],
      [true, 3],
    ]);
  });

  it('keeps its version for as long as every place means the same', async () => {
    const { session } = open(rich);
    const { version } = session.document;
    await session.edit(version, { kind: 'setCriterion', field: 0, row: 0, change: { value1: 'x' } });
    await session.addTotal('total');
    await session.addCriterion(version, 2);
    await session.edit(version, { kind: 'addPair', link: 0 });
    expect(session.document.version).toBe(version);
    await session.edit(version, { kind: 'moveCriterion', field: 0, row: 0, place: 1 });
    expect(session.document.version).toBe(version + 1);
  });

  it('refuses an edit of a field that another editor put something else in the place of', async () => {
    const { session, held } = open(rich);
    const { version } = session.document;
    held.text = held.text.replaceAll('"amount"', '"region"');
    session.textChanged();
    await expect(session.edit(version, { kind: 'removeField', field: 0 })).rejects.toThrow('stale');
    expect(names(session)).toBe('abc');
  });

  it('edits nothing while the text is no JSON, and keeps showing the last report', async () => {
    const { session, held } = open();
    await session.load();
    held.text = held.text.replace('"R"', '"R');
    session.textChanged();
    expect(session.document).toMatchObject({ problem: 'unreadable', report: { name: 'R' } });
    await expect(session.edit(session.document.version, { kind: 'setDistinct', value: true })).rejects.toThrow(
      'unreadable',
    );
    expect(held.changes).toBe(0);
  });

  it('goes back to where typing began and forth to where it ended, after what was typed before', async () => {
    const { session, held } = open();
    const states = [held.text];
    const typed = [...'Shops'].map(async (_, at, word) => {
      const value = word.slice(0, at + 1).join('');
      await session.edit(session.document.version, { kind: 'setText', name: 'Reportname', value });
      states.push(held.text);
    });
    const show = (step: number) => async () => {
      held.text = states[states.indexOf(held.text) + step] ?? held.text;
      session.textChanged();
    };
    const back = session.travel(show(-1));
    await Promise.all([...typed, back]);
    expect(session.document.report?.name).toBe('R');
    await session.travel(show(1));
    expect(session.document.report?.name).toBe('Shops');
    await session.travel(show(1));
    expect(session.document.report?.name).toBe('Shops');
    // Somebody else's undo stops in between, and is to be gone on with.
    await show(-1)();
    expect([session.document.report?.name, session.isLeftInsideTyping]).toEqual(['Shop', true]);
    await session.travel(show(-1));
    expect([session.document.report?.name, session.isLeftInsideTyping]).toEqual(['R', false]);
  });

  it('leaves the way back to one of two builders of a text, which knows what was typed in the other', async () => {
    const bursts = new UndoGroups();
    const one = open(start, bursts);
    const other = open(start, bursts, one.held);
    for (const value of ['S', 'Sh', 'Shop']) {
      await one.session.edit(one.session.document.version, { kind: 'setText', name: 'Reportname', value });
    }
    const after = one.held.text;
    one.held.text = after.replace('"Shop"', '"Sh"');
    for (const { session } of [one, other]) session.textChanged();
    expect([one.session.isLeftInsideTyping, other.session.isLeftInsideTyping]).toEqual([true, true]);
    const gone = one.session.travel(async () => {
      one.held.text = start;
    });
    expect(other.session.isLeftInsideTyping).toBe(false);
    await gone;
    expect([one.held.text, other.session.isLeftInsideTyping]).toEqual([start, false]);
  });

  it('lists values of a field', async () => {
    const { session } = open();
    await session.load();
    await session.addFields(0, [1], null);
    expect((await session.fieldValues(0, 'nor')).choices).toMatchObject([{ value: 'N', label: 'North' }]);
  });
});

describe('the live SQL', () => {
  const settled = { sql: '', isLoading: false, isAsked: false, isOutdated: false, problem: '', problemField: null };

  it('is asked for after each change, and the question before is given up', async () => {
    const { session, server } = open();
    await session.load();
    await session.addFields(0, [1], null);
    await expect.poll(() => server.questions.length).toBe(1);
    await session.edit(session.document.version, { kind: 'renameField', field: 0, value: 'Area' });
    await expect.poll(() => server.questions.length).toBe(2);
    const [first, second] = server.questions;
    expect([first?.signal.aborted, second?.signal.aborted]).toEqual([true, false]);
    second?.answer('SELECT 2');
    first?.answer('SELECT 1');
    await expect.poll(() => session.sql).toEqual({ ...settled, sql: 'SELECT 2' });
  });

  it('says that the server is asked only once it is, not while the report is being typed into', async () => {
    const { session, server } = open();
    await session.load();
    await session.addFields(0, [1], null);
    for (const count of [1, 2]) {
      expect(session.sql).toEqual({ ...settled, isLoading: true, isOutdated: true });
      await expect.poll(() => server.questions.length).toBe(count);
      expect(session.sql).toEqual({ ...settled, isLoading: true, isAsked: true, isOutdated: true });
      await session.edit(session.document.version, { kind: 'renameField', field: 0, value: `Area ${count}` });
    }
    session.dispose();
  });

  it('stays while the server refuses the report, with the field that it names', async () => {
    const { session, server } = open();
    await session.load();
    await session.addFields(0, [1, 2], null);
    await expect.poll(() => server.questions.length).toBe(1);
    server.questions[0]?.answer('SELECT 1');
    await expect.poll(() => session.sql.sql).toBe('SELECT 1');
    await session.edit(session.document.version, { kind: 'setFormula', field: 1, value: 'x(' });
    await expect.poll(() => server.questions.length).toBe(2);
    server.questions[1]?.answer(new ClientError('refused', 'Field "Amount": no', { server: 'Main' }));
    await expect
      .poll(() => session.sql)
      .toEqual({ ...settled, sql: 'SELECT 1', isOutdated: true, problem: 'Field "Amount": no', problemField: 1 });
  });

  it('is of an earlier state where it cannot be asked for, and is asked for again on demand', async () => {
    const { session, server, held } = open();
    await session.load();
    await session.addFields(0, [1], null);
    await expect.poll(() => server.questions.length).toBe(1);
    server.questions[0]?.answer('SELECT 1');
    await expect.poll(() => session.sql.isOutdated).toBe(false);
    const whole = held.text;
    for (const broken of [`${whole}]`, whole.replace(/"FieldList": \[/, '"FieldList": [7,'), '{}']) {
      held.text = broken;
      session.textChanged();
      await expect
        .poll(() => session.sql, { message: broken })
        .toMatchObject({ sql: 'SELECT 1', isOutdated: true, isLoading: false });
      held.text = whole;
      session.textChanged();
      await expect.poll(() => server.questions.at(-1)?.signal.aborted).toBe(false);
      server.questions.at(-1)?.answer('SELECT 1');
      await expect.poll(() => session.sql.isOutdated).toBe(false);
    }
    const asked = server.questions.length;
    session.retrySql();
    await expect.poll(() => server.questions.length).toBe(asked + 1);
  });

  it('blames no field where several could be meant', () => {
    const fields = (...names: string[]): Report => ({
      FieldList: names.map((DisplayFieldName) => ({ DisplayFieldName })),
    });
    expect(namedField('Criteria of "Delay" …', fields('State', 'Delay'))).toBe(1);
    expect(namedField('Criteria of "Delay" …', fields('Delay', 'Delay'))).toBeNull();
    expect(namedField('The database broke off', fields('State'))).toBeNull();
    expect(namedField("no such thing as 'Delay Min'", fields('Delay', 'Delay Min'))).toBe(1);
    const words = 'Field "Net": "Total Miles" at 1 is not a field of the report type.';
    expect(namedField(words, fields('Net', 'Total Miles'))).toBe(0);
  });
});

describe('a preview', () => {
  const row = { Op: 'between', Value1: '1', Value2: '2', bprompt: true, bskip: true };
  it('has few rows and the prompts of the report', () => {
    const metadata = draftMetadata({
      TopN: null,
      FieldList: [{ DisplayFieldName: 'Day', Criteria: [{ Op: '=' }, row] }],
    });
    expect(metadata.Report?.TopN).toBe(previewRows);
    expect(metadata.Prompts).toMatchObject([
      {
        isBetween: true,
        isInList: false,
        isSkipable: true,
        LowValue: '1',
        HighValue: '2',
        PromptField: { Criteria: [row] },
      },
    ]);
    for (const Op of ['is-between', 'IS NOT IN', 'startswith', 'gte', 'before', 'is equal to']) {
      const FieldList = [{ DisplayFieldName: 'Day', DbFieldName: 'day', Criteria: [{ ...row, Op }] }];
      // The server asks for the saved report as the builder does for the draft.
      expect(draftMetadata({ FieldList }).Prompts).toEqual(promptsOf({ FieldList }));
    }
    expect(draftMetadata({ TopN: 3, FieldList: [] })).toMatchObject({ Report: { TopN: 3 }, Prompts: null });
  });
});
