import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A program that passes itself off as the local server, and keeps everything that it is sent. */
export interface FalseServer {
  url: string;
  port: number;
  /** Heads and bodies of all requests. */
  received: () => string;
  stop: () => Promise<void>;
}

/** Answers one request, given its whole body. */
export type FalseAnswer = (request: IncomingMessage, body: string, response: ServerResponse) => void | Promise<void>;

/** Starts a false server. */
export async function startFalseServer(
  answer: FalseAnswer,
  { host = '127.0.0.1', port = 0 }: { host?: string; port?: number } = {},
): Promise<FalseServer> {
  const received: string[] = [];
  const server = createServer((request, response) => {
    const handle = async () => {
      const body = await text(request);
      received.push([request.method, request.url, ...request.rawHeaders, body].join('\n'));
      await answer(request, body, response);
    };
    // A client that went away is no matter of this program.
    handle().catch(() => response.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  const { port: listening } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${listening}`,
    port: listening,
    received: () => received.join('\n'),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Tells the installation id to whoever asks, and refuses every token, which makes a client sign in again. */
export function answerAs(installationId: string, proof?: string): FalseAnswer {
  return (request, _body, response) => {
    if (request.url?.startsWith('/local-server-proof') && proof !== undefined) return void response.end(proof);
    if (request.url?.endsWith('/GetInstallationID')) return void response.end(installationId);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ErrorCode: 101, ErrorMessage: 'Session Expired' }));
  };
}

/** Passes everything on to the server at `url`, as if it came to that server's own address. */
export function relayTo(url: string): FalseAnswer {
  return async (request, body, response) => {
    const type = request.headers['content-type'];
    const reply = await fetch(url + request.url, {
      method: request.method ?? 'GET',
      ...(body !== '' && { body }),
      ...(type !== undefined && { headers: { 'content-type': type } }),
    });
    response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'text/plain' });
    response.end(await reply.text());
  };
}
