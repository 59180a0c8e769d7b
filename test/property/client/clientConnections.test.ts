import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { acts, clientOf, NumberedReplies, numberedReply, play } from '../../support/faults/numberedReplies.ts';
import { figure } from '../../support/run/figure.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';

/*
 * A server made of sockets that keeps its connections and answers against the rules: twice, late, with what another request was
 * answered, after a cancel. Every reply has a number of its own, so that a reply taken for another is seen.
 */

/** What the server does when a request arrives. `copyFirst`: it sends a copy of an earlier reply of that connection before its own. */
const manners = [
  ...(['plain', 'twice', 'copyFirst', 'copyLater', 'copyOnly', 'otherId', 'late', 'close'] as const),
  // Split: in pieces that end anywhere. Unread: with bytes after it. Reset, half: cut off within it.
  ...(['split', 'unread', 'end', 'half', 'reset', 'copyWithin'] as const),
] as const;
type Manner = (typeof manners)[number];
/** Time between two steps, in ms. */
const gaps = [0, 500, 1_200, 5_000] as const;

interface Wire {
  /** Whole replies on this connection so far. */
  replies: string[];
  requests: number;
  /** Times of earlier requests, by what they ask; and of writes. */
  asked: Map<string, number>;
}

/** The clock of the client and of the server, which passes with the steps too. */
class Clock {
  #ahead = 0;
  readonly #now = performance.now.bind(performance);
  readonly #startedAt = Date.now() - performance.now();

  now = () => this.#now() + this.#ahead;

  date(): string {
    return new Date(this.#startedAt + this.now()).toUTCString();
  }

  pass(ms: number): void {
    this.#ahead += ms;
  }
}

const clock = new Clock();

/** The hostile server and what it has truly answered. */
class Hostile extends NumberedReplies {
  readonly manner: Manner[] = [];
  reused = 0;
  /** Requests over a connection that had carried an equal one, or writes over one that had carried a write. */
  again = 0;
  copies = 0;
  /** Results that were asked for over a connection that had carried another request. */
  resultsReused = 0;
  /** Whether replies give the time. */
  isDated = false;
  /** Whether replies name the request. */
  isEchoing = false;
  readonly sockets = new Set<Socket>();
  readonly server: Server = createServer((socket) => {
    const wire: Wire = { replies: [], requests: 0, asked: new Map() };
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      const [head = '', body = ''] = text.split('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Infinity);
      if (body.length < length) return;
      text = '';
      if (++wire.requests > 1) this.reused += 1;
      if (wire.requests > 1 && head.includes('GetReportData')) this.resultsReused += 1;
      this.#asked(socket, wire, head, body);
    });
  });

  #asked(socket: Socket, wire: Wire, head: string, body: string): void {
    const endpoint = /POST \/api\/(\S+)/.exec(head)?.[1] ?? '';
    const id = this.isEchoing ? (/x-request-id: (\S+)/i.exec(head)?.[1] ?? '') : '';
    const manner = this.manner.shift() ?? 'plain';
    const number = ++this.count;
    const own = replyTo(endpoint, body, {
      number,
      isOther: manner === 'otherId',
      headers: `${this.isDated ? `date: ${clock.date()}\r\n` : ''}${id === '' ? '' : `x-request-id: ${id}\r\n`}`,
    });
    const what = endpoint === 'library/FavReport' ? endpoint : `${endpoint} ${body}`;
    if (wire.asked.has(what)) this.again += 1;
    wire.asked.set(what, clock.now());
    const copy = wire.replies.at(-1);
    const send = (reply: string) => socket.writable && socket.write(reply);
    const cut = (reply: string) => reply.slice(0, 1 + ((number * 37) % (reply.length - 1)));
    if (manner === 'close') return void socket.destroy();
    if (copy !== undefined && manner.startsWith('copy') && manner !== 'copyLater') {
      this.copies += 1;
      send(copy);
      // What it was asked is never answered, as if the write had been lost.
      if (manner === 'copyOnly') return;
    }
    this.truly(number, endpoint, body);
    const answer = () => {
      if (manner === 'half' || manner === 'reset') {
        send(cut(own));
        return void setImmediate(() => (manner === 'half' ? socket.end() : socket.resetAndDestroy()));
      }
      wire.replies.push(own);
      if (manner === 'copyWithin' && copy !== undefined) return void send(cut(own) + copy + own.slice(cut(own).length));
      if (manner === 'split') return sendInPieces(send, own, number);
      send(manner === 'twice' ? own + own : manner === 'unread' ? `${own}HTTP/1.1 2` : own);
      if (manner === 'end') socket.end();
      if (manner === 'copyLater') setImmediate(() => setImmediate(() => send(own)));
    };
    if (manner === 'late') setTimeout(answer, 5);
    else answer();
  }
}

/** Sends a reply in three pieces, one after the other. */
function sendInPieces(send: (part: string) => unknown, reply: string, number: number): void {
  const [one = 0, two = 0] = [(number * 13) % reply.length, (number * 29) % reply.length].sort((a, b) => a - b);
  send(reply.slice(0, one));
  setImmediate(() => {
    send(reply.slice(one, two));
    setImmediate(() => send(reply.slice(two)));
  });
}

function replyTo(
  endpoint: string,
  body: string,
  { number, isOther, headers }: { number: number; isOther: boolean; headers: string },
): string {
  const { type, text } = numberedReply(endpoint, body, number, isOther);
  return `HTTP/1.1 200 OK\r\n${headers}content-type: ${type}\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
}

const hostile = new Hostile();
let apiBase: string;

beforeAll(async () => {
  await new Promise<void>((resolve) => hostile.server.listen(0, '127.0.0.1', resolve));
  apiBase = `http://127.0.0.1:${(hostile.server.address() as AddressInfo).port}/api`;
});

afterEach(() => vi.restoreAllMocks());

afterAll(async () => {
  for (const socket of hostile.sockets) socket.destroy();
  await new Promise((resolve) => hostile.server.close(resolve));
});

it('takes no reply for that of another request, over connections that are kept', async () => {
  const runs = propertyRuns(100, 10_000);
  let wrong = 0;
  vi.spyOn(performance, 'now').mockImplementation(clock.now);
  const schedule = fc.array(
    fc.record({
      act: fc.constantFrom(...acts),
      manner: fc.array(fc.constantFrom(...manners), { maxLength: 3 }),
      gap: fc.constantFrom(...gaps),
    }),
    {
      minLength: 2,
      maxLength: 14,
    },
  );
  await fc.assert(
    fc.asyncProperty(schedule, fc.boolean(), fc.boolean(), async (steps, isDated, isEchoing) => {
      Object.assign(hostile, { isDated, isEchoing });
      const client = clientOf({ connectionId: 'c', name: 'Hostile', apiBase });
      try {
        for (const { act, manner, gap } of steps) {
          clock.pass(gap);
          hostile.manner.splice(0, Infinity, ...manner);
          const found = await play(client, act, hostile);
          wrong += found;
          expect(found, `${act} ${manner.join()}`).toBe(0);
        }
      } finally {
        await client.close();
      }
    }),
    { numRuns: runs },
  );
  expect(hostile.reused).toBeGreaterThan(runs);
  expect(hostile.again).toBeGreaterThan(runs / 20);
  expect(hostile.copies).toBeGreaterThan(runs / 10);
  expect(hostile.results).toBeGreaterThan(runs / 10);
  expect(hostile.resultsReused).toBeGreaterThan(runs / 20);
  figure(
    'R2',
    `${runs} schedules, ${hostile.reused} requests over used connections, ${hostile.again} of them like an earlier one, ${hostile.copies} copies: ${wrong} taken wrongly`,
  );
});
