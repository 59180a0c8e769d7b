import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { AnalyticsClient } from '../../../src/client/client.ts';
import { runReport } from '../../../src/client/runReport.ts';
import { handled, startScriptedServer } from '../../support/scriptedServer.ts';

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Answer {
  status?: number;
  headers?: Record<string, string>;
  body: string | Buffer;
}

/** A client of a server that signs in, answers every call with `answer`, and says of no session that it is in force. */
async function clientOf(answer: Answer): Promise<AnalyticsClient> {
  const server = await startScriptedServer(({ path }, response) => {
    if (path.endsWith('DoLogin')) {
      const SessionExpir = new Date(Date.now() + 1_200_000).toISOString();
      return { ErrorCode: 0, LoginSession: { SessionToken: 'token', SessionExpir }, LoginUser: { ID: '7' } };
    }
    if (path.endsWith('CheckSession')) return { ErrorCode: 101 };
    response
      .writeHead(answer.status ?? 200, { 'content-type': 'application/json', ...answer.headers })
      .end(answer.body);
    return handled;
  });
  const client = new AnalyticsClient({
    target: { connectionId: 'c', name: 'Test Server', apiBase: `${server.url}/api` },
    vault: { read: async () => undefined, write: async () => undefined, withLock: (work) => work() },
    credentials: async () => ({ userName: 'ada', password: 'correct horse', isGuest: false }),
  });
  cleanups.push(() => server.close());
  cleanups.push(() => client.close());
  return client;
}

const request = { Reportobj: { Report: { ReportID: '1' }, Prompts: null } };

describe('a rejected token, told of in place of a result', () => {
  it.each(['[]', ' [ ] ', '[{"ErrorCode":101}]', '\ufeff{"ErrorCode":101}', '{"ErrorCode":"101","Data":[]}'])(
    '%s is seen: the session has ended before its time',
    async (body) => {
      const client = await clientOf({ body });
      await expect(runReport(client, request)).rejects.toMatchObject({ kind: 'takenOver' });
    },
  );

  it('is no result of no rows, however long', async () => {
    const long = {
      ErrorCode: 101,
      ErrorMessage: 'Session Expired',
      HasError: false,
      Data: [],
      etime: 'x'.repeat(2000),
    };
    const client = await clientOf({ body: JSON.stringify(long) });
    const { done } = await runReport(client, request);
    expect(await done).toMatchObject({ kind: 'refused', code: 101 });
  });
});

describe('the result of another report', () => {
  const result = (ReportID: unknown) =>
    JSON.stringify({ ErrorCode: 0, HasError: false, ReportID, Columns: [], Data: [{ state: 'NY' }, { state: 'TX' }] });

  it.each(['77', 77])('(%o) is told as such, and none of its rows is kept', async (id) => {
    const client = await clientOf({ body: result(id) });
    const { done, store } = await runReport(client, request);
    const outcome = await done;
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'otherReport' } });
    expect(outcome.kind === 'failed' && outcome.error.message).toMatch(/\b1\b.*\b77\b/);
    expect(store.rowCount).toBe(0);
  });

  it.each(['1', 1, '', null, 0])('is not taken for that of the one that was run (%o)', async (id) => {
    const client = await clientOf({ body: result(id) });
    const { done, store } = await runReport(client, request);
    expect(await done).toEqual({ kind: 'complete' });
    expect(store.rowCount).toBe(2);
  });

  it.each(['1', '2'])('is not that of either end of a drill-down (%s), nor any where none is saved', async (id) => {
    const client = await clientOf({ body: result(id) });
    const drill = { ...request, IsDrillDown: true, TargetReportobj: { Report: { ReportID: '2' } } };
    for (const body of [drill, { Reportobj: { Report: { ReportID: '' } } }, { Reportobj: {} }]) {
      const { done } = await runReport(client, body);
      expect(await done).toEqual({ kind: 'complete' });
    }
  });
});

describe('the body of another status than 200', () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const answers: [string, Answer, RegExp][] = [
    ['500 with a bomb', { status: 500, headers: { 'content-encoding': 'gzip' }, body: bomb }, /\(500\)/],
    ['404 in brotli', { status: 404, headers: { 'content-encoding': 'br' }, body: brotliCompressSync('x') }, /\(404\)/],
    ['502 of text', { status: 502, body: 'é'.repeat(200_000) }, /502/],
  ];

  it.each(answers)('is not read: %s', async (_what, answer, words) => {
    const client = await clientOf(answer);
    await expect(runReport(client, request)).rejects.toThrow(words);
    await expect(client.call('Contact/GetRolesList', {})).rejects.toThrow(words);
  });
});
