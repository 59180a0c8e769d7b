import { AnalyticsClient } from '../../../src/client/client.ts';
import type { ServerTarget } from '../../../src/client/http/target.ts';
import type { CellValue } from '../../../src/client/results/resultCell.ts';
import { runReport } from '../../../src/client/runReport.ts';
import { memoryVault, unwatched } from '../testClient.ts';

/* Every reply has a number of its own, so that a reply taken for another is seen. */

export const acts = ['roles', 'tags', 'groups', 'user', 'favourite', 'together', 'cancel', 'result'] as const;
type Act = (typeof acts)[number];

/** What a server has truly answered. */
export class NumberedReplies {
  /** Requests so far. */
  count = 0;
  /** Results that were read. */
  results = 0;
  favourites = 0;
  /** Endpoint of each request that was truly answered, by the number of its reply. */
  readonly answered = new Map<number, string>();
  /** Bodies of the writes that were truly answered. */
  readonly written = new Set<string>();

  truly(number: number, endpoint: string, body: string): void {
    this.answered.set(number, endpoint);
    if (endpoint === 'library/FavReport') this.written.add(body);
  }
}

/** @param isOther whether it describes another object than the one asked for. */
export function numberedReply(endpoint: string, body: string, number: number, isOther = false) {
  const asked: unknown = JSON.parse(body);
  const id = asked && typeof asked === 'object' && 'ContactId' in asked ? String(asked.ContactId) : '';
  const texts: Record<string, string> = {
    'Contact/GetRolesList': `[{"RoleId":"${number}"}]`,
    'DataTag/GetAllDataTags': `[{"ID":"1","Label":"${number}"}]`,
    'Group/GetAllSecurityGroups': `[{"GroupId":"1","GroupName":"${number}"}]`,
    'Contact/GetContactById': `{"ErrorCode":0,"ID":"${isOther ? `${id}0` : id}","LoginName":"${number}"}`,
    'library/FavReport': '1',
    'Report/GetReportData': `{"ErrorCode":0,"HasError":false,"ReportID":"1","Columns":[],"Data":[{"n":"${number}"}]}`,
  };
  const type = endpoint === 'library/FavReport' ? 'text/plain' : 'application/json';
  return { type, text: texts[endpoint] ?? '{}' };
}

const reads = {
  roles: [
    'Contact/GetRolesList',
    async (client: AnalyticsClient) => (await client.call('Contact/GetRolesList', {}))[0]?.RoleId,
  ],
  tags: [
    'DataTag/GetAllDataTags',
    async (client: AnalyticsClient) => (await client.call('DataTag/GetAllDataTags', {}))[0]?.Label,
  ],
  groups: [
    'Group/GetAllSecurityGroups',
    async (client: AnalyticsClient) => (await client.call('Group/GetAllSecurityGroups', {}))[0]?.GroupName,
  ],
  user: [
    'Contact/GetContactById',
    async (client: AnalyticsClient) => (await client.call('Contact/GetContactById', { ContactId: '7' })).LoginName,
  ],
  result: ['Report/GetReportData', readNumber],
} as const;

/** Reads a result while it arrives. */
async function readNumber(client: AnalyticsClient, replies: NumberedReplies): Promise<CellValue> {
  const { store, done } = await runReport(client, { Reportobj: { Report: { ReportID: '1' }, Prompts: null } });
  const { kind } = await done;
  if (kind !== 'complete') throw new Error(kind);
  replies.results += 1;
  return store.cell(0, 0);
}

export function clientOf(target: ServerTarget): AnalyticsClient {
  const account = { userId: '1', loginName: 'ada', fullName: '', isAdmin: true, isGuest: false, productVersion: '' };
  const expiresAt = new Date(Date.now() + 1_200_000).toISOString();
  return new AnalyticsClient({
    target,
    vault: memoryVault({ token: 't', timeoutMs: 1_200_000, expiresAt, account }),
    credentials: async () => undefined,
  });
}

/** @returns how many replies were taken for another. */
export async function play(client: AnalyticsClient, act: Act, replies: NumberedReplies): Promise<number> {
  const read = async (name: keyof typeof reads): Promise<number> => {
    const [endpoint, call] = reads[name];
    const before = replies.count;
    try {
      const number = Number(await call(client, replies));
      return number > before && replies.answered.get(number) === endpoint ? 0 : 1;
    } catch {
      // A failure takes nothing for a reply.
      return 0;
    }
  };
  if (act === 'together')
    return (await Promise.all([read('roles'), read('tags'), read('groups')])).reduce((a, b) => a + b);
  if (act === 'cancel') {
    const stop = new AbortController();
    const cancelled = client.call('Contact/GetRolesList', {}, { signal: stop.signal }).catch(() => undefined);
    setImmediate(() => stop.abort());
    await cancelled;
    return 0;
  }
  if (act !== 'favourite') return read(act);
  const ReportId = String(++replies.favourites);
  try {
    await client.call('library/FavReport', { ReportId }, { guard: unwatched, deadlineMs: 200 });
    return [...replies.written].some((body) => body.includes(`"${ReportId}"`)) ? 0 : 1;
  } catch {
    return 0;
  }
}
