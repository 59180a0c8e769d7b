import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import type { SignedIn, TestServer } from '../server.ts';

/** What one call was answered, and the milliseconds from sending it until the last byte. */
export interface TimedReply {
  status: number;
  text: string;
  ms: number;
}

/** A connection to the embedded server that stays open from call to call. */
export class LoadClient {
  readonly #apiBase: string;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });

  constructor({ apiBase }: TestServer, { token }: SignedIn) {
    this.#apiBase = apiBase;
    this.#token = token;
  }

  /** Calls an endpoint with the token. @throws Error when the connection breaks. */
  call(endpoint: EndpointPath, body: object = {}): Promise<TimedReply> {
    const bytes = Buffer.from(JSON.stringify({ ...body, sessionToken: this.#token }));
    const headers = { 'Content-Type': 'application/json', 'Content-Length': bytes.length };
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const outgoing = request(`${this.#apiBase}/${endpoint}`, { method: 'POST', agent: this.#agent, headers });
      outgoing.on('error', reject).on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, text, ms: performance.now() - started });
        });
      });
      outgoing.end(bytes);
    });
  }

  /** Closes the connection. */
  close(): void {
    this.#agent.destroy();
  }
}

/** The value that `share` per cent of `values` do not exceed; 50 for the median. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil((sorted.length * share) / 100) - 1))] ?? NaN;
}
