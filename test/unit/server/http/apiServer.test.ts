import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  CallFailure,
  noContent,
  StreamedJson,
  type CallContext,
  type Handlers,
} from '../../../../src/server/calls/handlers.ts';
import { ApiServer, type ObservedCall } from '../../../../src/server/http/apiServer.ts';
import { createDispatcher } from '../../../../src/server/http/dispatcher.ts';
import { findUser } from '../../../../src/server/identity/users.ts';
import { adminUserId, identitySchema } from '../../../../src/server/identity/identitySchema.ts';
import { Sessions } from '../../../../src/server/identity/sessions.ts';
import { settingsSchema } from '../../../../src/server/store/settings.ts';
import { Store } from '../../../../src/server/store/store.ts';
import { waitFor } from '../../../support/waitFor.ts';

const megabyte = Buffer.alloc(1024 * 1024, 0x20);

describe('ApiServer', () => {
  let store: Store;
  let sessions: Sessions;
  let server: ApiServer;
  let port: number;
  let token: string | undefined;
  let log: string[];
  let observed: ObservedCall[];
  /** Answers GetReportData; each test sets its own. */
  let answer: (context: CallContext) => unknown;

  beforeEach(async () => {
    store = Store.open(':memory:', [settingsSchema, identitySchema]);
    log = [];
    observed = [];
    sessions = new Sessions(store, new Date(), (error) => log.push(String(error)));
    const admin = findUser(store, adminUserId);
    if (!admin) throw new Error('missing');
    token = sessions.begin(admin, false, new Date()).token;
    const handlers: Handlers = {
      'Report/GetReportData': (_body, context) => answer(context),
      'Report/GetSQL': (_body, context) => answer(context),
    };
    const dispatch = createDispatcher({ store, sessions, handlers, log: (line) => log.push(line) });
    server = new ApiServer({
      port: 0,
      prefix: '/api',
      allowedOrigin: { kind: 'any' },
      bodyLimit: 1024 * 1024,
      dispatch,
      observe: (call) => observed.push(call),
      log: (line) => log.push(line),
    });
    port = await server.listen();
  });
  afterEach(async () => {
    await server.stop();
    sessions.close();
    store.close();
  });

  function post(path = 'Report/GetReportData', headers: Record<string, string> = {}): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const url = `http://127.0.0.1:${port}/api/${path}`;
      const all = { 'Content-Type': 'application/json', ...headers };
      const outgoing = request(url, { method: 'POST', agent: false, headers: all }, resolve);
      outgoing.on('error', reject);
      outgoing.end(JSON.stringify({ sessionToken: token, Reportobj: {} }));
    });
  }

  async function json(path?: string): Promise<unknown> {
    const response = await post(path);
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += String(chunk);
    return JSON.parse(text);
  }

  /** A source of chunks that notes how many were taken and whether it was told to end. */
  function source(chunks: readonly (string | Uint8Array | Error)[], hold?: Promise<void>) {
    const state = { taken: 0, isEnded: false };
    async function* read() {
      try {
        for (const chunk of chunks) {
          if (state.taken === 1) await hold;
          state.taken += 1;
          if (chunk instanceof Error) throw chunk;
          yield chunk;
        }
      } finally {
        state.isEnded = true;
      }
    }
    return { state, document: new StreamedJson(read()) };
  }

  it('cuts off a call that breaks what answers it, says so in its log, and serves others', async () => {
    const breaking = new ApiServer({
      port: 0,
      prefix: '/api',
      allowedOrigin: { kind: 'any' },
      bodyLimit: 1024,
      dispatch: () => {
        throw new Error('broken on the way');
      },
      log: (line) => log.push(line),
    });
    const url = `http://127.0.0.1:${await breaking.listen()}`;
    const headers = { 'Content-Type': 'application/json' };
    const call = () => fetch(`${url}/api/Report/GetSQL`, { method: 'POST', headers, body: '{"sessionToken":"x"}' });
    await expect(call()).rejects.toThrow();
    await expect(call()).rejects.toThrow();
    expect(log.filter((line) => line.includes('broken on the way'))).toHaveLength(2);
    expect((await fetch(url)).status).toBe(200);
    await breaking.stop();
  });

  it('writes a document piece by piece', async () => {
    const { state, document } = source(['{"Data":', '[1,', '2]}']);
    answer = () => document;
    expect(await json()).toEqual({ Data: [1, 2] });
    expect(state).toEqual({ taken: 3, isEnded: true });
  });

  it('takes no more of a document than the client reads', async () => {
    const { state, document } = source(['"', ...Array.from({ length: 200 }, () => megabyte), '"']);
    answer = () => document;
    const response = await post();
    response.pause();
    await waitFor('the pipe to fill', async () => state.taken > 3);
    let before = 0;
    await waitFor('the source to rest', async () => {
      const isAtRest = state.taken === before;
      before = state.taken;
      return isAtRest;
    });
    expect(state.taken).toBeLessThan(100);
    let length = 0;
    for await (const chunk of response) length += (chunk as Buffer).length;
    expect(length).toBe(200 * megabyte.length + 2);
    expect(state).toEqual({ taken: 202, isEnded: true });
  });

  it('ends a document and aborts its call when the client goes away', async () => {
    const { state, document } = source(['"', ...Array.from({ length: 200 }, () => megabyte)]);
    let signal: AbortSignal | undefined;
    answer = (context) => {
      signal = context.signal;
      return document;
    };
    const response = await post();
    response.destroy();
    await waitFor('the source to end', async () => state.isEnded);
    expect(signal?.aborted).toBe(true);
    expect(state.taken).toBeLessThan(100);
    expect(log).toEqual([]);
  });

  it('ends a document that came when the client was gone already', async () => {
    const { state, document } = source(['"', '"']);
    answer = async ({ signal }) => {
      await once(signal, 'abort');
      return document;
    };
    const outgoing = request(`http://127.0.0.1:${port}/api/Report/GetReportData`, {
      method: 'POST',
      agent: false,
      headers: { 'Content-Type': 'application/json' },
    });
    outgoing.on('error', () => undefined);
    outgoing.end(JSON.stringify({ sessionToken: token, Reportobj: {} }));
    outgoing.once('finish', () => setImmediate(() => outgoing.destroy()));
    await waitFor('the source to end', async () => state.isEnded);
    expect(log).toEqual([]);
  });

  it('answers a document that fails at once as a failure in the endpoint’s envelope', async () => {
    answer = () => source([new CallFailure(9002, 'The database is away')]).document;
    expect(await json()).toEqual({ HasError: true, ErrorCode: 0, ErrorMessage: 'The database is away' });
  });

  it('cuts off a document that fails later, so that it cannot be taken for whole', async () => {
    answer = () => source(['{"Data":[', megabyte, new Error('canary detail')]).document;
    const response = await post();
    const read = async () => {
      for await (const _ of response) continue;
    };
    await expect(read()).rejects.toThrow('aborted');
    await waitFor('the log', async () => log.length > 0);
    expect(log.join()).toContain('canary detail');
  });

  it('sends the first piece at once, compressed or not', async () => {
    for (const encoding of ['identity', 'gzip']) {
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      const { document } = source(['{"first":1,', '"second":2}'], held);
      answer = () => document;
      const response = await post(undefined, { 'Accept-Encoding': encoding });
      const reader = encoding === 'gzip' ? response.pipe(createGunzip()) : response;
      reader.setEncoding('utf8');
      const [first] = (await once(reader, 'data')) as [string];
      expect(first, encoding).toBe('{"first":1,');
      release();
      const [second] = (await once(reader, 'data')) as [string];
      expect(second, encoding).toBe('"second":2}');
    }
  });

  it('tells the log alone what an unexpected error says', async () => {
    answer = () => {
      throw new Error('canary detail');
    };
    const reply = await json();
    expect(JSON.stringify(reply)).not.toContain('canary');
    const reference = /for ([0-9a-f]{8})\.$/.exec(String((reply as { ErrorMessage: string }).ErrorMessage))?.[1];
    expect(log.join()).toContain(`(${reference}): Error: canary detail`);
  });

  it('writes refusals of texts that may be anything in the standard envelope', async () => {
    answer = () => {
      throw new CallFailure(9001, 'No such report type');
    };
    expect(await json('Report/GetSQL')).toEqual({ ErrorCode: 9001, ErrorMessage: 'No such report type' });
  });

  it('answers 9000 when a handler answers something of the wrong kind', async () => {
    answer = () => 5;
    expect(await json('Report/GetSQL')).toMatchObject({ ErrorCode: 9000 });
    answer = () => undefined;
    expect(await json()).toMatchObject({ HasError: true });
  });

  it('says which endpoints it does not offer', async () => {
    expect(await json('Report/NewReport')).toEqual({
      ErrorCode: 9001,
      ErrorMessage: 'This server does not offer Report/NewReport yet.',
    });
  });

  it('lets a running call finish before it stops', async () => {
    let finish = () => {};
    const started = new Promise<void>((begun) => {
      answer = () =>
        new Promise((resolve) => {
          finish = () => resolve({ Data: [] });
          begun();
        });
    });
    const reply = json();
    await started;
    const stopped = server.stop();
    finish();
    expect(await reply).toEqual({ Data: [] });
    await stopped;
  });

  /** Lets GetReportData run until its call is ended. */
  function runUntilAborted(): Promise<void> {
    return new Promise<void>((begun) => {
      answer = async ({ signal }) => {
        begun();
        await once(signal, 'abort');
        throw new CallFailure(9001, 'The report was cancelled.');
      };
    });
  }
  const whole = async (reply: IncomingMessage) => (await reply.setEncoding('utf8').toArray()).join('');
  const stopping = 'The server is stopping. Try again when it has started.';

  it('tells a running call that does not finish, in the form of its endpoint', async () => {
    const started = runUntilAborted();
    const pending = post();
    await started;
    await server.stop(50);
    const reply = await pending;
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '10']);
    expect(JSON.parse(await whole(reply))).toEqual({ ErrorCode: 0, ErrorMessage: stopping, HasError: true });
  });

  it('refuses new calls with 503 while it waits for running ones, which finish', async () => {
    const finish = Promise.withResolvers<unknown>();
    const started = new Promise<void>((begun) => {
      answer = () => {
        begun();
        return finish.promise;
      };
    });
    const running = json();
    await started;
    const stopped = server.stop(20_000);
    const late = await post('Report/NewReport');
    expect([late.statusCode, late.headers.connection]).toEqual([503, 'close']);
    expect(JSON.parse(await whole(late))).toEqual({ ErrorCode: 9001, ErrorMessage: stopping });
    finish.resolve({ Data: [] });
    expect(await running).toEqual({ Data: [] });
    await stopped;
    await expect(post()).rejects.toThrow();
  });

  it('cuts off a call that does not react', async () => {
    const started = new Promise<void>((begun) => {
      answer = () => {
        begun();
        return new Promise(() => undefined);
      };
    });
    const pending = post().catch((error: unknown) => error);
    await started;
    await server.stop(50);
    expect(await pending).toBeInstanceOf(Error);
  });

  it('reports how each call ended', async () => {
    answer = () => ({ Data: [] });
    await json();
    answer = () => ({ HasError: true });
    await json();
    answer = () => noContent;
    await post();
    answer = () => {
      throw new Error('unexpected');
    };
    await json();
    token = 'unknown';
    await json();
    token = undefined;
    await json();
    await post('Nothing/Here');
    expect(observed.map(({ endpoint, outcome }) => `${endpoint} ${outcome}`)).toEqual(
      ['success', 'refused', 'no_permission', 'failed', 'signed_out', 'malformed'].map(
        (outcome) => `Report/GetReportData ${outcome}`,
      ),
    );
  });
});
