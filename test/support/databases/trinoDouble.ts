import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One page of a query's result, without the address of the next one. */
export interface TrinoDoublePage {
  columns?: readonly { name: string; type: string }[];
  /** The rows as JSON text, so that numbers keep every digit. */
  data?: string;
  error?: { message: string; errorName: string; errorType: string };
}

/** A server that speaks Trino's protocol and answers every query with the same pages. It computes nothing. */
export interface TrinoDouble {
  host: string;
  /** Texts of the queries that came. */
  queries: string[];
  /** Headers of the last request. */
  headers: IncomingMessage['headers'];
  /** Settings of the last query. */
  session: string | undefined;
  /** Address of the last page that was asked for. */
  pageUrl: string;
  /** How often a query was ended early. */
  cancelled: number;
  /** Replies of status 503 to give before the next one. */
  busy: number;
  /** Names of the errors that the next queries end with, before the pages. */
  refusals: string[];
  /** What it says of itself. */
  info: string;
  /** Pages of the next queries; a page that is a promise comes late. */
  pages: readonly (TrinoDoublePage | Promise<TrinoDoublePage>)[];
  stop: () => Promise<void>;
}

/** Starts a double of Trino on loopback. */
export async function startTrinoDouble(): Promise<TrinoDouble> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  const double: TrinoDouble = {
    host: '',
    queries: [],
    headers: {},
    session: undefined,
    pageUrl: '',
    cancelled: 0,
    busy: 0,
    refusals: [],
    info: '{"nodeVersion":{"version":"476"},"coordinator":true}',
    pages: [],
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
    if (request.url === '/v1/info') {
      response.end(double.info);
      return;
    }
    double.headers = request.headers;
    if (request.method === 'DELETE') {
      double.cancelled += 1;
      response.writeHead(204).end();
      return;
    }
    if (double.busy > 0) {
      double.busy -= 1;
      response.writeHead(503).end();
      return;
    }
    const isFirst = request.url === '/v1/statement';
    if (isFirst) {
      double.queries.push(Buffer.concat(chunks).toString());
      double.session = request.headers['x-trino-session']?.toString();
    }
    const errorName = isFirst ? double.refusals.shift() : undefined;
    if (errorName !== undefined) {
      const error = { message: 'refused', errorName, errorType: 'INSUFFICIENT_RESOURCES' };
      response.setHeader('Content-Type', 'application/json').end(pageText({ error }, 0));
      return;
    }
    const at = isFirst ? -1 : Number(request.url?.replace(/\?.*/, '').split('/').at(-1));
    if (!isFirst) double.pageUrl = request.url ?? '';
    const page = at < 0 ? {} : await (double.pages[at] ?? {});
    response.setHeader('Content-Type', 'application/json');
    response.end(pageText(page, at + 1));
  }

  /** The address of the next page names a host of its own, as servers behind a proxy do. */
  function pageText({ columns, data, error }: TrinoDoublePage, next: number): string {
    const parts = [
      `"id":"20260301_000000_00001_double"`,
      ...(next < double.pages.length && !error
        ? [`"nextUri":"http://inner.invalid:1/v1/statement/executing/q/${next}"`]
        : []),
      ...(columns ? [`"columns":${JSON.stringify(columns)}`] : []),
      ...(data ? [`"data":${data}`] : []),
      ...(error ? [`"error":${JSON.stringify(error)}`] : []),
      '"stats":{"state":"RUNNING"}',
    ];
    return `{${parts.join(',')}}`;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  double.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return double;
}
