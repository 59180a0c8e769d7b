import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type FieldTypeCode, fieldTypes } from '../../../src/contract/fieldTypes.ts';
import { type Database, DatabaseError } from '../../../src/server/databases/database.ts';
import { Databases } from '../../../src/server/databases/databases.ts';
import { planReport } from '../../../src/server/reports/planReport.ts';
import { ReportTables, sourceColumns } from '../../../src/server/reports/reportTables.ts';
import { spokenBy } from '../../../src/server/reports/sql/dialect.ts';
import { dialectOf } from '../../../src/server/reports/sql/dialects.ts';
import { type Statement, statementOf } from '../../../src/server/reports/sql/emit.ts';
import { policyOperators } from '../../../src/contract/operators.ts';
import { policyConstraint, type PolicyConstraint } from '../../../src/server/security/policyConstraint.ts';
import { type LivePlatform, newestReleases, startAllReleases } from '../../support/databases/livePlatforms.ts';
import { type Meaning, meanings, typedColumns, typedTable } from '../../support/databases/typedColumns.ts';
import { figure } from '../../support/run/figure.ts';
import { reading } from '../../support/reports/runPlan.ts';
import { isFull } from '../../support/run/soakSize.ts';
import { anyFolder } from '../../support/databases/anyFolder.ts';

/*
 * Every type of a database, registered as every field type, under every operator with relative and plain values: a policy
 * shows the rows that a person would point out, who knows what was put in, or no row. What is pointed out is said here by
 * plain JavaScript, without the gate.
 */

type Operator = PolicyConstraint['Operator'];

const engines = [
  ...['duckdb', 'sqlite', 'mysql', ...Object.values(newestReleases)],
  ...(isFull ? ['postgresql', 'clickhouse', 'trino'] : []),
];
const today = '2026-03-18';
const values = [
  ...['[Today]', '[Tomorrow]', '[Yesterday]', '[This Month]', '[Last 30 Days]'],
  ...[
    'North',
    '5',
    '4.5',
    '9007199254740993',
    '1773792000',
    '2026-03-18',
    '3/17/2026',
    '2026-03-18 12:00:00',
    '2200-01-01',
  ],
];
const second = (value: string) =>
  /^\d+(\.\d)?$/.test(value) ? '2000000000' : /^[A-Z]/.test(value) ? 'South' : '2026-03-31';

let folder: string;
let platforms: LivePlatform[] = [];
const databases = new Databases(anyFolder, true);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'column-types-'));
  platforms = await startAllReleases(folder, typedTable);
}, 300_000);
afterAll(async () => {
  await databases.close();
  await Promise.all(platforms.map(({ stop }) => stop()));
  await rm(folder, { recursive: true });
}, 60_000);

/** First and last millisecond of what a text means as days, or undefined. */
function spanOf(value: string): { from: number; before: number } | undefined {
  const day = Date.parse(`${today}T00:00:00Z`);
  const length = 86_400_000;
  switch (value) {
    case '[Today]':
      return { from: day, before: day + length };
    case '[Tomorrow]':
      return { from: day + length, before: day + 2 * length };
    case '[Yesterday]':
      return { from: day - length, before: day };
    case '[This Month]':
      return { from: Date.UTC(2026, 2, 1), before: Date.UTC(2026, 3, 1) };
    case '[Last 30 Days]':
      return { from: day - 29 * length, before: day + length };
    case '3/17/2026':
      return spanOf('[Yesterday]');
  }
  if (/^\d{4}-\d\d-\d\d$/.test(value))
    return { from: Date.parse(`${value}T00:00:00Z`), before: Date.parse(`${value}T00:00:00Z`) + length };
  const moment = /^\d{4}-/.test(value) ? Date.parse(`${value.replace(' ', 'T')}Z`) : NaN;
  return Number.isNaN(moment) ? undefined : { from: moment, before: moment + 1 };
}

/** Where a value lies beside a text: below, within, above; undefined when they cannot be compared. */
function place(value: Meaning, text: string): number | undefined {
  if (typeof value === 'string') return value === text ? 0 : NaN;
  if (value instanceof Date) {
    const span = spanOf(text);
    return span && (value.getTime() < span.from ? -1 : value.getTime() >= span.before ? 1 : 0);
  }
  if (value === undefined || !/^\d+(\.\d+)?$/.test(text)) return undefined;
  if (typeof value === 'bigint' && !text.includes('.')) return value < BigInt(text) ? -1 : Number(value > BigInt(text));
  return Math.sign(Number(value) - Number(text));
}

/** Whether a person points a value out. */
function isMeant(value: Meaning, operator: Operator, low: string, high: string): boolean {
  if (operator === 'like') return typeof value === 'string' && value.startsWith(low);
  const at = place(value, low);
  if (at === undefined) return false;
  switch (operator) {
    case '=':
    case 'in':
      return at === 0;
    case '<>':
    case 'not in':
      return at !== 0;
    case '<':
      return at < 0;
    case '<=':
      return at <= 0;
    case '>':
      return at > 0;
    case '>=':
      return at >= 0;
    case 'between':
      return at >= 0 && (place(value, high) ?? 1) <= 0;
  }
}

/** Whether the rows have to be shown, and not none of them. */
function isCertain(holds: string, registered: FieldTypeCode, operator: Operator, value: string): boolean {
  const isFree = ['ddn', 'lnk', 'flk', 'for'].includes(registered);
  const isDay = spanOf(value) !== undefined;
  switch (holds) {
    case 'text': {
      if (!isFree && registered !== 'cha') return false;
      if (operator === '=' || operator === 'in' || operator === 'like') return !value.startsWith('[');
      return (operator === '<>' || operator === 'not in') && !isDay;
    }
    case 'number':
      return (
        (isFree || ['num', 'cur', 'per', 'udt'].includes(registered)) &&
        operator !== 'like' &&
        /^\d+(\.\d+)?$/.test(value)
      );
    case 'moment':
      return (isFree || ['dat', 'dtz', 'doz', 'tsp'].includes(registered)) && operator !== 'like' && isDay;
    default:
      return false;
  }
}

interface Engine {
  /** Runs a policy on column `c0`, `c1` … registered as a field type, and gives the ids that it shows. */
  shown: (column: string, registered: FieldTypeCode, constraint: PolicyConstraint) => Promise<number[]>;
}

async function engineOf({ name, platform, regserver }: LivePlatform): Promise<Engine> {
  const text = (key: string) => z.string().default('').parse(regserver[key]);
  const database = await databases.at(
    {
      ...{ id: name, displayName: name, platform, host: text('DatabaseServer'), database: text('DatabaseName') },
      ...{ login: text('DatabaseLogin'), commandTimeout: 30, connectionTimeout: 10, params: '' },
    },
    () => text('DatabasePassword'),
  );
  const dialect = dialectOf(platform);
  if (!dialect) throw new Error(`There is no dialect ${platform}`);
  const described = sourceColumns(platform, await database.columns({ owner: '', name: 'typed' }, limits()));
  const known = new Map<string, Promise<number[]>>();
  const shown: Engine['shown'] = (column, registered, constraint) => {
    const field = {
      id: 2,
      label: column,
      folder: '',
      tableAlias: 't',
      column,
      fieldType: registered,
      order: 2,
    } as const;
    const idField = { ...field, id: 1, label: 'id', column: 'id', fieldType: 'num', order: 1 } as const;
    const tables = new ReportTables(
      {
        ...{ id: '1', name: 'typed', moduleId: '7', serverId: '3', joins: [], fields: [idField, field] },
        tables: [{ name: 'typed', owner: '', alias: 't' }],
      },
      () => described,
    );
    const report = {
      FieldList: [{ DbTableAlias: 't', DbFieldName: 'id', DisplayFieldName: 'id', RenamedField: 'id', Criteria: [] }],
    };
    const security = { policies: [{ constraints: [constraint] }], tagValues: () => undefined, today };
    const statement = statementOf(planReport(report, tables, security, reading).select, spokenBy(dialect, database));
    const key = JSON.stringify(statement);
    const running = known.get(key) ?? idsOf(database, statement).catch(noneWhereComputingFails);
    known.set(key, running);
    return running;
  };
  return { shown };
}

function limits() {
  return { signal: new AbortController().signal, timeoutMs: 30_000 };
}

async function idsOf(database: Database, statement: Statement): Promise<number[]> {
  const texts: string[] = [];
  for await (const { json } of await database.readJson(statement, limits())) texts.push(String(json));
  const rows = JSON.parse(`[${texts.join(',')}]`) as { id: number }[];
  return rows.map(({ id }) => id).toSorted((one, other) => one - other);
}

/** A failed query shows no row; one that the database does not understand would be a mistake of ours. */
function noneWhereComputingFails(error: unknown): number[] {
  if (error instanceof DatabaseError && error.kind === 'failed') return [];
  throw error;
}

function requirePlatform(name: string, skip: (note: string) => never): LivePlatform {
  return platforms.find((platform) => platform.name === name) ?? skip(`${name} is not installed here`);
}

const registeredTypes = Object.keys(fieldTypes) as FieldTypeCode[];

describe('the type of a column', () => {
  it.for(engines)(
    'decides on %s which rows a policy shows, whatever is registered: those that are meant, or none',
    { timeout: 300_000 },
    async (name, { skip }) => {
      const live = requirePlatform(name, skip);
      const { platform } = live;
      const engine = await engineOf(live);
      const problems: string[] = [];
      let cases = 0;
      let withRows = 0;
      for (const [index, column] of (typedColumns[platform] ?? []).entries()) {
        const meant = meanings(platform, column);
        for (const registered of registeredTypes) {
          for (const operator of policyOperators) {
            for (const value of values) {
              const high = second(value);
              const text = operator === 'like' ? `${value}%` : operator.endsWith('in') ? `"${value}"` : value;
              const constraint = policyConstraint.parse({
                ...{ TableName: 'typed', ColumnName: `c${index}`, Operator: operator, Value: text, Value2: high },
              });
              const ids = await engine.shown(`c${index}`, registered, constraint);
              const expected = meant.flatMap((each, id) => (isMeant(each, operator, value, high) ? [id] : []));
              // ClickHouse fails where a whole number has no room among the decimals of a column, and knows no later days.
              const isTooFar =
                value === '2200-01-01' || (column.type.includes('Decimal') && value === '9007199254740993');
              const mayBeNone =
                (platform === 'clickhouse' && isTooFar) || !isCertain(column.holds, registered, operator, value);
              cases += 1;
              withRows += ids.length > 0 ? 1 : 0;
              if (ids.join() === expected.join() || (mayBeNone && ids.length === 0)) continue;
              problems.push(
                `${column.type} as ${registered} ${operator} ${text}: ${ids.join()}, meant are ${expected.join()}`,
              );
            }
          }
        }
      }
      expect(problems.slice(0, 40)).toEqual([]);
      expect(withRows).toBeGreaterThan(500);
      figure(
        'row security',
        `${name}: ${cases} policies over types and registered types, ${withRows} with rows, 0 others`,
      );
    },
  );
});

/** Whole seconds as the moment that a policy means by them; those that no calendar has are later than all. */
function asMoment(meaning: Meaning): Meaning {
  if (typeof meaning !== 'number' && typeof meaning !== 'bigint') return undefined;
  return new Date(Math.min(Number(meaning) * 1000, 8.64e15));
}

describe('numbers of seconds', () => {
  it.for(engines)(
    'takes numbers on %s for Unix time where the policy says so, whatever is registered',
    { timeout: 300_000 },
    async (name, { skip }) => {
      const live = requirePlatform(name, skip);
      const { platform } = live;
      const engine = await engineOf(live);
      const problems: string[] = [];
      let withRows = 0;
      for (const [index, column] of (typedColumns[platform] ?? []).entries()) {
        const meant = meanings(platform, column).map((each) =>
          column.holds === 'number' ? asMoment(each) : undefined,
        );
        for (const registered of registeredTypes) {
          for (const operator of policyOperators) {
            for (const value of values.filter((each) => spanOf(each) !== undefined && each !== '2200-01-01')) {
              const constraint = policyConstraint.parse({
                ...{ TableName: 'typed', ColumnName: `c${index}`, Operator: operator, ColumnType: 'unixTime' },
                ...{ Value: value, Value2: second(value) },
              });
              const ids = await engine.shown(`c${index}`, registered, constraint);
              const expected = meant.flatMap((each, id) => (isMeant(each, operator, value, second(value)) ? [id] : []));
              const mayBeNone = !isCertain(column.holds === 'number' ? 'number' : 'none', registered, '=', '5');
              withRows += ids.length > 0 ? 1 : 0;
              if (ids.join() === expected.join() || (mayBeNone && ids.length === 0)) continue;
              problems.push(
                `${column.type} as ${registered} ${operator} ${value}: ${ids.join()}, meant are ${expected.join()}`,
              );
            }
          }
        }
      }
      expect(problems.slice(0, 40)).toEqual([]);
      expect(withRows).toBeGreaterThan(500);
    },
  );
});
