import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointPath } from '../../../../src/contract/endpoints.ts';
import { dataTag } from '../../../../src/contract/resources/dataTag.ts';
import { libraryItem } from '../../../../src/contract/resources/library.ts';
import { figure } from '../../../support/run/figure.ts';
import { LoadClient, percentile } from '../../../support/large/loadClient.ts';
import { residentBytes } from '../../../support/processes/residentMemory.ts';
import { type SignedIn, startServer, type TestServer } from '../../../support/server.ts';
import { soakSize } from '../../../support/run/soakSize.ts';

const connections = 100;
const loadMs = soakSize(4, 60) * 1_000;
const soakMs = soakSize(0, 10) * 60_000;
/** Of the soak, what is left to the heap and to caches for finding their size. */
const settlingMs = 60_000;
/** A machine that runs other tests beside this one is not quick; the promise is for one that does not. */
const slowestP99 = soakSize(10_000, 500);

let server: TestServer;
let admin: SignedIn;
/** Small and large reports over the sample, as a client sends them. */
let small: unknown;
let large: unknown;
/** A data tag that everybody saves again and again. */
let tagId: unknown;

beforeAll(async () => {
  // As the extension starts it.
  const launcher = ['env', 'MALLOC_MMAP_THRESHOLD_=12582912'];
  const nodeArgs = ['--max-semi-space-size=8'];
  server = await startServer({ sample: true, launcher, nodeArgs });
  admin = await server.login('admin', server.adminPassword);
  small = await reportNamed('Number of Flights');
  large = await reportNamed('All Flights');
  tagId = dataTag.parse((await admin.call('DataTag/SaveDataTag', { datatag: tag })).json).ID;
});
afterAll(() => server.stop());

async function reportNamed(name: string): Promise<unknown> {
  const { json } = await admin.call('library/SearchReports', { searchstring: name });
  const found = libraryItem
    .array()
    .parse(json)
    .find(({ ReportName }) => ReportName === name);
  return (await admin.call('Report/GetReportMetadataById', { ReportID: String(found?.id) })).json;
}

/** What clients do in turn: look, report, see SQL, write. */
function step(client: number, count: number): [EndpointPath, object] {
  const steps: [EndpointPath, object][] = [
    ['Session/CheckSession', {}],
    ['library/GetAllLibraryTree', {}],
    ['Contact/GetContactList', {}],
    ['Report/GetReportData', { Reportobj: small, supressprompts: true }],
    ['Report/GetSQL', { Reportobj: small }],
    ['Audit/GetAuditTypes', {}],
    ['DataTag/SaveDataTag', { datatag: { ...tag, ID: tagId } }],
  ];
  return steps[(client + count) % steps.length] ?? ['Session/CheckSession', {}];
}
const tag = { Label: 'Load', SecurityGroups: [], Contacts: [] };

interface Load {
  replies: number;
  /** Statuses of 500 and above. */
  failures: string[];
  ms: number[];
}

/** Calls on all connections until `until`, a moment of performance.now(). */
async function load(count: number, until: number): Promise<Load> {
  const seen: Load = { replies: 0, failures: [], ms: [] };
  const work = async (client: number) => {
    const own = new LoadClient(server, admin);
    for (let at = 0; performance.now() < until; at += 1) {
      const [endpoint, body] = step(client, at);
      const { status, text, ms } = await own.call(endpoint, body);
      seen.replies += 1;
      seen.ms.push(ms);
      if (status >= 500 || /"ErrorCode":9000|"HasError":true/.test(text)) {
        seen.failures.push(`${endpoint}: ${status} ${text.slice(0, 200)}`);
      }
    }
    own.close();
  };
  await Promise.all(Array.from({ length: count }, (_, client) => work(client)));
  return seen;
}

/** Clients that are slow or silent, each on a connection of its own. */
function badClients(count: number): Socket[] {
  const { port } = new URL(server.url);
  const body = JSON.stringify({ sessionToken: admin.token, Reportobj: large, supressprompts: true });
  const head = (target: string, length: number) =>
    `POST /api/${target} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
  const kinds: ((socket: Socket) => void)[] = [
    // Asks for 500,000 rows and reads none of them.
    (socket) => socket.pause().write(head('Report/GetReportData', Buffer.byteLength(body)) + body),
    // Announces a body and sends half of it.
    (socket) => socket.resume().write(`${head('Session/CheckSession', 100)}{"sessionToken":"`),
    // Never ends its headers.
    (socket) => socket.resume().write('POST /api/Session/CheckSession HTTP/1.1\r\nHost: '),
    // Says nothing.
    (socket) => socket.resume(),
  ];
  return Array.from({ length: count }, (_, index) => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    kinds[index % kinds.length]?.(socket);
    return socket;
  });
}

describe('the server under load', () => {
  it(`answers ${connections} connections without a failure`, { timeout: loadMs + 120_000 }, async () => {
    const { replies, failures, ms } = await load(connections, performance.now() + loadMs);
    expect(failures).toEqual([]);
    expect(replies).toBeGreaterThan(connections);
    const p99 = percentile(ms, 99).toFixed(0);
    figure('E8', `${connections} connections × ${loadMs / 1_000} s: ${replies} replies, 0 5xx, p99 ${p99} ms`);
  });

  it('stays quick beside clients that are slow, silent or read nothing', { timeout: loadMs + 120_000 }, async () => {
    const slow = badClients(40);
    await Promise.all(slow.map((socket) => once(socket, 'connect')));
    const { replies, failures, ms } = await load(4, performance.now() + loadMs);
    for (const socket of slow) socket.destroy();
    expect(failures).toEqual([]);
    const p99 = percentile(ms, 99);
    expect(p99).toBeLessThanOrEqual(slowestP99);
    figure('E8', `beside 40 slow and silent clients: ${replies} replies, 0 5xx, p99 ${p99.toFixed(0)} ms`);
    // And what they held is free again.
    expect((await admin.call('Session/CheckSession')).status).toBe(200);
  });

  it('gives back what signing in took', async () => {
    const before = residentBytes(server.process.pid);
    const body = { UserId: 'nobody', UserPassword: 'wrong', isGuest: false, bolForceLogin: true };
    for (let count = 0; count < 6; count += 1) {
      await Promise.all([server.call('login/DoLogin', body), server.call('login/DoLogin', body)]);
    }
    const taken = (residentBytes(server.process.pid) - before) / 1e6;
    // Each thread would keep 17 MB.
    expect(taken).toBeLessThan(12);
    figure('E8', `12 sign-ins leave ${taken.toFixed(1)} MB`);
  });

  const atFullSize = soakMs > 0 ? it : () => undefined;
  atFullSize('needs no more memory the longer it works', { timeout: soakMs + 240_000 }, async () => {
    await load(20, performance.now() + settlingMs);
    const before: number[] = [];
    const after: number[] = [];
    const started = performance.now();
    const watch = setInterval(() => {
      const at = performance.now() - started;
      if (at < settlingMs) before.push(residentBytes(server.process.pid));
      if (at > soakMs - settlingMs) after.push(residentBytes(server.process.pid));
    }, 1_000);
    const { replies, failures } = await load(20, started + soakMs);
    clearInterval(watch);
    expect(failures).toEqual([]);
    const [first, last] = [percentile(before, 50), percentile(after, 50)];
    expect(last).toBeLessThanOrEqual(first * 1.1);
    const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
    figure(
      'E8',
      `${soakMs / 60_000} minutes, ${replies} replies, 0 5xx: resident ${mb(first)} at first, ${mb(last)} at last`,
    );
  });
});
