import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Registered, registerTable } from '../../support/databases/livePlatforms.ts';
import { figure } from '../../support/run/figure.ts';
import { type AttackedTable, type Json, reportOf, type Scene, startScene } from '../../support/security/scene.ts';
import { soakSize } from '../../support/run/soakSize.ts';

/*
 * Policies on columns that hold days as text, numbers as text, Unix time or plain numbers, met as the database's own types have it.
 * An Architect under them registers the columns as something else, or names the table in another way, and wants more rows.
 */

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
interface Row {
  id: number;
  released: string | null;
  sold: string | null;
  stamp: number | null;
  amount: number | null;
  code: string | null;
}
const seconds = (text: string) => Date.parse(text) / 1000;
const made = (id: number, text: string, amount: number, code: string): Row => ({
  ...{ id, released: text, sold: text, stamp: seconds(text), amount, code },
});
const rows: Row[] = [
  made(1, '2001-01-05', 3, '10'),
  made(2, day(-400), 20, '9'),
  made(3, day(-40), 100, 'A'),
  made(4, day(400), 1_000, '1000'),
  made(5, '2090-12-31', 200_000, 'zebra'),
  made(6, day(40), 5_000, '50'),
  { id: 7, released: null, sold: null, stamp: null, amount: null, code: null },
  { ...made(8, day(-30), 7, ''), released: 'soon' },
  { ...made(9, day(30), 8, '~'), released: '' },
];

const literal = (value: string | number | null) =>
  value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`;
const table: AttackedTable = {
  name: 'deals',
  columns: { id: 'num', released: 'doz', sold: 'doz', stamp: 'udt', amount: 'num', code: 'cha' },
  setup: (platform) => {
    const isClickhouse = platform === 'clickhouse';
    const nullable = (type: string) => (isClickhouse ? `Nullable(${type})` : type);
    const text = isClickhouse ? nullable('String') : platform === 'sqlite' ? 'TEXT' : 'VARCHAR(40)';
    const whole = isClickhouse ? nullable('Int64') : 'BIGINT';
    const columns = `id ${isClickhouse ? 'Int32' : 'INTEGER'}, released ${text}, sold ${nullable(platform === 'sqlite' ? 'TEXT' : 'DATE')}, stamp ${whole}, amount ${whole}, code ${text}`;
    const values = rows.map(({ id, released, sold, stamp, amount, code }) => [id, released, sold, stamp, amount, code]);
    return [
      `CREATE TABLE deals (${columns})${isClickhouse ? ' ENGINE = MergeTree ORDER BY id' : ''}`,
      `INSERT INTO deals VALUES ${values.map((each) => `(${each.map(literal).join(', ')})`).join(', ')}`,
    ];
  },
};

/** What a policy means, and so the most that anybody under it may see. */
interface Wanted {
  constraint: Json & { ColumnName: keyof Row };
  meets: (row: Row) => boolean;
}
const today = day(0);
const isDay = (text: string | null): text is string => text !== null && /^\d{4}-\d\d-\d\d$/.test(text);
const onDay = (column: 'released' | 'sold', test: (text: string) => boolean) => (row: Row) => {
  const text = row[column];
  return isDay(text) && test(text);
};
const year = (text: string) => text.slice(0, 4) === today.slice(0, 4);
const policiesOnDays = (column: 'released' | 'sold'): Wanted[] =>
  (
    [
      ['<=', '[Today]', (text) => text <= today],
      ['<', '[Tomorrow]', (text) => text <= today],
      ['<>', '[Yesterday]', (text) => text !== day(-1)],
      ['>', '[Yesterday]', (text) => text >= today],
      ['>=', '[Today]', (text) => text >= today],
      ['=', '[This Year]', year],
      ['not in', '[This Year]', (text) => !year(text)],
      ['between', '[Last Year]', (text) => text >= `${Number(today.slice(0, 4)) - 1}-01-01` && text <= today],
      ['<', '2026-01-01', (text) => text < '2026-01-01'],
      ['<=', '1/1/2026', (text) => text <= '2026-01-01'],
      ['>=', '2026-01-01', (text) => text >= '2026-01-01'],
      ['in', '[Today],[Tomorrow]', (text) => text === today || text === day(1)],
    ] satisfies [string, string, (text: string) => boolean][]
  ).map(([Operator, Value, test]) => ({
    constraint: { ColumnName: column, Operator, Value, Value2: '[Today]' },
    meets: onDay(column, test),
  }));
const policiesOnOthers: Wanted[] = [
  {
    constraint: { ColumnName: 'stamp', Operator: '<=', Value: '[Today]' },
    meets: ({ stamp }) => stamp !== null && stamp < seconds(day(1)),
  },
  {
    constraint: { ColumnName: 'stamp', Operator: '<', Value: '2026-01-01' },
    meets: ({ stamp }) => stamp !== null && stamp < seconds('2026-01-01'),
  },
  {
    constraint: { ColumnName: 'amount', Operator: '<', Value: '50' },
    meets: ({ amount }) => amount !== null && amount < 50,
  },
  {
    constraint: { ColumnName: 'amount', Operator: '>', Value: '999' },
    meets: ({ amount }) => amount !== null && amount > 999,
  },
  {
    constraint: { ColumnName: 'amount', Operator: 'between', Value: '5', Value2: '30' },
    meets: ({ amount }) => amount !== null && amount >= 5 && amount <= 30,
  },
  // The order of texts is no order of numbers: no row is certain.
  {
    constraint: { ColumnName: 'code', Operator: '<', Value: '50' },
    meets: ({ code }) => code !== null && /^\d+$/.test(code) && Number(code) < 50,
  },
  { constraint: { ColumnName: 'code', Operator: '=', Value: '9' }, meets: ({ code }) => code === '9' },
  {
    constraint: { ColumnName: 'code', Operator: '<>', Value: '9' },
    meets: ({ code }) => code !== null && code !== '9',
  },
];
const wanted = [...policiesOnDays('released'), ...policiesOnDays('sold'), ...policiesOnOthers];

let scene: Scene;
beforeAll(async () => {
  scene = await startScene(table);
}, 120_000);
afterAll(() => scene.stop(), 60_000);

const counts = { days: 0, types: 0 };

/** A policy is in force, or was refused and then there is none to get round. */
async function isTaken({ constraint }: Wanted): Promise<boolean> {
  const saved = await scene.restrictBy([constraint]);
  if (saved.ErrorCode === '0') return true;
  expect(saved.ErrorMessage).toMatch(/\S/);
  return false;
}

function expectOnly(found: readonly number[], { constraint, meets }: Wanted, way: string): void {
  const allowed = rows.filter(meets).map(({ id }) => id);
  const more = found.filter((id) => !allowed.includes(id));
  expect(more, `${JSON.stringify(constraint)} by ${way}`).toEqual([]);
}

/** Every run takes a part of them for each policy, another for the next one; `npm run soak` takes all. */
const everyOne = soakSize(6, 1);
const partOf = <T>(all: readonly T[], at: number): T[] => all.filter((_, index) => (index + at) % everyOne === 0);
const codes = ['cha', 'num', 'dat', 'dtz', 'doz', 'udt', 'tsp', 'ddn', 'lnk', 'flk', 'for', 'cur', 'per', '', 'xyz'];

/** Ways in which an Architect names table and columns anew; each gives the report type. */
const renames: Record<string, (column: string) => { name: string; columns: Record<string, string> }> = {
  'upper case': (column) => ({ name: 'DEALS', columns: { id: 'num', [column.toUpperCase()]: 'cha' } }),
  'quotes around the column': (column) => ({ name: 'deals', columns: { id: 'num', [`"${column}"`]: 'cha' } }),
  'quotes around the table': (column) => ({ name: '"deals"', columns: { id: 'num', [column]: 'cha' } }),
  'the table without the column': () => ({ name: 'deals', columns: { id: 'num' } }),
  'an expression as the column': (column) => ({ name: 'deals', columns: { id: 'num', [`${column} || ''`]: 'cha' } }),
};

it('the rows that a policy by the real types permits are seen', async () => {
  await scene.restrictBy([{ ColumnName: 'amount', Operator: '<', Value: '50' }]);
  for (const { app, platform } of scene.apps)
    expect(await scene.ids(reportOf(app, table)), platform).toEqual([1, 2, 8, 9]);
  await scene.restrictBy([{ ColumnName: 'code', Operator: '=', Value: '9' }]);
  for (const { app, platform } of scene.apps) expect(await scene.ids(reportOf(app, table)), platform).toEqual([2]);
});

describe('days that are kept as text', () => {
  it('never open a row by the order of letters, whoever asks', async () => {
    for (const each of policiesOnDays('released')) {
      if (!(await isTaken(each))) {
        counts.days += scene.apps.length;
        continue;
      }
      for (const { platform, app } of scene.apps) {
        for (const more of [{}, { cacheok: true }, { supressprompts: true }]) {
          counts.days += 1;
          expectOnly(await scene.ids(reportOf(app, table), more), each, `${platform} ${JSON.stringify(more)}`);
        }
      }
    }
  });
});

/** Registers the table a second time, as the attacker; undefined where that is refused. */
async function registered(app: Registered, as: string, type: { name: string; columns: Record<string, string> }) {
  try {
    return await registerTable(scene.attacker, app, { ...type, as });
  } catch {
    return undefined;
  }
}

describe('an Architect who registers other types', () => {
  it('sees no row more', async () => {
    for (const [at, each] of wanted.entries()) {
      const isInForce = await isTaken(each);
      const column = each.constraint.ColumnName;
      for (const { platform, app } of scene.apps) {
        for (const code of partOf(codes, at)) {
          const columns = { ...table.columns, [column]: code };
          const as = await registered(app, `Typed ${at} ${code}`, { name: 'deals', columns });
          counts.types += 1;
          if (as === undefined || !isInForce) continue;
          expectOnly(await scene.ids(reportOf(app, { ...table, columns }, as)), each, `${platform}, ${code}`);
        }
        for (const [name, rename] of partOf(Object.entries(renames), at)) {
          const type = rename(column);
          const as = await registered(app, `${name} ${at}`, type);
          counts.types += 1;
          if (as === undefined || !isInForce) continue;
          expectOnly(
            await scene.ids(reportOf(app, { ...table, columns: type.columns }, as)),
            each,
            `${platform}, ${name}`,
          );
        }
      }
    }
  }, 300_000);

  it('or sends the report with other types of fields', async () => {
    for (const [at, each] of wanted.entries()) {
      if (!(await isTaken(each))) continue;
      for (const { platform, app } of scene.apps) {
        const report = reportOf(app, table);
        for (const Fieldtype of partOf(codes, at)) {
          const FieldList = report.FieldList.map((field) => ({ ...field, Fieldtype, datatype: Fieldtype }));
          counts.types += 1;
          expectOnly(await scene.ids({ ...report, FieldList }), each, `${platform}, sent as ${Fieldtype}`);
        }
      }
    }
  }, 300_000);

  it('was tried at least sixty times in each way', () => {
    expect(counts.days).toBeGreaterThanOrEqual(60);
    expect(counts.types).toBeGreaterThanOrEqual(60);
    figure('E9', `${counts.days} attempts on days kept as text, ${counts.types} by other types: 0 leaks`);
  });
});
