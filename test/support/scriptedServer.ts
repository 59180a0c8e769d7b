import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { drawVariation, varied } from './run/payloadVariations.ts';

/** One request as it arrived. */
export interface ScriptedRequest {
  /** Path below the root, for example `/api/Session/CheckSession`. */
  path: string;
  body: Record<string, unknown>;
}

/** Answers one request: a value is sent as JSON, text as plain text; or the script writes to `response` itself. */
export type Script = (request: ScriptedRequest, response: ServerResponse) => unknown;

/** Marks that the script has taken over the response. */
export const handled = Symbol('handled');

/** A server on loopback that answers by script and remembers what it was asked. */
export interface ScriptedServer {
  url: string;
  requests: ScriptedRequest[];
  /** How often a path was asked, for example `login/DoLogin`. */
  count(path: string): number;
  close(): Promise<void>;
}

/**
 * Starts a server whose every reply comes from `script`; used where a fault must be exact. JSON goes out in the variation
 * drawn for this server.
 */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: ScriptedRequest[] = [];
  const variation = drawVariation();
  const server = createServer((incoming, response) => {
    void answer(incoming, response).catch((error: unknown) => response.destroy(error as Error));
  });
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const request = {
      path: incoming.url ?? '',
      body: (text ? JSON.parse(text) : {}) as Record<string, unknown>,
    };
    requests.push(request);
    const reply = await script(request, response);
    if (reply === handled) return;
    if (reply === undefined) {
      response.writeHead(204).end();
      return;
    }
    const isText = typeof reply === 'string';
    response.writeHead(200, { 'content-type': isText ? 'text/plain' : 'application/json' });
    response.end(isText ? reply : varied(variation, JSON.stringify(reply)));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    count: (path) => requests.filter((request) => request.path.endsWith(path)).length,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
