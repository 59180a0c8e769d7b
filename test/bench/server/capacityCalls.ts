import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { largeNames } from '../../support/large/largeNames.ts';
import { type LoadClient, percentile } from '../../support/large/loadClient.ts';
import type { SignedIn, TestServer } from '../../support/server.ts';

/** Calls a second, and the milliseconds that 99 of 100 do not exceed. */
interface Rate {
  perSecond: number;
  p99: number;
}

export type Ask = (client: LoadClient, turn: number) => Promise<{ text: string; ms: number }>;

const seconds = Number(process.env.BENCH_SECONDS ?? 5);

/** Asks on all connections for some seconds. @throws Error when a reply is a failure. */
export async function rate(clients: readonly LoadClient[], ask: Ask): Promise<Rate> {
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
export async function kindsOf(admin: SignedIn, password: string): Promise<Record<string, Ask>> {
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
    'cached runs': ask('Report/GetReportData', () => ({ Reportobj, supressprompts: true, cacheok: true })),
    'lists of all users': ask('Contact/GetContactList'),
    'sign-ins': ask('login/DoLogin', () => ({ ...viewer, UserPassword: password })),
  };
}

/** Resident memory of a process in MB, and its highest so far. */
export function memory(server: TestServer): { now: number; peak: number } {
  const status = readFileSync(`/proc/${server.process.pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? NaN) / 1024;
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}
