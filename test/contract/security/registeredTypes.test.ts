import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DuckDBInstance } from '@duckdb/node-api';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  type LivePlatform,
  newestReleases,
  type Registered,
  registerServer,
  registerTable,
  startAllReleases,
  startLivePlatforms,
  tableReport,
} from '../../support/databases/livePlatforms.ts';
import type { DatabaseServer } from '../../support/databases/serverProcess.ts';
import { isFull } from '../../support/run/soakSize.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';

/*
 * Who writes report types cannot widen a policy, and a policy on a column of text does not let days through, on every
 * engine and through the API alone.
 */

const engines = [
  ...['duckdb', 'sqlite', 'postgresql', 'mysql', 'clickhouse'],
  ...(isFull ? ['trino', ...Object.values(newestReleases)] : []),
];
const record = z.record(z.string(), z.unknown());
const password = 'a long enough passphrase 1';
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
/** Six films, three of them to come; days that are no borders, so that midnight may pass. */
const days = [-400, -40, -3, 3, 40, 400].map(day);
const seconds = (text: string) => Date.parse(`${text}T12:00:00Z`) / 1000;

function setup(platform: string): string[] {
  const isClickhouse = platform === 'clickhouse';
  const [whole, text] = isClickhouse ? ['Int32', 'String'] : ['INTEGER', 'VARCHAR(40)'];
  const columns = `id ${whole}, released ${text}, aired DATE, hits ${whole}, made ${whole}`;
  const rows = days.map((each, id) => `(${id}, '${each}', '${each}', ${id * 10}, ${seconds(each)})`);
  return [
    `CREATE TABLE films (${columns})${isClickhouse ? ' ENGINE = MergeTree ORDER BY id' : ''}`,
    `INSERT INTO films VALUES ${rows.join(', ')}`,
  ];
}

const types = { id: 'num', released: 'cha', aired: 'doz', hits: 'num', made: 'udt' };

let folder: string;
let platforms: LivePlatform[] = [];
let server: TestServer;
let admin: SignedIn;
const apps = new Map<string, Registered>();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'registered-types-'));
  platforms = await (isFull ? startAllReleases : startLivePlatforms)(folder, setup);
  server = await startServer({ allowOldEngines: true });
  admin = await server.login('admin', server.adminPassword);
  for (const { name, platform, regserver } of platforms)
    apps.set(name, await registerServer(admin, name, platform, regserver));
}, 300_000);
afterAll(async () => {
  await server.stop();
  await Promise.all(platforms.map(({ stop }) => stop()));
  await rm(folder, { recursive: true });
}, 60_000);

type Constraint = Readonly<Record<string, string>>;

let viewers = 0;

/** A viewer who is restricted by a policy of one constraint, and what the policy's save answered. */
async function restricted(app: Registered, constraint: Constraint) {
  viewers += 1;
  const LoginName = `viewer${viewers}`;
  const role = {
    ApplicationID: app.moduleId,
    ApplicationRoleID: '6',
    applicationUserDataSourceID: '',
    TenantId: '0',
    TenantName: '',
  };
  const template = record.parse((await admin.call('Contact/NewContact')).json);
  const user = { ...template, LoginName, LastName: LoginName, UserApplications: [role], Pin: password };
  const saved = record.parse((await admin.call('Contact/SaveContact', { withpin: true, user })).json);
  const reply = await savePolicy({ Name: LoginName, users: [String(saved.ID)] }, app, constraint);
  return { viewer: await server.login(LoginName, password), reply, id: String(saved.ID) };
}

async function savePolicy(
  { users, ...named }: { id?: unknown; Name: string; users: readonly string[] },
  { moduleId }: Registered,
  constraint: Constraint,
): Promise<Record<string, unknown>> {
  const policy = {
    ...record.parse((await admin.call('Shield/NewPolicy')).json),
    ...{ ...named, isActive: true, Groups: [], Users: [] },
    Constraints: [{ ModuleID: moduleId, TableName: 'films', Operator: '=', Value: '', ...constraint }],
  };
  const body = { policy, isDeepSave: true, groups: [], users };
  return record.parse((await admin.call('Shield/SaveShieldPolicy', body)).json);
}

/** Ids of the films that a viewer sees. */
async function films(viewer: SignedIn, app: Registered, reportType: string): Promise<unknown[]> {
  const body = { Reportobj: { Report: tableReport(app, reportType, ['id']) } };
  const { Data } = record.parse((await viewer.call('Report/GetReportData', body)).json);
  return z
    .array(z.object({ id: z.number() }))
    .parse(Data)
    .map(({ id }) => id)
    .toSorted();
}

/** Registers the films under a report type of its own. @throws Error when it is refused. */
function registered(app: Registered, as: string, other: Partial<typeof types> = {}): Promise<string> {
  return registerTable(admin, app, { name: 'films', columns: { ...types, ...other }, as });
}

function requireEngine(name: string, skip: (note: string) => never): { app: Registered; platform: LivePlatform } {
  const platform = platforms.find((each) => each.name === name);
  const app = apps.get(name);
  return platform && app ? { app, platform } : skip(`${name} is not installed here`);
}

describe('a policy that would show no row', () => {
  it.for(engines)('is not saved on %s, and its author is told why and what to do', async (name, { skip }) => {
    const { app } = requireEngine(name, skip);
    const saved = (constraint: Constraint) => savePolicy({ Name: `refused on ${name}`, users: [] }, app, constraint);
    const beginning = new RegExp(
      `^Constraint 1 \\(films\\.released\\) would show no row: the database of "${name} database" holds .+ there`,
    );
    for (const [Operator = '', Value = ''] of [
      ['<=', '[Today]'],
      ['<', '[Tomorrow]'],
      ['>', 'm'],
    ]) {
      const { ErrorMessage, ErrorCode } = await saved({ ColumnName: 'released', Operator, Value });
      expect(ErrorMessage).toMatch(beginning);
      expect(ErrorMessage).toContain('policies cannot compare text by order');
      expect(String(ErrorCode)).toBe('9001');
    }
    expect((await saved({ ColumnName: 'released', Operator: '<>', Value: '[Yesterday]' })).ErrorMessage).toContain(
      'text can contain a date in many formats',
    );
    expect((await saved({ ColumnName: 'made', Operator: '<=', Value: '[Today]' })).ErrorMessage).toContain(
      'set "ColumnType": "unixTime" in the constraint',
    );
    expect((await saved({ ColumnName: 'aired', Operator: 'in', Value: `[Today], 'x` })).ErrorMessage).toContain(
      'has an unclosed quote',
    );
    expect((await saved({ ColumnName: 'hits', ColumnType: 'unixTime', Value: 'x' })).ErrorMessage).toContain(
      'is not a date',
    );
  });

  it.for(engines)(
    'is not saved on %s while a report type registers its column as something else',
    async (name, { skip }) => {
      const { app } = requireEngine(name, skip);
      const reportType = await registered(app, `wrong ${name}`, { hits: 'cha' });
      const { ErrorMessage } = await savePolicy({ Name: `disagreeing on ${name}`, users: [] }, app, {
        ColumnName: 'hits',
        Value: '5',
      });
      expect(ErrorMessage).toContain(`but the report type "${reportType}" registers its field "hits" as cha`);
      // Later tests save policies on this column.
      expect(await registered(app, reportType)).toBe(reportType);
    },
  );
});

describe('an Architect', () => {
  it.for(engines)(
    'shows no other row on %s by the type that a column is registered as',
    { timeout: 60_000 },
    async (name, { skip }) => {
      const { app } = requireEngine(name, skip);
      const cases: [Constraint, number[], string[], string[]][] = [
        [
          { ColumnName: 'aired', Operator: '<=', Value: '[Today]' },
          [0, 1, 2],
          ['udt', 'cha', 'num'],
          ['dtz', 'dat', 'doz'],
        ],
        [{ ColumnName: 'hits', Operator: '<', Value: '25' }, [0, 1, 2], ['cha', 'doz', 'dtz'], ['udt', 'cur', 'num']],
        [
          { ColumnName: 'made', Operator: '<=', Value: '[Today]', ColumnType: 'unixTime' },
          [0, 1, 2],
          ['cha', 'doz'],
          ['num', 'udt'],
        ],
        [
          { ColumnName: 'released', Operator: 'in', Value: days.slice(0, 3).join() },
          [0, 1, 2],
          ['doz', 'num', 'udt'],
          ['cha'],
        ],
      ];
      const { viewer, reply: first, id } = await restricted(app, { ColumnName: 'id', Value: '0' });
      for (const [constraint, shown, refused, allowed] of cases) {
        const column = constraint.ColumnName ?? '';
        const reply = await savePolicy({ id: first.id, Name: `changed on ${name}`, users: [id] }, app, constraint);
        expect(reply).toMatchObject({ ErrorCode: '0', ErrorMessage: null });
        const reportType = await registered(app, `films of ${column}`);
        expect(await films(viewer, app, reportType), column).toEqual(shown);
        for (const type of refused) {
          await expect(registered(app, reportType, { [column]: type }), `${column} ${type}`).rejects.toThrow(
            'was refused',
          );
          expect(await films(viewer, app, reportType), `${column} ${type}`).toEqual(shown);
        }
        for (const type of allowed) {
          await registered(app, reportType, { [column]: type });
          expect(await films(viewer, app, reportType), `${column} ${type}`).toEqual(shown);
        }
      }
    },
  );
});

describe('a database that is away', () => {
  it.each(['duckdb', 'sqlite'])('locks out nobody on %s, and opens nothing when it comes back', async (name) => {
    const [platform] = platforms.filter((each) => each.name === name);
    const file = path.join(folder, `later.${name}`);
    const from = z.string().parse(platform?.regserver.DatabaseName);
    const app = await registerServer(admin, `later ${name}`, name, { DatabaseName: file });
    const columns = ['released', 'hits', 'made'] as const;
    const constraints: Record<(typeof columns)[number], Constraint> = {
      released: { Operator: '<=', Value: '[Today]' },
      hits: { Operator: '>=', Value: '0' },
      made: { Operator: '<=', Value: '[Today]' },
    };
    const people = new Map<string, SignedIn>();
    for (const column of columns) {
      const { viewer, reply } = await restricted(app, { ColumnName: column, ...constraints[column] });
      expect(reply.ErrorCode).toBe('0');
      expect(reply.ErrorMessage).toContain(
        `Constraint 1 (films.${column}) could not be checked: later ${name} database`,
      );
      expect(reply.ErrorMessage).toContain('Check the policy then.');
      people.set(column, viewer);
    }
    const reportType = await registered(app, `late ${name}`, { released: 'doz', hits: 'cha', made: 'doz' });
    await copyFile(from, file);
    for (const [column, viewer] of people) expect(await films(viewer, app, reportType), column).toEqual([]);
    expect(await films(admin, app, reportType)).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

describe('a column that becomes another one', () => {
  it.for(['postgresql', 'mysql'])(
    'on %s shows no row of a policy that would mean something else',
    async (name, { skip }) => {
      const { app, platform } = requireEngine(name, skip);
      const { viewer } = await restricted(app, { ColumnName: 'aired', Operator: '<=', Value: '[Today]' });
      const reportType = await registered(app, 'films as they were');
      expect(await films(viewer, app, reportType)).toEqual([0, 1, 2]);
      if (!platform.server) throw new Error(`${name} has no server`);
      const alter = name === 'mysql' ? 'ALTER TABLE films MODIFY aired' : 'ALTER TABLE films ALTER aired TYPE';
      await onServer(name, platform.server, `${alter} VARCHAR(40)`);
      expect(await films(viewer, app, reportType)).toEqual([]);
      const back = name === 'mysql' ? `${alter} DATE` : `${alter} DATE USING aired::date`;
      await onServer(name, platform.server, back);
      expect(await films(viewer, app, reportType)).toEqual([0, 1, 2]);
    },
  );

  it.each(['duckdb', 'sqlite'])('in a %s file that is put in the place of another shows no row of it', async (name) => {
    const [file, next] = ['now', 'next'].map((each) => path.join(folder, `${each}.${name}`)) as [string, string];
    await writeFile(name, file, setup(name));
    const app = await registerServer(admin, `replaced ${name}`, name, { DatabaseName: file });
    const { viewer } = await restricted(app, { ColumnName: 'aired', Operator: '<=', Value: '[Today]' });
    const reportType = await registered(app, 'films of a file');
    expect(await films(viewer, app, reportType)).toEqual([0, 1, 2]);
    await writeFile(
      name,
      next,
      setup(name).map((sql) => sql.replace('aired DATE', 'aired VARCHAR(40)')),
    );
    await rename(next, file);
    expect(await films(viewer, app, reportType)).toEqual([]);
    expect(await films(admin, app, reportType)).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

async function writeFile(name: string, file: string, statements: readonly string[]): Promise<void> {
  if (name === 'sqlite') {
    const database = new DatabaseSync(file);
    database.exec(statements.join(';'));
    return database.close();
  }
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const sql of statements) await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

async function onServer(name: string, running: DatabaseServer, statement: string): Promise<void> {
  const { login: user, host, port, password: own, database } = running;
  if (name === 'mysql') {
    const client = await mysql.createConnection({ host, port, user, password: own, database });
    await client.query(statement);
    return client.end();
  }
  const client = new pg.Client({ host, port, user, password: own, database });
  await client.connect();
  await client.query(statement);
  await client.end();
}
