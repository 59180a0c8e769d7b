import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import * as z from 'zod';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { type Registered, registerServer, registerTable, tableReport } from '../databases/livePlatforms.ts';
import type { SignedIn, TestServer } from '../server.ts';

type Json = Record<string, unknown>;
const record = z.record(z.string(), z.unknown());
const password = 'a password of twelve';

export const userNames = ['ann', 'ben'] as const;
export const groupNames = ['North', 'South'] as const;
export const applicationNames = ['First', 'Second'] as const;
export const tagLabels = ['region', 'limit'] as const;

/** Rows of both tables; what tables and applications share is their form. */
const rows = Array.from({ length: 24 }, (_, index) => ({
  id: index + 1,
  tenant: ['North', 'South', 'north', 'N%', null][index % 5] ?? null,
  amount: [0, 5, 7, 10, null, 2000][index % 6] ?? null,
  sold: ['2025-12-31', '2026-01-15', '2026-02-28', null][index % 4] ?? null,
}));

/** A table that reports read, each in its application. `deals_view` shows the rows of `deals`. */
export interface Reading {
  readonly app: number;
  readonly table: 'deals' | 'notes' | 'deals_view';
}
export const readings: readonly Reading[] = [
  { app: 0, table: 'deals' },
  { app: 0, table: 'notes' },
  { app: 0, table: 'deals_view' },
  { app: 1, table: 'deals' },
];

/**
 * Ids of the rows that a user sees; `isClosed` if the server refuses the report because of a policy, `isBarred` because
 * the user has no role on the application.
 */
export interface SeenRows {
  readonly ids: ReadonlySet<number>;
  readonly isClosed: boolean;
  readonly isBarred: boolean;
}

/** Two applications with a database each, and users of both: the embedded server, administered over its API. */
export class AccessWorld {
  readonly admin: SignedIn;
  readonly apps: readonly Registered[];
  readonly userIds: readonly string[];
  readonly sessions: readonly SignedIn[];
  readonly rowCount = rows.length;

  private constructor(admin: SignedIn, apps: Registered[], userIds: string[], sessions: SignedIn[]) {
    this.admin = admin;
    this.apps = apps;
    this.userIds = userIds;
    this.sessions = sessions;
  }

  static async open(server: TestServer, folder: string): Promise<AccessWorld> {
    const admin = await server.login('admin', server.adminPassword);
    const ask = async (endpoint: EndpointPath, body: Json = {}) =>
      record.parse((await admin.call(endpoint, body)).json);
    const apps: Registered[] = [];
    for (const name of applicationNames) {
      const file = path.join(folder, `${name}.duckdb`);
      await writeDatabase(file);
      apps.push(await registerServer(admin, name, 'duckdb', { DatabaseName: file }));
    }
    const columns = { id: 'num', tenant: 'cha', amount: 'num', sold: 'doz' };
    for (const { app, table } of readings) await registerTable(admin, at(apps, app), { name: table, columns });
    const UserApplications = apps.map(({ moduleId }) => ({ ApplicationID: moduleId, ApplicationRoleID: '7' }));
    const userIds: string[] = [];
    const sessions: SignedIn[] = [];
    for (const LoginName of userNames) {
      const user = { ...(await ask('Contact/NewContact')), LoginName, Pin: password, UserApplications };
      userIds.push(String((await ask('Contact/SaveContact', { withpin: true, user })).ID));
      sessions.push(await server.login(LoginName, password));
    }
    return new AccessWorld(admin, apps, userIds, sessions);
  }

  /** The user sets the company in the own profile. @returns whether the server took it. */
  async setOwnCompany(user: number, Company: string): Promise<boolean> {
    const { json } = await this.admin.call('Contact/GetContactById', { ContactId: at(this.userIds, user) });
    const body = { withpin: false, user: { ...record.parse(json), Company } };
    const reply = await at(this.sessions, user).call('Contact/SaveMYContact', body);
    return record.parse(reply.json).ErrorCode === 0;
  }

  /** Rows of every table that a user sees, by running a report on each. */
  async seenBy(user: number): Promise<SeenRows[]> {
    // An open session keeps the application roles that it had at sign-in.
    await at(this.sessions, user).call('Session/ResetPassport', { withReturn: false });
    return this.seenIn(at(this.sessions, user));
  }

  /** Rows of every table in a session. */
  async seenIn(session: SignedIn): Promise<SeenRows[]> {
    return Promise.all(
      readings.map(async ({ app, table }) => {
        const Report = tableReport(at(this.apps, app), table, ['id']);
        const reply = await session.call('Report/GetReportData', { Reportobj: { Report }, cacheok: true });
        const { HasError, ErrorMessage, Data } = record.parse(reply.json);
        if (HasError === true) {
          const isBarred = /no role on the application/.test(String(ErrorMessage));
          const isClosed = /policy restricts/.test(String(ErrorMessage));
          if (!isBarred && !isClosed) throw new Error(String(ErrorMessage));
          return { ids: new Set<number>(), isClosed, isBarred };
        }
        const found = z.array(z.looseObject({ id: z.number() })).parse(Data);
        return { ids: new Set(found.map(({ id }) => id)), isClosed: false, isBarred: false };
      }),
    );
  }
}

async function writeDatabase(file: string): Promise<void> {
  const literal = (value: string | number | null) =>
    value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${value}'`;
  const values = rows.map((row) => `(${Object.values(row).map(literal).join(', ')})`).join(', ');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  for (const table of ['deals', 'notes']) {
    await connection.run(`CREATE TABLE ${table} (id BIGINT, tenant VARCHAR, amount BIGINT, sold DATE)`);
    await connection.run(`INSERT INTO ${table} VALUES ${values}`);
  }
  await connection.run('CREATE VIEW deals_view AS SELECT * FROM deals');
  connection.closeSync();
  instance.closeSync();
}

function at<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error(`There is no entry ${index}.`);
  return found;
}
