import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { fieldTypeOf } from '../../../../src/features/applications/proposeReportType.ts';
import { askClickhouse } from '../../../support/databases/clickhouseServer.ts';
import {
  newestReleases,
  type Registered,
  registerServer,
  registerTable,
  served,
  tableReport,
} from '../../../support/databases/livePlatforms.ts';
import { startModernClickhouse } from '../../../support/databases/modernClickhouse.ts';
import { isFull } from '../../../support/run/soakSize.ts';
import { runOnTrino, trinoSchema } from '../../../support/databases/trinoPlatform.ts';
import { type SignedIn, startServer, type TestServer } from '../../../support/server.ts';

/*
 * A column of every type, registered as the wizard proposes: what it shows is what finds, sorts and groups it. Rows 1
 * and 3 hold the first value, row 2 the second, row 4 nothing where the type has that.
 */

interface Kind {
  type: string;
  /** As the engine's SQL, in the order of what they mean. */
  values: readonly [string, string];
  /** Whether the type can hold nothing. */
  isNullable?: boolean;
  /** What is refused in words: the database has no such operation on the type. */
  refused?: readonly Step[];
}

const filtered = ['=', '<>', 'in', 'ends with'] as const;
type Step = (typeof filtered)[number] | 'sorted' | 'grouped' | 'largest';

const clickhouse: Readonly<Record<string, Kind>> = {
  day: { type: 'Nullable(Date32)', values: ["'1925-05-06'", "'2199-12-31'"], isNullable: true },
  moment: {
    type: "Nullable(DateTime64(3, 'UTC'))",
    values: ["'1931-08-09 01:02:03.004'", "'2199-12-31 00:00:00.000'"],
    isNullable: true,
  },
  tokyo: {
    type: "DateTime64(6, 'Asia/Tokyo')",
    values: ["'2026-02-03 23:59:58.123456'", "'2026-02-04 00:00:00.000000'"],
  },
  nanos: {
    type: 'DateTime64(9)',
    values: ["'2026-02-03 23:59:58.120000000'", "'2026-02-04 00:00:00.123456000'"],
  },
  second: { type: 'DateTime', values: ["'2026-02-03 23:59:58'", "'2026-02-04 00:00:00'"] },
  precise: { type: 'Decimal(76, 10)', values: ["'-1234567890123456789012345678901234567890.0123456789'", "'0.5'"] },
  wide: {
    type: 'Int128',
    values: ["'-170141183460469231731687303715884105728'", "'170141183460469231731687303715884105727'"],
  },
  huge: {
    type: 'Nullable(UInt256)',
    values: ["'9007199254740993'", "'115792089237316195423570985008687907853269984665640564039457584007913129639935'"],
    isNullable: true,
  },
  half: { type: 'Float32', values: ['0.125', '2.5'] },
  yes: { type: 'Nullable(Bool)', values: ['false', 'true'], isNullable: true },
  key: {
    type: 'Nullable(UUID)',
    values: ["'11111111-0000-0000-0000-000000000000'", "'5a3b0f6e-3c5b-4a57-9d0a-0a4c8f2d9e11'"],
    isNullable: true,
  },
  kind: { type: "Enum8('one' = 1, 'two' = 2)", values: ["'one'", "'two'"] },
  few: { type: 'LowCardinality(Nullable(String))', values: ["'a'", "'é\"'"], isNullable: true },
  code: { type: 'Nullable(FixedString(8))', values: ["'North'", "'South'"], isNullable: true },
  tags: { type: 'Array(String)', values: ["['x', 'y\"']", "['z']"], refused: ['largest'] },
  pairs: { type: 'Map(String, Int64)', values: ["{'k': 1}", "{'k': 2}"], refused: ['largest'] },
  pair: { type: 'Tuple(a String, b Int32)', values: ["('s', 1)", "('t', 2)"] },
  document: { type: 'JSON', values: [`'{"a":1,"b":{"c":["x/y"]}}'`, `'{"a":9007199254740993,"b":"é"}'`] },
  maybe: { type: 'Nullable(JSON)', values: [`'{"a":"1"}'`, `'{"a":"2"}'`], isNullable: true },
  open: { type: 'Dynamic', values: ['5::Int64', "'u'::String"], refused: ['largest'] },
  spot: { type: 'Point', values: ['(1, 2)', '(3, 4)'] },
  either: { type: 'Variant(Int32, String)', values: ["'text'", "'u'"], refused: ['largest'] },
  lists: { type: 'Variant(Array(String), Int32)', values: ["['q']::Array(String)", '7::Int32'], refused: ['largest'] },
  place: { type: 'Nullable(IPv4)', values: ["'10.0.0.1'", "'10.0.0.2'"], isNullable: true },
  place6: { type: 'IPv6', values: ["'2001:db8::1'", "'2001:db8::2'"] },
};

const trino: Readonly<Record<string, Kind>> = {
  whole: { type: 'bigint', values: ['-9007199254740993', '9223372036854775807'], isNullable: true },
  precise: {
    type: 'decimal(38, 2)',
    values: ["DECIMAL '-123456789012345678901234567890123456.78'", "DECIMAL '0.5'"],
    isNullable: true,
  },
  near: { type: 'real', values: ['0.125', '2.5'], isNullable: true },
  far: { type: 'double', values: ['-1e300', '2.5e0'], isNullable: true },
  yes: { type: 'boolean', values: ['false', 'true'], isNullable: true },
  padded: { type: 'char(6)', values: ["'ab'", "'b'"], isNullable: true },
  text: { type: 'varchar', values: ["'a b '", "'é\"'"], isNullable: true },
  day: { type: 'date', values: ["DATE '0044-03-15'", "DATE '2199-12-31'"], isNullable: true },
  second: {
    type: 'timestamp(0)',
    values: ["TIMESTAMP '1925-05-06 07:08:09'", "TIMESTAMP '2026-01-02 03:04:05'"],
    isNullable: true,
  },
  micro: {
    type: 'timestamp(6)',
    values: ["TIMESTAMP '2026-01-02 03:04:05.123456'", "TIMESTAMP '2026-01-02 03:04:05.123457'"],
    isNullable: true,
  },
  pico: {
    type: 'timestamp(12)',
    values: ["TIMESTAMP '2026-01-02 03:04:05.123456789012'", "TIMESTAMP '2026-01-02 03:04:05.123456789013'"],
    isNullable: true,
    refused: filtered,
  },
  zoned: {
    type: 'timestamp(3) with time zone',
    values: ["TIMESTAMP '2026-01-02 03:04:05.120 UTC'", "TIMESTAMP '2026-01-03 03:04:05.120 UTC'"],
    isNullable: true,
  },
  berlin: {
    type: 'timestamp(0) with time zone',
    values: ["TIMESTAMP '2026-01-02 03:04:05 Europe/Berlin'", "TIMESTAMP '2026-07-02 03:04:05 Europe/Berlin'"],
    isNullable: true,
    refused: filtered,
  },
  clock: { type: 'time(3)', values: ["TIME '01:02:03.120'", "TIME '02:00:00'"], isNullable: true },
  zonedClock: {
    type: 'time(0) with time zone',
    values: ["TIME '03:02:03 +02:00'", "TIME '04:00:00 +02:00'"],
    isNullable: true,
  },
  spell: { type: 'interval day to second', values: ["INTERVAL '3' DAY", "INTERVAL '4' DAY"], isNullable: true },
  years: {
    type: 'interval year to month',
    values: ["INTERVAL '1-2' YEAR TO MONTH", "INTERVAL '2-2' YEAR TO MONTH"],
    isNullable: true,
  },
  key: {
    type: 'uuid',
    values: ["UUID '11111111-2222-3333-4444-555555555555'", "UUID '21111111-2222-3333-4444-555555555555'"],
    isNullable: true,
  },
  document: {
    type: 'json',
    values: [`JSON '{"a":[1,2]}'`, `JSON '{"a":[2]}'`],
    isNullable: true,
    refused: ['sorted', 'largest'],
  },
  tags: { type: 'array(varchar)', values: ["ARRAY['x', 'y\"']", "ARRAY['z']"], isNullable: true, refused: filtered },
  pairs: {
    type: 'map(varchar, bigint)',
    values: ["MAP(ARRAY['k'], ARRAY[BIGINT '1'])", "MAP(ARRAY['k'], ARRAY[BIGINT '2'])"],
    isNullable: true,
    refused: [...filtered, 'sorted', 'largest'],
  },
  pair: {
    type: 'row(n bigint, t varchar)',
    values: ["CAST(ROW(1, 'x') AS row(n bigint, t varchar))", "CAST(ROW(2, 'x') AS row(n bigint, t varchar))"],
    isNullable: true,
    refused: filtered,
  },
  place: { type: 'ipaddress', values: ["IPADDRESS '10.0.0.1'", "IPADDRESS '10.0.0.2'"], isNullable: true },
  bytes: { type: 'varbinary', values: ["x'01ab'", "x'02'"], isNullable: true, refused: filtered },
};

/** Each query on Trino takes much of the processor: outside `npm run soak`, it runs those of few columns. */
const few = ['yes', 'clock', 'key', 'tags'];
const engines: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  [newestReleases.clickhouse]: clickhouse,
  trino: Object.fromEntries(Object.entries(trino).filter(([name]) => isFull || few.includes(name))),
};

const apps = new Map<string, Registered>();
const stops: (() => Promise<void>)[] = [];
let server: TestServer;
let admin: SignedIn;

function rowsOf(kinds: Readonly<Record<string, Kind>>): string[] {
  return [1, 2, 3, 4].map((id) => {
    const cells = Object.values(kinds).map(({ values, isNullable }) =>
      id === 4 && isNullable ? 'NULL' : values[id === 2 ? 1 : 0],
    );
    return `${[id, ...cells].join(', ')}`;
  });
}

function definition(kinds: Readonly<Record<string, Kind>>, whole: string): string {
  return [`id ${whole}`, ...Object.entries(kinds).map(([name, { type }]) => `${name} ${type}`)].join(', ');
}

async function register(name: string, platform: string, regserver: object): Promise<void> {
  const app = await registerServer(admin, name, platform, { ...regserver, CommandTimeout: 120 });
  const kinds = engines[name] ?? {};
  const columns = Object.fromEntries(Object.entries(kinds).map(([column, { type }]) => [column, fieldTypeOf(type)]));
  await registerTable(admin, app, { name: 'kinds', columns: { id: 'num', ...columns } });
  apps.set(name, app);
}

beforeAll(async () => {
  server = await startServer();
  admin = await server.login('admin', server.adminPassword);
  const recent = await startModernClickhouse();
  if (recent) {
    stops.push(recent.stop);
    await askClickhouse(
      recent,
      `CREATE TABLE kinds (${definition(clickhouse, 'Int32')}) ENGINE = MergeTree ORDER BY id`,
    );
    for (const row of rowsOf(clickhouse)) await askClickhouse(recent, `INSERT INTO kinds VALUES (${row})`);
    await register(newestReleases.clickhouse, 'clickhouse', served('clickhouse', recent).regserver);
  }
  const lake = await trinoSchema();
  if (lake) {
    await runOnTrino(lake, [
      `CREATE TABLE kinds (${definition(trino, 'integer')})`,
      `INSERT INTO kinds SELECT * FROM (VALUES ${rowsOf(trino)
        .map((row) => `(${row})`)
        .join(', ')})`,
    ]);
    await register('trino', 'trino', served('trino', lake).regserver);
  }
}, 300_000);
afterAll(async () => {
  await server?.stop();
  for (const stop of stops) await stop();
}, 60_000);

const result = z.object({
  HasError: z.boolean(),
  ErrorMessage: z.string().nullable(),
  Data: z.array(z.record(z.string(), z.unknown())),
});
type Change = Readonly<Record<string, unknown>>;

/** A database or the server has no such operation. */
class Refused extends Error {}

/** Rows of a report of columns, each with what changes its field; numbers as they were sent. @throws {Refused} */
async function read(app: Registered, fields: Readonly<Record<string, Change>>, more: Change = {}) {
  const { FieldList, ...report } = tableReport(app, 'kinds', Object.keys(fields));
  const changed = FieldList.map((field) => ({ ...field, ...fields[field.DbFieldName] }));
  const sent = { ...report, FieldList: changed, ...more };
  const { text } = await admin.call('Report/GetReportData', { Reportobj: { Report: sent } });
  const reply: unknown = JSON.parse(text, (_key, value: unknown, { source }) =>
    typeof value === 'number' ? source : value,
  );
  const { HasError, ErrorMessage, Data } = result.parse(reply);
  if (HasError) throw new Refused(ErrorMessage ?? '');
  return Data;
}

const ids = (rows: readonly Change[]) => rows.map(({ id }) => Number(id));
const where = (Op: string, Value1: string) => ({ Criteria: [{ Index: 1, Op, Value1 }] });

describe.each(Object.keys(engines))('a column on %s', (name) => {
  it.for(Object.entries(engines[name] ?? {}))('%s', async ([column, kind], { skip }) => {
    const app = apps.get(name) ?? skip(`${name} is missing here`);
    const cells = new Map((await read(app, { id: {}, [column]: {} })).map((row) => [Number(row.id), row[column]]));
    const [first, second] = [String(cells.get(1)), String(cells.get(2))];
    expect(first).not.toBe(second);
    expect([3, 4].map((id) => cells.get(id))).toEqual([cells.get(1), kind.isNullable ? null : cells.get(1)]);

    const firsts = kind.isNullable ? [1, 3] : [1, 3, 4];
    const found = async (Op: string, text: string) =>
      ids(await read(app, { id: {}, [column]: where(Op, text) })).toSorted();
    const order = async (sortorder: string) =>
      ids(await read(app, { id: {}, [column]: { Criteria: [{ Index: 1, sortorder }] } })).filter((id) => id < 4);
    const counts = async () => {
      const groups = await read(app, { [column]: {}, id: { strGroup: 'COUNT' } });
      return new Map(groups.map((row) => [row[column], Number(row.id)]));
    };
    const steps: Partial<Record<Step, [work: () => Promise<unknown>, expected: unknown]>> = {
      '=': [() => found('=', first), firsts],
      '<>': [() => found('<>', second), firsts],
      in: [() => found('in', `"${second.replaceAll('"', '""')}"`), [2]],
      ...(fieldTypeOf(kind.type) === 'cha' && { 'ends with': [() => found('ends with', second), [2]] }),
      sorted: [async () => [(await order('1')).at(-1), (await order('-1'))[0]], [2, 2]],
      grouped: [
        counts,
        new Map([[cells.get(1), firsts.length], [cells.get(2), 1], ...(kind.isNullable ? [[null, 1] as const] : [])]),
      ],
      largest: [async () => (await read(app, { [column]: { strGroup: 'MAX' } }))[0]?.[column], cells.get(2)],
    };
    if (fieldTypeOf(kind.type) === 'cha' && !kind.refused?.includes('largest') && !kind.refused?.includes('=')) {
      const largest = await read(app, { [column]: { strGroup: 'MAX', ...where('=', second) } });
      expect(largest, 'largest, =').toHaveLength(1);
    }
    for (const [step, [work, expected]] of Object.entries(steps)) {
      const isRefused = kind.refused?.some((each) => each === step);
      if (isRefused) await expect(work(), step).rejects.toBeInstanceOf(Refused);
      else expect(await work(), step).toEqual(expected);
    }
    expect(await found('is null', ''), 'is null').toEqual(kind.isNullable ? [4] : []);
    expect(await read(app, { [column]: {} }, { Distinct: 1 }), 'distinct').toHaveLength(kind.isNullable ? 3 : 2);
  });
});
