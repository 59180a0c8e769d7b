import { execFile } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampleReply } from '../bench/results/sampleReply.ts';
import { figure } from '../support/run/figure.ts';
import { isRecord } from '../support/isRecord.ts';

const rowCount = 500_000;
const mostGrowth = 300 * 1024 * 1024;
const script = path.join(import.meta.dirname, '..', 'support', 'large', 'largeResultProcess.ts');

let server: Server;
let apiBase: string;
let sent = 0;

beforeAll(async () => {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.url?.endsWith('DoLogin')) {
      response.end('{"ErrorCode":0,"LoginSession":{"SessionToken":"t"},"LoginUser":{"LoginName":"ada"}}');
    } else if (!request.url?.endsWith('GetReportData')) response.end('[{"RoleId":"1"}]');
    else void stream(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  apiBase = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
});
afterAll(() => new Promise<void>((resolve) => void server.close(() => resolve())));

/** Writes the rows as fast as they are taken. */
async function stream(response: NodeJS.WritableStream): Promise<void> {
  for (const chunk of sampleReply(rowCount)) {
    sent += chunk.byteLength;
    if (!response.write(chunk)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end();
}

it('reads 500,000 rows whole, and takes little memory for it', { timeout: 240_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', script, apiBase]);
  const result: unknown = JSON.parse(stdout);
  if (!isRecord(result)) throw new Error(stdout);
  const { growth } = result;
  // The sum of the ids says that each row came, and came once.
  const sum = rowCount * 1_000_000 + (rowCount * (rowCount - 1)) / 2;
  expect(result).toMatchObject({ kind: 'complete', rows: rowCount, columns: 12, sum });
  expect(growth).toBeLessThanOrEqual(mostGrowth);
  const mebibytes = (bytes: unknown) => Math.round(Number(bytes) / 1024 / 1024);
  figure('R14', `${rowCount} rows, ${mebibytes(sent)} MiB: all of them read, memory grew by ${mebibytes(growth)} MiB`);
});
