import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import type { Socket } from 'node:net';
import { Transport } from '../../../src/client/http/transport.ts';
import { frames, startHttp2Server, type Http2Request, type Http2Server } from './http2Server.ts';
import { canMakeCertificates, makeAuthority, type Authority, type MadeCertificate } from '../tls.ts';

export const cleanups: (() => Promise<void> | void)[] = [];
let authority: Authority;
export let certificate: MadeCertificate;

/** Makes certificates for the tests of a file, and ends after each what it started. */
export function useHttp2Scenes(): void {
  beforeAll(async () => {
    if (!canMakeCertificates) return;
    authority = await makeAuthority();
    certificate = await authority.make();
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  afterAll(() => authority?.remove());
}

/** Waits on a busy machine too. */
export const eventually = (check: () => void) => vi.waitFor(check, { timeout: 20_000 });

export interface Scene {
  readonly server: Http2Server;
  readonly transport: Transport;
}

export type Answer = (request: Http2Request) => void;

export async function scene(answer: Answer, options: Parameters<typeof startHttp2Server>[2] & { proxy?: string } = {}) {
  const server = await startHttp2Server(certificate, answer, options);
  const { proxy } = options;
  const transport = new Transport({
    connectionId: 'c',
    name: 'Reports',
    apiBase: server.apiBase,
    tls: { extraCa: authority.ca },
    ...(proxy !== undefined && { proxy: { url: proxy } }),
  });
  cleanups.push(async () => {
    await transport.close();
    await server.close();
  });
  return { server, transport };
}

interface Sending {
  manner?: 'read' | 'once' | 'new' | 'stream';
  signal?: AbortSignal;
  body?: string;
}

export async function send(
  { transport }: Scene,
  path: string,
  { body = '{}', ...options }: Sending = {},
): Promise<string> {
  const reply = await transport.send(path, body, { deadlineMs: 10_000, maxBytes: 100_000_000, ...options });
  let text = '';
  for await (const chunk of reply.body) text += Buffer.from(chunk).toString();
  return text;
}

export const whole: Answer = ({ socket, id, path }) =>
  socket.write(Buffer.concat([frames.head(id), frames.end(id, `"${path}"`)]));

/** An answer in two parts, of which the second is sent once the first has been written. */
export const inParts =
  (first: (id: number) => Buffer[], second: (id: number, socket: Socket) => void): Answer =>
  ({ socket, id }) =>
    socket.write(Buffer.concat(first(id)), () => setImmediate(() => second(id, socket)));

export const begun = (id: number) => [frames.head(id), frames.data(id, '[1,2')];
