import fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { acts, clientOf, NumberedReplies, numberedReply, play } from '../../support/faults/numberedReplies.ts';
import { frames, startHttp2Server, type Http2Request, type Http2Server } from '../../support/faults/http2Server.ts';
import { figure } from '../../support/run/figure.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';
import { canMakeCertificates, makeAuthority, type Authority } from '../../support/tls.ts';

/* A server that answers over HTTP/2 against the rules: in any order, twice, with parts of replies, after a cancel. */

/** What the server does when a request arrives. `cut…` end its reply early, by a reset with a code or with the connection. */
const manners = [
  ...(['plain', 'twice', 'late', 'split', 'otherId', 'copyLater', 'copyWithin'] as const),
  ...(['cut0', 'cut2', 'cut8', 'cutEnd', 'short', 'refuse', 'goAway', 'goAwayLater', 'close', 'silent'] as const),
] as const;
type Manner = (typeof manners)[number];
/** Time between two steps, in ms. */
const gaps = [0, 500, 5_000] as const;

const replies = new NumberedReplies();
const pending: Manner[] = [];
let authority: Authority;
let server: Http2Server;
let ahead = 0;
const met = { reused: 0, cuts: 0, cutWrites: 0 };
/** What the server has stated that it did not handle: the only requests that are sent again. */
const excluded = new Set<Http2Request>();
/** From which number on, by connection: those that are under way are not handled either. */
const excludedFrom = new Map<number, number>();
/** The last reply of each connection, which may be sent again for its old request. */
const earlier = new Map<number, Buffer>();
const carried = new Map<number, number>();

function answer(request: Http2Request): void {
  const { socket, id, path, body, connection } = request;
  const endpoint = path.replace('/api/', '');
  if (id >= (excludedFrom.get(connection) ?? Infinity)) return void excluded.add(request);
  const manner = pending.shift() ?? 'plain';
  const number = ++replies.count;
  const { type, text } = numberedReply(endpoint, body, number, manner === 'otherId');
  const times = (carried.get(connection) ?? 0) + 1;
  carried.set(connection, times);
  if (times > 1) met.reused += 1;
  const start = frames.head(id, { 'content-type': type });
  const at = 1 + ((number * 37) % text.length);
  const [left, right] = [text.slice(0, at), text.slice(at)];
  const send = (...parts: Buffer[]) => socket.writable && socket.write(Buffer.concat(parts));
  if (manner.startsWith('cut') || manner === 'short') {
    met.cuts += 1;
    if (endpoint === 'library/FavReport') met.cutWrites += 1;
    // All of the text may have been sent: only its end is missing.
    if (manner === 'short') return void send(frames.head(id, { 'content-length': '99' }), frames.end(id, text));
    send(start, frames.data(id, number % 2 ? left : text));
    setImmediate(() => (manner === 'cutEnd' ? socket.end() : send(frames.reset(id, Number(manner.slice(3))))));
    return;
  }
  if (manner === 'refuse') return void send(frames.reset(id, 7));
  if (manner === 'goAway') {
    excludedFrom.set(connection, id);
    excluded.add(request);
    return void send(frames.goAway(Math.max(0, id - 2)));
  }
  if (manner === 'close') return void socket.destroy();
  if (manner === 'silent') return;
  const whole = Buffer.concat([start, frames.end(id, text)]);
  const copy = earlier.get(connection);
  earlier.set(connection, whole);
  replies.truly(number, endpoint, body);
  switch (manner) {
    case 'twice':
      return void send(whole, whole);
    case 'late':
      return void setTimeout(() => send(whole), 5);
    case 'split':
      send(start, frames.data(id, left));
      return void setImmediate(() => send(frames.data(id, ''), frames.end(id, right)));
    case 'copyLater':
      send(whole);
      return void setImmediate(() => setImmediate(() => send(whole)));
    case 'copyWithin':
      return void send(start, frames.data(id, left), ...(copy ? [copy] : []), frames.end(id, right));
    case 'goAwayLater':
      excludedFrom.set(connection, id + 1);
      return void send(start, frames.data(id, left), frames.goAway(id), frames.end(id, right));
    default:
      send(whole);
  }
}

beforeAll(async () => {
  if (!canMakeCertificates) return;
  authority = await makeAuthority();
  server = await startHttp2Server(await authority.make(), answer);
});

afterAll(async () => {
  vi.restoreAllMocks();
  await server?.close();
  await authority?.remove();
});

it.skipIf(!canMakeCertificates)('takes no reply for that of another request, nor a part for a whole one', async () => {
  const runs = propertyRuns(30, 10_000);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ahead);
  let wrong = 0;
  const step = fc.record({
    act: fc.constantFrom(...acts),
    manner: fc.array(fc.constantFrom(...manners), { maxLength: 3 }),
    gap: fc.constantFrom(...gaps),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 14 }), async (steps) => {
      const target = { connectionId: 'c', name: 'Hostile', apiBase: server.apiBase, tls: { extraCa: authority.ca } };
      const client = clientOf(target);
      try {
        for (const { act, manner, gap } of steps) {
          ahead += gap;
          pending.splice(0, Infinity, ...manner.map((each) => (isEndless(act) && each === 'silent' ? 'cut8' : each)));
          const found = await play(client, act, replies);
          wrong += found;
          expect(found, `${act} ${manner.join()}`).toBe(0);
        }
      } finally {
        await client.close();
      }
    }),
    { numRuns: runs },
  );
  // A write is sent once, whatever happens to it, but for those that the server has excluded.
  const writes = server.requests
    .filter((request) => request.path === '/api/library/FavReport' && !excluded.has(request))
    .map(({ body }) => body);
  expect(new Set(writes).size).toBe(writes.length);
  expect(writes.length).toBeGreaterThan(runs / 2);
  expect(server.connections.every((protocol) => protocol === 'h2')).toBe(true);
  expect(met.reused).toBeGreaterThan(runs);
  expect(met.cuts).toBeGreaterThan(runs);
  expect(met.cutWrites).toBeGreaterThan(runs / 20);
  figure(
    'R2',
    `${runs} schedules over HTTP/2, ${met.reused} requests over used connections, ${met.cuts} replies cut off: ${wrong} taken wrongly`,
  );
});

/** Whether the call waits for its reply as long as the default deadline. */
function isEndless(act: (typeof acts)[number]): boolean {
  return act !== 'favourite' && act !== 'cancel';
}
