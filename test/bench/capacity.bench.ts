/**
 * How much one server holds and answers: calls a second by kind, and memory, at growing numbers of users and reports. Sixteen
 * connections ask at once. Writes the table of src/server/README.md when `WRITE_TABLE` is set.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import type { EndpointPath } from '../../src/contract/endpoints.ts';
import { largeNames } from '../support/large/largeNames.ts';
import { startLargeServer } from '../support/large/largeServer.ts';
import { LoadClient, percentile } from '../support/large/loadClient.ts';
import type { SignedIn, TestServer } from '../support/server.ts';
import { builtServer } from './server/goals.ts';

const allSizes = [
  { users: 1_000, folders: 100, reportsPerFolder: 10 },
  { users: 10_000, folders: 500, reportsPerFolder: 20 },
  { users: 50_000, folders: 2_500, reportsPerFolder: 20 },
];
/** `BENCH_SIZES=1` measures the smallest alone. */
const sizes = allSizes.slice(0, Number(process.env.BENCH_SIZES ?? allSizes.length));
const connections = 16;
const seconds = Number(process.env.BENCH_SECONDS ?? 5);

/** Calls a second, and the milliseconds that 99 of 100 do not exceed. */
interface Rate {
  perSecond: number;
  p99: number;
}

type Ask = (client: LoadClient, turn: number) => Promise<{ text: string; ms: number }>;

/** Asks on all connections for some seconds. @throws Error when a reply is a failure. */
async function rate(clients: readonly LoadClient[], ask: Ask): Promise<Rate> {
  const end = Date.now() + seconds * 1_000;
  const times: number[] = [];
  let turn = 0;
  const loop = async (client: LoadClient) => {
    while (Date.now() < end) {
      const { text, ms } = await ask(client, (turn += 1));
      if (/"ErrorCode":[1-9]|"HasError":true/.test(text)) throw new Error(text.slice(0, 300));
      times.push(ms);
    }
  };
  await Promise.all(clients.map(loop));
  return { perSecond: times.length / seconds, p99: percentile(times, 99) };
}

const listed = z.array(z.looseObject({ id: z.union([z.string(), z.number()]), ReportName: z.string() }));
const tree = z.array(
  z.looseObject({
    rootnode: z.looseObject({ children: z.array(z.looseObject({ id: z.number(), text: z.string() })).nullable() }),
  }),
);

/** Calls of each kind, as clients make them. */
async function kindsOf(admin: SignedIn, password: string): Promise<Record<string, Ask>> {
  const ask =
    (endpoint: EndpointPath, body: (turn: number) => object = () => ({})): Ask =>
    (client, turn) =>
      client.call(endpoint, body(turn));
  const roots = tree.parse((await admin.call('library/GetAllLibraryTree')).json);
  const folders = roots.flatMap(({ rootnode }) => rootnode.children ?? []);
  const folder = folders.find(({ text }) => text === largeNames.folder(0));
  if (!folder) throw new Error('The library lacks its first folder.');
  const items = async (LibraryID: string) =>
    listed.parse((await admin.call('library/GetListByFolderID', { LibraryID })).json);
  const [copy] = await items(String(folder.id));
  if (!copy) throw new Error('The first folder is empty.');
  const ReportID = String(copy.id);
  const Reportobj = (await admin.call('Report/GetReportMetadataById', { ReportID })).json;
  const viewer = { UserId: 'north.viewer', isGuest: false, bolForceLogin: true };
  const group = { GroupRoles: [], Membership: [], AllUsers: [], AllRoles: [] };
  return {
    'session checks': ask('Session/CheckSession'),
    'lists of a folder': ask('library/GetListByFolderID', () => ({ LibraryID: String(folder.id) })),
    'opened reports': ask('Report/GetReport', () => ({ ReportId: ReportID, isbuilder: false })),
    'saved groups': ask('Group/SaveSecurityGroup', (turn) => ({ group: { ...group, GroupName: `Group ${turn}` } })),
    'report runs': ask('Report/GetReportData', () => ({ Reportobj, supressprompts: true })),
    'lists of all users': ask('Contact/GetContactList'),
    'sign-ins': ask('login/DoLogin', () => ({ ...viewer, UserPassword: password })),
  };
}

/** Resident memory of a process in MB, and its highest so far. */
function memory(server: TestServer): { now: number; peak: number } {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? NaN) / 1024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

async function measure(size: (typeof sizes)[number]): Promise<Record<string, string>> {
  const server = await startLargeServer(builtServer.script, size);
  try {
    const admin = await server.login('admin', server.adminPassword);
    const idle = memory(server).now;
    const clients = Array.from({ length: connections }, () => new LoadClient(server, admin));
    const row: Record<string, string> = {
      users: size.users.toLocaleString('en'),
      reports: (size.folders * size.reportsPerFolder).toLocaleString('en'),
      'state, MB': (statSync(path.join(server.dataFolder, 'state.db')).size / 1e6).toFixed(0),
    };
    for (const [kind, ask] of Object.entries(await kindsOf(admin, server.adminPassword))) {
      const { perSecond, p99 } = await rate(clients, ask);
      // Calls a second, and in brackets the time of the slowest of a hundred in ms.
      row[kind] =
        `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond).toLocaleString('en')} (${p99.toFixed(0)})`;
    }
    clients.forEach((client) => client.close());
    row['memory, MB'] = `${idle.toFixed(0)} (${memory(server).peak.toFixed(0)})`;
    return row;
  } finally {
    await server.stop();
  }
}

const rows: Record<string, string>[] = [];
for (const size of sizes) {
  rows.push(await measure(size));
  console.log(rows.at(-1));
}
const names = Object.keys(rows[0] ?? {});
const table = names.map((name) => `| ${[name, ...rows.map((row) => row[name])].join(' | ')} |`);
table.splice(1, 0, `|${' --- |'.repeat(rows.length + 1)}`);
console.log(table.join('\n'));
if (process.env.WRITE_TABLE) {
  const file = path.join(import.meta.dirname, '../../src/server/README.md');
  const mark = /(<!-- capacity: begin, [^>]*-->\n\n)[^]*?(<!-- capacity: end -->)/;
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(
      mark,
      (_all, begin: string, end: string) => `${begin}${table.join('\n')}\n\n${end}`,
    ),
  );
}
