import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { Sessions } from '../../../src/server/identity/sessions.ts';
import { findUser, insertUser } from '../../../src/server/identity/users.ts';
import { stateSchemas } from '../../../src/server/schemas.ts';
import { Store } from '../../../src/server/store/store.ts';
import { startServer } from '../../support/server.ts';
import { median } from '../results/median.ts';
import { builtServer, goal } from './goals.ts';

const sessionCount = 1_000;
const connections = 32;
const atOnce = 20_000;
const rounds = 7;

/** Tokens of sessions in force, written into the data folder of a server that does not run. */
async function writeSessions(dataFolder: string): Promise<string[]> {
  const server = await startServer({ dataFolder, ...builtServer });
  await server.stop();
  const store = Store.open(path.join(dataFolder, 'state.db'), stateSchemas);
  const now = new Date();
  const sessions = new Sessions(store, now, (error) => {
    throw error;
  });
  const tokens = store.transaction(() =>
    Array.from({ length: sessionCount }, (_, index) => {
      const user = findUser(store, insertUser(store, { loginName: `user ${index}` }));
      if (!user) throw new Error('The user was not created');
      return sessions.begin(user, false, now).token;
    }),
  );
  sessions.close();
  store.close();
  return tokens;
}

async function startEcho(): Promise<{ child: ChildProcess; port: number }> {
  const script = path.join(import.meta.dirname, 'echoServer.ts');
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { child, port: Number(line) };
}

/** Requests that were answered a second, each connection sending its next one when the last is answered. */
async function requestsPerSecond(port: number, requests: readonly Buffer[]): Promise<number> {
  let sent = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, '127.0.0.1').setNoDelay(true);
      await once(socket, 'connect');
      const usual: Usual = { length: 0 };
      while (sent < atOnce) {
        const request = requests[sent % requests.length];
        sent += 1;
        if (request) await exchange(socket, request, usual);
      }
      socket.destroy();
    }),
  );
  return (sent * 1000) / (performance.now() - started);
}

/** Bytes of the replies of a connection, all of which are as long; 0 until the first. */
interface Usual {
  length: number;
}

const success = Buffer.from('HTTP/1.1 200 ');

/**
 * Sends one request and waits until its reply, which announces its length, is complete. Only a reply that does not come at
 * once and as long as those before is taken apart: the client is not to be what takes the time.
 */
function exchange(socket: Socket, request: Buffer, usual: Usual): Promise<void> {
  return new Promise((resolve, reject) => {
    let reply: Buffer = Buffer.alloc(0);
    const take = (chunk: Buffer) => {
      reply = reply.length === 0 ? chunk : Buffer.concat([reply, chunk]);
      if (reply.length !== usual.length && !isWhole(reply)) return;
      usual.length = reply.length;
      socket.off('data', take);
      if (success.compare(reply, 0, success.length) === 0) resolve();
      else reject(new Error(`Answered ${reply.toString('latin1', 0, 100)}`));
    };
    socket.on('data', take);
    socket.write(request);
  });
}

function isWhole(reply: Buffer): boolean {
  const text = reply.toString('latin1');
  const head = text.indexOf('\r\n\r\n');
  const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? NaN);
  return head >= 0 && reply.length >= head + 4 + length;
}

function requestOf(target: string, token: string): Buffer {
  const body = JSON.stringify({ sessionToken: token });
  const head = `POST ${target} HTTP/1.1\r\nHost: localhost:PORT\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  return Buffer.from(`${head}\r\n\r\n${body}`);
}

/** CheckSession over many sessions against a bare node:http server that sends the body back. */
export { writeSessions, startEcho, requestsPerSecond, requestOf };
export async function benchCheckSession(): Promise<void> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'bench-sessions-'));
  const tokens = await writeSessions(dataFolder);
  const server = await startServer({ dataFolder, ...builtServer });
  const echo = await startEcho();
  try {
    const port = Number(new URL(server.url).port);
    const requestsTo = (at: number) =>
      tokens.map((token) =>
        Buffer.from(requestOf('/api/Session/CheckSession', token).toString().replace('PORT', String(at))),
      );
    const own = requestsTo(port);
    const bare = requestsTo(echo.port);
    await requestsPerSecond(port, own);
    await requestsPerSecond(echo.port, bare);
    const rates: number[] = [];
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const floor = await requestsPerSecond(echo.port, bare);
      const rate = await requestsPerSecond(port, own);
      rates.push(rate);
      ratios.push(rate / floor);
    }
    console.log(`CheckSession: ${median(rates).toFixed(0)} a second, ${sessionCount} sessions, medians of ${rounds}`);
    goal('ratio', 'server.checkSession', median(ratios), 0.8, true);
  } finally {
    echo.child.kill();
    await server.stop();
    await rm(dataFolder, { recursive: true });
  }
}
