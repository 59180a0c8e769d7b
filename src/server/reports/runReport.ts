import * as z from 'zod';
import { errorCodes } from '../../contract/errorCodes.ts';
import type { Report } from '../../contract/resources/report.ts';
import {
  type Database,
  DatabaseError,
  type DatabaseFailure,
  type JsonRows,
  type QueryOptions,
} from '../databases/database.ts';
import { parseExact } from '../databases/exactJson.ts';
import type { PlannedReport } from './planReport.ts';
import { type CachedResult, type ResultCache, ResultCollector } from './resultCache.ts';
import { type Dialect, spokenBy } from './sql/dialect.ts';
import { statementOf } from './sql/emit.ts';
import type { Select } from './sql/tree.ts';
import type { TotalsLevel } from './totalsPlan.ts';
import type { FieldTypeCode } from '../../contract/fieldTypes.ts';
import type { ResultColumn } from '../../contract/resources/reportResult.ts';
import { type ExpressionKind, kindOf } from './formulas/expressionKinds.ts';
import type { PlannedField } from './fieldPlan.ts';

/** Everything needed to run a planned report. */
export interface ReportRun {
  report: Report;
  plan: PlannedReport;
  dialect: Dialect;
  /** Identifies the registered server with its current settings; cached rows are never shared between servers. */
  source: string;
  database: () => Promise<Database>;
  options: QueryOptions;
  isTopLevel: boolean;
  /** Cache of results, and the maximum age; undefined always runs the query. */
  cache: { results: ResultCache; now: Date; maxAgeMs: number } | undefined;
}

/**
 * Runs a planned report and yields the result's JSON in chunks. Rows come before everything known only at the end: a
 * failure while reading them is reported by HasError after them. The first rows are available when the promise
 * resolves. API description, Report result.
 * @throws {DatabaseError} when the query cannot be started.
 */
export async function startReport(wanted: ReportRun): Promise<AsyncIterable<string | Uint8Array>> {
  const started = performance.now();
  // If the SQL depends on the server's version, the version must be read first, even for a cached result.
  const isVersioned = wanted.dialect.forVersion !== undefined;
  const run = isVersioned ? { ...wanted, dialect: spokenBy(wanted.dialect, await wanted.database()) } : wanted;
  const statement = statementOf(run.plan.select, run.dialect);
  const key = JSON.stringify([
    run.source,
    statement,
    run.plan.totals.map(({ select }) => statementOf(select, run.dialect)),
  ]);
  const found = run.cache?.results.find(key, run.cache.now, run.cache.maxAgeMs);
  if (found) return cachedDocument(run, found, started);
  const database = await run.database();
  const { rows, dialect } = await readSelect(run.plan.select, run.dialect, database, run.options);
  // Totals have the same criteria.
  return document({ ...run, dialect }, database, rows, { key, started });
}

/** Rows of a query, and the dialect that the database understood. */
interface SelectedRows {
  rows: AsyncIterable<JsonRows>;
  dialect: Dialect;
}

/**
 * Reads the rows of a query. Where the database refuses its types, a column that is registered as a text may hold
 * something else: then it is compared by what it shows.
 * @throws {DatabaseError}
 */
export async function readSelect(
  select: Select,
  dialect: Dialect,
  database: Database,
  options: QueryOptions,
): Promise<SelectedRows> {
  const statement = statementOf(select, dialect);
  try {
    return { rows: await database.readJson(statement, options), dialect };
  } catch (error) {
    const { ofOtherTypes } = dialect;
    if (!ofOtherTypes || !isOfKind(error, 'otherTypes')) throw error;
    const other = statementOf(select, ofOtherTypes);
    if (other.sql === statement.sql) throw error;
    try {
      return { rows: await database.readJson(other, options), dialect: ofOtherTypes };
    } catch (again) {
      // The first error names the column as the report does.
      throw isOfKind(again, 'refused', 'otherTypes') ? error : again;
    }
  }
}

function isOfKind(error: unknown, ...kinds: DatabaseFailure[]): boolean {
  return error instanceof DatabaseError && kinds.includes(error.kind);
}

function head({ report, plan }: ReportRun): string {
  const columns = plan.columns.map(resultColumn);
  const opening = {
    ErrorCode: errorCodes.success,
    ReportID: report.ReportID ?? null,
    OutputType: report.OutputType ?? 1,
    Columns: columns,
    jqxColumns: columns.map(gridColumn),
  };
  return `${JSON.stringify(opening).slice(0, -1)},"Data":[`;
}

interface Ending {
  error: string | null;
  groupMetadata: string;
  isFromCache: boolean;
  started: number;
  databaseMs: number;
}

function tail({ report, plan, isTopLevel }: ReportRun, ending: Ending): string {
  const closing = {
    groups: plan.groups.map(({ alias }) => alias),
    IsFromCache: ending.isFromCache,
    IsTopLevel: isTopLevel,
    ContainsDrilldown: (report.linkreports ?? []).length > 0,
    etime: String(Math.round(performance.now() - ending.started)),
    dbtime: String(Math.round(ending.databaseMs)),
    HasError: ending.error !== null,
    ErrorMessage: ending.error,
  };
  return `],"GroupMetadata":${ending.groupMetadata},${JSON.stringify(closing).slice(1)}`;
}

async function* cachedDocument(run: ReportRun, found: CachedResult, started: number) {
  yield head(run);
  yield* found.rows;
  yield tail(run, { error: null, groupMetadata: found.groupMetadata, isFromCache: true, started, databaseMs: 0 });
}

async function* document(
  run: ReportRun,
  database: Database,
  rows: AsyncIterable<JsonRows>,
  { key, started }: { key: string; started: number },
): AsyncGenerator<string | Uint8Array> {
  const ending: Ending = { error: null, groupMetadata: '[]', isFromCache: false, started, databaseMs: 0 };
  const collector = run.cache && new ResultCollector();
  yield head(run);
  try {
    let isFirst = true;
    for await (const { json } of rows) {
      for (const piece of piecesOf(json, isFirst)) {
        collector?.add(piece);
        yield piece;
      }
      isFirst = false;
    }
    ending.groupMetadata = JSON.stringify(await readTotals(run, database));
    ending.databaseMs = performance.now() - started;
    if (run.cache && collector?.pieces) {
      const result = { rows: collector.pieces, groupMetadata: ending.groupMetadata };
      run.cache.results.keep(key, result, run.cache.now);
    }
  } catch (error) {
    // The reply has begun: the envelope after the rows is the only remaining location for the error.
    ending.error = error instanceof DatabaseError ? error.message : 'The server could not complete the result';
  }
  yield tail(run, ending);
}

/** Rows with the comma after the previous rows: a separate text, which is sent together with the next chunk. */
function piecesOf(json: string | Buffer, isFirst: boolean): (string | Buffer)[] {
  if (isFirst) return [json];
  return typeof json === 'string' ? [`,${json}`] : [',', json];
}

/** Values by column key; numbers keep their digits. */
const rowsSchema = z.array(z.record(z.string(), z.unknown()));
type ExactRow = Readonly<Record<string, unknown>>;

/** One entry per group and level; see README.md, Totals. */
async function readTotals(run: ReportRun, database: Database): Promise<object[]> {
  const entries: object[] = [];
  let whole: ExactRow = {};
  for (const level of run.plan.totals) {
    const rows = await exactRows(database, run, level);
    if (level.level === 0) whole = rows[0] ?? {};
    entries.push(...rows.map((row) => totalsEntry(level, row, whole)));
  }
  return entries;
}

async function exactRows(database: Database, run: ReportRun, level: TotalsLevel): Promise<ExactRow[]> {
  const rows: ExactRow[] = [];
  const { rows: read } = await readSelect(level.select, run.dialect, database, run.options);
  for await (const { json } of read) rows.push(...rowsSchema.parse(parseExact(`[${String(json)}]`)));
  return rows;
}

function totalsEntry({ level, groups, totals }: TotalsLevel, row: ExactRow, whole: ExactRow): object {
  return {
    level,
    keys: groups.map(({ alias }) => ({ key: alias, val: row[alias] })),
    totals: totals.map(({ column, func, alias, isPercent }) => ({
      key: column.alias,
      func,
      val: row[alias],
      percent: isPercent ? share(row[alias], whole[alias]) : null,
    })),
  };
}

/** Percentage of the whole. */
function share(part: unknown, whole: unknown): number | null {
  const [one, all] = [part, whole].map((value) => Number(JSON.stringify(value)));
  return one !== undefined && all ? (100 * one) / all : null;
}

const formats: Record<FieldTypeCode, string> = {
  cha: '',
  num: '',
  dat: 'yyyy-MM-dd HH:mm:ss',
  dtz: 'yyyy-MM-dd HH:mm:ss',
  doz: 'yyyy-MM-dd',
  udt: 'yyyy-MM-dd HH:mm:ss',
  tsp: 'yyyy-MM-dd HH:mm:ss',
  ddn: '',
  lnk: '',
  flk: '',
  for: '',
  cur: 'c2',
  per: 'p2',
};

function dataType(kind: ExpressionKind): string {
  switch (kind) {
    case 'number':
    case 'unixTime':
      return 'number';
    case 'date':
    case 'timestamp':
      return 'date';
    default:
      return 'string';
  }
}

const narrowest = 80;
const widest = 320;

/** Description of a result column for clients. Width in pixels. API description, Report result. */
function resultColumn(field: PlannedField): ResultColumn {
  const kind = kindOf(field.expression);
  const content = kind === 'text' ? 160 : kind === 'timestamp' ? 150 : 100;
  return {
    headerText: field.header,
    key: field.alias,
    dataType: dataType(kind),
    width: Math.min(widest, Math.max(narrowest, content, field.header.length * 8 + 24)),
    dataFormatString: formats[field.fieldType],
    yurbitype: field.fieldType,
    columngroup: '',
  };
}

/**
 * The same column in the format of the documented service's grid; our client ignores it. The API description names the
 * field (`jqxColumns`) and does not specify its entries.
 */
function gridColumn({ headerText, key, width }: ResultColumn): object {
  return { text: headerText, datafield: key, width };
}
