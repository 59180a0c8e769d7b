import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import {
  type LivePlatform,
  type Registered,
  registerServer,
  registerTable,
  type Setup,
  startLivePlatforms,
  tableReport,
} from '../databases/livePlatforms.ts';
import { type SignedIn, startServer, type TestServer } from '../server.ts';

/*
 * A server with one table on every platform that this machine has, an administrator who restricts, and an attacker who has a login
 * and the README.
 */

export type Json = Record<string, unknown>;
const record = z.record(z.string(), z.unknown());
export const password = 'a long enough passphrase 1';

/** A table to attack. */
export interface AttackedTable {
  name: string;
  /** Registered field types by column. */
  columns: Readonly<Record<string, string>>;
  setup: Setup;
}

export interface Scene {
  server: TestServer;
  admin: SignedIn;
  /** The attacker, an Architect on every application. */
  attacker: SignedIn;
  attackerId: string;
  apps: { platform: string; app: Registered }[];
  /** Calls as the administrator. */
  ask: (endpoint: EndpointPath, body?: object) => Promise<Json>;
  /** Puts one policy on the attacker in place of all others. @returns the reply of the save. */
  restrictBy: (constraints: readonly Json[]) => Promise<Json>;
  /** Ids that a report of the attacker's shows; none where it is refused. */
  ids: (report: object, more?: object) => Promise<number[]>;
  stop: () => Promise<void>;
}

/** Starts the scene. `roleId` is the attacker's role on the applications: 7 Architect, 5 Builder, 6 Agent. */
export async function startScene(table: AttackedTable, roleId = '7'): Promise<Scene> {
  const folder = await mkdtemp(path.join(tmpdir(), 'security-'));
  const platforms: LivePlatform[] = await startLivePlatforms(folder, table.setup);
  const server = await startServer({ allowOldEngines: true });
  const admin = await server.login('admin', server.adminPassword);
  const ask = async (endpoint: EndpointPath, body: object = {}) =>
    record.parse((await admin.call(endpoint, body)).json);
  const apps: Scene['apps'] = [];
  for (const { name, regserver } of platforms) {
    const app = await registerServer(admin, name, name, regserver);
    await registerTable(admin, app, table);
    apps.push({ platform: name, app });
  }
  const UserApplications = apps.map(({ app }) => ({ ApplicationID: app.moduleId, ApplicationRoleID: roleId }));
  const user = { ...(await ask('Contact/NewContact')), LoginName: 'mallory', Pin: password, UserApplications };
  const attackerId = String((await ask('Contact/SaveContact', { withpin: true, user })).ID);
  const attacker = await server.login('mallory', password);

  const restrictBy = async (constraints: readonly Json[]) => {
    for (const policy of z.array(record).parse((await admin.call('Shield/GetAllShieldPolicies')).json))
      await admin.call('Shield/DeletePolicy', { policy });
    const Constraints = constraints.map((each) => ({ TableName: table.name, ...each }));
    const template = await ask('Shield/NewPolicy');
    const policy = { ...template, Name: 'Restricted', isActive: true, Constraints, Groups: [], Users: [] };
    return ask('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: [attackerId] });
  };
  const ids = async (Report: object, more: object = {}) => {
    const reply = await attacker.call('Report/GetReportData', { Reportobj: { Report }, ...more });
    const { Data } = z.looseObject({ Data: z.array(z.looseObject({ id: z.number() })).nullish() }).parse(reply.json);
    return (Data ?? []).map(({ id }) => id).toSorted((one, other) => one - other);
  };
  const stop = async () => {
    await server.stop();
    await Promise.all(platforms.map((platform) => platform.stop()));
    await rm(folder, { recursive: true });
  };
  return { server, admin, attacker, attackerId, apps, ask, restrictBy, ids, stop };
}

/** A report of a table's columns. */
export const reportOf = (app: Registered, table: AttackedTable, reportType = table.name) =>
  tableReport(app, reportType, Object.keys(table.columns));
