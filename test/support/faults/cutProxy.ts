import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What becomes of one request: `pass` hands it on; `never` breaks the connection before the server sees it; `lost` breaks it
 * once the server has answered; `hold` neither answers nor hands on; `reply` is answered in the server's place, as text.
 */
export type Passage = 'pass' | 'never' | 'lost' | 'hold' | { reply: string };

/** A proxy in front of one server, on loopback, whose wire a test can cut. */
export interface CutProxy {
  /** Root of the server as it is seen through the proxy. */
  url: string;
  /** Root of the server behind it; another one may take its place. */
  target: string;
  /** Paths that were asked for, in order. */
  asked: string[];
  /** Bodies of those requests, as far as they have come. */
  sent: string[];
  /** How many requests the server has not answered yet, also those that their sender gave up. */
  underWay(): number;
  /** Decides about every request from now on; one that is decided later waits. */
  rule: (path: string) => Passage | Promise<Passage>;
  close(): Promise<void>;
}

/** Starts a proxy that hands everything on until its {@link CutProxy.rule} is changed. */
export async function startCutProxy(target: string): Promise<CutProxy> {
  const unanswered = new Set<symbol>();
  const server = createServer((incoming, response) => {
    const path = incoming.url ?? '';
    const number = proxy.asked.push(path) - 1;
    proxy.sent[number] = '';
    incoming.setEncoding('utf8');
    const passage = proxy.rule(path);
    if (passage instanceof Promise) void passage.then((later) => handOn(incoming, response, later, number));
    else handOn(incoming, response, passage, number);
  });
  const handOn = (incoming: IncomingMessage, response: ServerResponse, passage: Passage, number: number) => {
    const path = incoming.url ?? '';
    incoming.on('data', (text: string) => (proxy.sent[number] += text));
    if (passage === 'never') {
      response.destroy();
      return;
    }
    if (passage === 'hold') return;
    if (typeof passage === 'object') {
      // As the server does; the client takes no other reply for that to its request.
      const id = incoming.headers['x-request-id'] ?? '';
      response.writeHead(200, { 'content-type': 'text/plain', 'x-request-id': id }).end(passage.reply);
      return;
    }
    const { host: _host, ...headers } = incoming.headers;
    const outgoing = request(
      new URL(path, proxy.target),
      { method: incoming.method, headers, agent: false },
      (reply) => {
        if (passage === 'lost') {
          reply.resume().on('end', () => response.destroy());
          return;
        }
        response.writeHead(reply.statusCode ?? 502, reply.headers);
        reply.pipe(response);
      },
    );
    const open = Symbol();
    unanswered.add(open);
    outgoing.once('response', () => unanswered.delete(open));
    outgoing.on('error', () => {
      unanswered.delete(open);
      response.destroy();
    });
    // What its sender gave up half way never reaches the server whole.
    incoming.once('close', () => {
      if (!incoming.complete) outgoing.destroy();
    });
    incoming.pipe(outgoing);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: CutProxy = {
    url: `http://127.0.0.1:${port}`,
    target,
    asked: [],
    sent: [],
    underWay: () => unanswered.size,
    rule: () => 'pass',
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return proxy;
}
