import { Agent, createServer, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { drawVariation, varied } from '../run/payloadVariations.ts';
import { isRecord } from '../isRecord.ts';

/**
 * What goes wrong with one request. `…Before`: the server never sees it; `…After`: it does, and its reply is replaced;
 * `late`: the connection breaks and the server gets the request afterwards; `empty204Late`: it gets it after an empty reply of
 * something on the way; `expire`: the session ends just before the
 * server gets the request; `takeOver`: the account signs in elsewhere just before; `duplicate…`: the reply comes twice.
 * A 101 or a 404 after the server has done its work is nobody's right, and yet may come from something on the way.
 */
export const faults = [
  'none',
  'dropBefore',
  'dropAfter',
  'late',
  'truncate',
  'halfClose',
  'delay',
  'drip',
  'stallAfter',
  'empty204Before',
  'empty204After',
  'empty204Late',
  'rejected101Before',
  'rejected101After',
  'notFound404Before',
  'notFound404After',
  'error500Before',
  'error500After',
  'gateway502Before',
  'gateway502After',
  'htmlBefore',
  'htmlAfter',
  'wrongTypeAfter',
  'duplicateAtOnce',
  'duplicateLater',
  'duplicateMuchLater',
  'expire',
  'takeOver',
] as const;
export type Fault = (typeof faults)[number];

/** One request as the proxy saw it. */
export interface SeenRequest {
  /** Endpoint below the API base. */
  endpoint: string;
  body: Record<string, unknown>;
  fault: Fault;
  /** Whether it carried a token that was good when the server got it. */
  wasSignedIn: boolean;
  /** The server's own answer, if it got the request and gave one. */
  answer?: Answer;
}

/** An answer of the server. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

/** What stands behind the proxy and how it is to behave. */
export interface FaultProxyOptions {
  /** API base of a real server. */
  target: string;
  /** A token that is good there. Clients never see it: they get tokens of the proxy's own, so that no test signs in. */
  token: string;
  /** The server's reply to the sign-in that gave the token. */
  login: Record<string, unknown>;
  /** Gives the fault of each request in the order of arrival. */
  next(endpoint: string): Fault;
  /** Length of sessions in ms. */
  sessionMs: number;
  /** Told when a request has been answered by the server, and its client will never hear of it. */
  onStall?: () => void;
  /** Changes what the server answers without changing what it means. Default: the variation drawn for this proxy. */
  vary?: (endpoint: string, text: string) => string;
}

/** A proxy that breaks things between a client and a real server, on loopback. */
export interface FaultProxy {
  apiBase: string;
  seen: SeenRequest[];
  /** How many replies were written twice. */
  doubled(): number;
  /** Waits until the server has answered everything that was handed on, late requests too. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** What went over the connections. */
interface Wires {
  copies: number;
}

/** Kept open to the server: what is to break is on this side. */
const toServer = new Agent({ keepAlive: true });

let tokens = 0;

/** Starts a proxy. It has one account with one session, as the server does. */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const seen: SeenRequest[] = [];
  const pending = new Set<Promise<unknown>>();
  const variation = drawVariation();
  const account = new Account({ vary: (_endpoint, text) => varied(variation, text), ...options });
  const wires: Wires = { copies: 0 };
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const endpoint = (incoming.url ?? '').replace(/^\/api\//, '');
      const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
      const entry: SeenRequest = {
        endpoint,
        body: isRecord(body) ? body : {},
        fault: options.next(endpoint),
        wasSignedIn: false,
      };
      seen.push(entry);
      const work = play(entry, response, account, wires, options).catch((error: unknown) =>
        response.destroy(error as Error),
      );
      pending.add(work);
      void work.finally(() => pending.delete(work));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    apiBase: `http://127.0.0.1:${port}/api`,
    seen,
    doubled: () => wires.copies,
    async settled() {
      while (pending.size > 0) await Promise.allSettled(pending);
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The account behind the proxy: its one session, and the way to the server. */
class Account {
  readonly #options: FaultProxyOptions & Required<Pick<FaultProxyOptions, 'vary'>>;
  #current = '';

  constructor(options: FaultProxyOptions & Required<Pick<FaultProxyOptions, 'vary'>>) {
    this.#options = options;
  }

  end(): void {
    this.#current = '';
  }

  /** Hands a request on; a token that is no longer good reaches the server as one that it does not know. */
  async forward(entry: SeenRequest): Promise<Answer> {
    const { target, token, vary } = this.#options;
    if (entry.endpoint === 'login/DoLogin') {
      entry.answer = this.#signIn();
      return entry.answer;
    }
    entry.wasSignedIn = this.#current !== '' && entry.body.sessionToken === this.#current;
    const body = entry.wasSignedIn ? { ...entry.body, sessionToken: token } : entry.body;
    entry.answer = await post(`${target}/${entry.endpoint}`, JSON.stringify(body));
    const { answer } = entry;
    if (entry.wasSignedIn && /^Session\/|DoLogout$/.test(entry.endpoint)) {
      return { ...answer, text: answer.text.replaceAll(token, this.#current) };
    }
    return answer.status === 200 ? { ...answer, text: vary(entry.endpoint, answer.text) } : answer;
  }

  #signIn(): Answer {
    const { login, sessionMs, vary } = this.#options;
    this.#current = `client-token-${++tokens}`;
    const LoginSession = {
      ...(isRecord(login.LoginSession) ? login.LoginSession : {}),
      SessionToken: this.#current,
      SessionExpir: new Date(Date.now() + sessionMs).toISOString(),
    };
    const text = JSON.stringify({ ...login, LoginSession });
    const headers = { 'content-type': 'application/json', date: new Date().toUTCString() };
    return { status: 200, headers, text: vary('login/DoLogin', text) };
  }
}

async function play(
  entry: SeenRequest,
  response: ServerResponse,
  account: Account,
  wires: Wires,
  options: FaultProxyOptions,
): Promise<void> {
  const { fault } = entry;
  if (fault === 'dropBefore') return void response.destroy();
  if (fault.endsWith('Before')) return replace(fault, response);
  if (fault === 'late' || fault === 'empty204Late') {
    if (fault === 'late') response.destroy();
    else response.writeHead(204).end();
    await delay(20);
    await account.forward(entry);
    return;
  }
  if (fault === 'delay') await delay(30);
  if (fault === 'expire' || fault === 'takeOver') account.end();
  const answer = await account.forward(entry);
  if (fault === 'dropAfter') return void response.destroy();
  if (fault === 'stallAfter') return options.onStall?.();
  if (fault.endsWith('After')) return replace(fault, response, answer.text);
  if (fault === 'truncate' || fault === 'halfClose') return cutShort(answer, response, fault);
  if (fault.startsWith('duplicate')) return answerTwice(answer, response, fault, wires);
  response.writeHead(answer.status, answer.headers);
  if (fault === 'drip') await drip(answer.text, response);
  response.end(fault === 'drip' ? undefined : answer.text);
}

function replace(fault: Fault, response: ServerResponse, text = ''): void {
  if (fault.startsWith('empty204')) response.writeHead(204).end();
  else if (fault.startsWith('notFound404')) response.writeHead(404).end();
  else if (fault.startsWith('rejected101')) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"ErrorCode":101,"ErrorMessage":"Session Expired"}');
  } else if (fault.startsWith('error500')) response.writeHead(500, { 'content-type': 'application/json' }).end();
  else if (fault.startsWith('gateway502')) {
    response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>');
  } else if (fault.startsWith('html')) {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>');
  } else response.writeHead(200, { 'content-type': 'text/html' }).end(text);
}

function cutShort({ status, headers, text }: Answer, response: ServerResponse, fault: Fault): void {
  const bytes = Buffer.from(text);
  response.writeHead(status, { ...headers, 'content-length': String(bytes.byteLength + 1) });
  response.write(bytes.subarray(0, bytes.byteLength >> 1), () => {
    if (fault === 'halfClose') response.socket?.end();
    else response.destroy();
  });
}

/** Writes the same reply twice to the connection: at once, or the second one later. */
async function answerTwice(
  { status, headers, text }: Answer,
  response: ServerResponse,
  fault: Fault,
  wires: Wires,
): Promise<void> {
  const { socket } = response;
  if (!socket) return;
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = `content-length: ${Buffer.byteLength(text)}\r\n`;
  const whole = `HTTP/1.1 ${status} Answer\r\n${lines.join('')}${status === 204 ? '' : length}\r\n${text}`;
  socket.on('error', () => undefined);
  wires.copies += 1;
  if (fault === 'duplicateAtOnce') return void socket.write(whole + whole);
  socket.write(whole);
  // Long after the client has gone on to other requests, or just then.
  await delay(fault === 'duplicateLater' ? 2 : 80);
  if (socket.writable) socket.write(whole);
}

async function drip(text: string, response: ServerResponse): Promise<void> {
  const size = Math.max(1, Math.ceil(text.length / 8));
  for (let at = 0; at < text.length; at += size) {
    response.write(text.slice(at, at + size));
    await delay(2);
  }
}

/** Posts a body; each connection is kept for the next. */
export function post(url: string, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const outgoing = request(url, { method: 'POST', agent: toServer, headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('error', reject);
      reply.on('end', () => {
        const type = reply.headers['content-type'];
        const kept: Record<string, string> = type === undefined ? {} : { 'content-type': type };
        resolve({ status: reply.statusCode ?? 0, headers: kept, text: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
