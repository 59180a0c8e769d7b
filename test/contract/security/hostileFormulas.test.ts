import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type LivePlatform,
  newestReleases,
  registerServer,
  registerTable,
  startAllReleases,
  startLivePlatforms,
  tableReport,
} from '../../support/databases/livePlatforms.ts';
import { isRecord } from '../../support/isRecord.ts';
import { othersMeanwhile, shownTimes } from '../../support/faults/othersMeanwhile.ts';
import { residentBytes } from '../../support/processes/residentMemory.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';
import { isFull, soakSize } from '../../support/run/soakSize.ts';

/*
 * Formulas by which somebody who may only view takes the memory or the time of everybody: each is refused in words or
 * answered, and the server, with the processes that read for it, stays small and quick meanwhile.
 */

const perEngine = soakSize(4, 200);
const mostResident = 1024 * 1024 * 1024;
const rows = 5_000;
/** A sentence that quotes no row. */
const wordsWithoutData = /^(?!.*secret abc).*\w+ \w+ /s;

const letter = fc.constantFrom('a', 'b', 'c', ' ');
const amount = fc.constantFrom('t.n', '9e307', '1e-300', '0', '9007199254740993', `${'9'.repeat(99)}`);
const hostile = fc.oneof(
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 40 }), fc.constantFrom('t.note', "'aaaa'"))
    .map(grown),
  // What grows just as far as is allowed.
  fc
    .tuple(letter, fc.integer({ min: 90, max: 100 }))
    .map(([from, count]) => `REPLACE(t.note, '${from}', '${'x'.repeat(count)}')`),
  fc.integer({ min: 50, max: 101 }).map((count) => Array.from({ length: count }, () => 't.note').join(' || ')),
  fc.constantFrom('LPAD(t.note, 1000000000)', "REPEAT('x', 1000000000)", 'SPACE(1000000000)', 'POWER(t.n, 1e9)'),
  fc
    .tuple(letter, fc.integer({ min: 50, max: 4_000 }))
    .map(([char, count]) => `IIF(t.note LIKE '${`%${char}`.repeat(count)}%', 1, 0)`),
  fc.integer({ min: 10, max: 48 }).map((depth) => `${'IIF(t.n > 1, '.repeat(depth)}t.n${`, ${depth})`.repeat(depth)}`),
  fc
    .integer({ min: 500, max: 2_400 })
    .map((count) => `IIF(t.n IN (${Array.from({ length: count }, (_, n) => n).join(',')}), 1, 0)`),
  fc
    .tuple(amount, fc.constantFrom('*', '/', '%', '+', '-'), amount, fc.integer({ min: 1, max: 60 }))
    .map(
      ([one, operator, other, times]) =>
        `${one} ${operator} ${Array.from({ length: times }, () => other).join(` ${operator} `)}`,
    ),
  fc.integer({ min: 1_000, max: 4_900 }).map((count) => Array.from({ length: count }, () => '1').join('+')),
  fc.constantFrom(
    'LEFT(t.note, 999999999999)',
    'SUBSTRING(t.note, -999999999999, 999999999999)',
    'ROUND(t.n, 999999999)',
    "DAYSBETWEEN(t.day, '9999-12-31') * 9e300",
    'YEAR(CAST(t.note AS DATE))',
    'QUARTERSTART(CAST(t.n AS DATE))',
    'CAST(t.n * 9e300 AS INTEGER)',
    'MAX(t.note || t.note)',
    'COUNT(DISTINCT t.note || t.n)',
    "MIN(REPLACE(t.note, 'a', 'xxxxxxxxxxxxxxxxxxxx'))",
  ),
);

function grown([levels, factor, inner]: [number, number, string]): string {
  let formula = inner;
  for (let level = 0; level < levels; level += 1) {
    const [from, to] = level % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
    formula = `REPLACE(${formula}, '${from}', '${to.repeat(factor)}')`;
  }
  return formula;
}

/** A table of 5,000 texts of a thousand characters, a date and a number. */
function setup(platform: string): readonly string[] {
  const note = Array.from({ length: 100 }, () => 'secret abc').join('');
  const types = platform === 'clickhouse' ? ['Int32', 'String', 'Date'] : ['INTEGER', 'VARCHAR(1000)', 'DATE'];
  const engine = platform === 'clickhouse' ? ' ENGINE = MergeTree ORDER BY n' : '';
  const values = Array.from({ length: 500 }, (_, n) => `(${n}, '${note}', '2026-01-0${(n % 9) + 1}')`).join(', ');
  return [
    `CREATE TABLE wide (n ${types[0]}, note ${types[1]}, day ${types[2]})${engine}`,
    ...Array.from({ length: rows / 500 }, () => `INSERT INTO wide VALUES ${values}`),
  ];
}

let folder: string;
let server: TestServer;
let admin: SignedIn;
let platforms: LivePlatform[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'hostile-formulas-'));
  platforms = await (isFull ? startAllReleases : startLivePlatforms)(folder, setup);
  server = await startServer({
    allowOldEngines: true,
    databaseFolders: [folder],
  });
  admin = await server.login('admin', server.adminPassword);
}, 120_000);
afterAll(async () => {
  await server.stop();
  for (const platform of platforms) await platform.stop();
  rmSync(folder, { recursive: true });
});

/** Memory of the server and of the processes that it has started. */
function residentTogether(): number {
  const pid = server.process.pid;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const each = [pid, ...children.map(Number)].map((one) => {
    try {
      // One that has ended, but has not been waited for, has none.
      return residentBytes(one) || 0;
    } catch {
      // It has ended meanwhile.
      return 0;
    }
  });
  return each.reduce((sum, bytes) => sum + bytes, 0);
}

const engines = [
  ...['duckdb', 'sqlite', 'postgresql', 'mysql', 'clickhouse'],
  ...(isFull ? ['trino', ...Object.values(newestReleases)] : []),
];

describe('hostile formulas', () => {
  it.for(engines)('are answered or refused in words: %s', { timeout: perEngine * 20_000 }, async (name, context) => {
    const platform = platforms.find((each) => each.name === name);
    if (!platform) {
      context.skip(`${name} is not installed here`);
      return;
    }
    const app = await registerServer(admin, `Hostile ${name}`, platform.platform, platform.regserver);
    const type = await registerTable(admin, app, { name: 'wide', columns: { n: 'num', note: 'cha', day: 'doz' } });
    const seen = { answered: 0, refused: 0 };
    const run = async (formula: string) => {
      const report = { ...tableReport(app, type, ['n'], { n: formula }), TopN: 20 };
      const { status, text, json } = await admin.call('Report/GetReportData', { Reportobj: { Report: report } });
      expect([status, isRecord(json)], formula.slice(0, 200)).toEqual([200, true]);
      const isRefused = isRecord(json) && json.HasError === true;
      seen[isRefused ? 'refused' : 'answered'] += 1;
      if (!isRefused) expect(text, formula.slice(0, 200)).toContain('"Data":[');
      else expect(String(json.ErrorMessage), formula.slice(0, 200)).toMatch(wordsWithoutData);
    };
    let peak = 0;
    const watch = setInterval(() => (peak = Math.max(peak, residentTogether())), 10);
    const times = await othersMeanwhile(server, admin, async () => {
      await run(grown([8, 10, 't.note']));
      for (const formula of fc.sample(hostile, { numRuns: perEngine, seed: 20260101 })) await run(formula);
    });
    clearInterval(watch);
    const megabytes = Math.round(peak / 1024 / 1024);
    console.log(
      `${name}: ${seen.answered} answered, ${seen.refused} refused; ${megabytes} MB at most; others: ${shownTimes(times)}`,
    );
    expect(peak).toBeLessThan(mostResident);
    if (isFull) expect(times.p99).toBeLessThan(250);
  });
});
