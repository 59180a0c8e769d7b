import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { figure } from '../../support/run/figure.ts';
import { startScriptedServer, type ScriptedServer } from '../../support/scriptedServer.ts';

/** Windows of one editor, each a process of its own, with one secret storage and one lock. */
const windows = 5;
const calls = 200;
const rounds = 5;
const script = path.join(import.meta.dirname, '..', '..', 'support', 'processes', 'sessionProcess.ts');

let folder: string;
let server: ScriptedServer;
let token = 0;
const children: ChildProcess[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-session-'));
  server = await startScriptedServer(({ path: asked, body }) => {
    if (asked.endsWith('login/DoLogin')) {
      token += 1;
      // Within the tolerance: a token that is rejected has expired, and was not taken over.
      const SessionExpir = new Date(Date.now() + 25_000).toISOString();
      return {
        ErrorCode: 0,
        LoginSession: { SessionToken: `t${token}`, SessionExpir },
        LoginUser: { LoginName: 'ada' },
      };
    }
    if (body.sessionToken !== `t${token}`) return { ErrorCode: 101, ErrorMessage: 'Session Expired' };
    return [{ RoleId: '1' }];
  });
  for (let index = 0; index < windows; index++) {
    const child = fork(script, [folder, `${server.url}/api`]);
    children.push(child);
    await once(child, 'message');
  }
}, 120_000);
afterAll(async () => {
  for (const child of children) {
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Lets every window make its calls at once; how many worked. */
async function callFromAll(): Promise<number> {
  const counts = children.map(async (child) => {
    const answer = once(child, 'message') as Promise<[number]>;
    child.send(calls);
    return (await answer)[0];
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

it('signs in once for all calls of all windows, at the start and at each expiry', async () => {
  for (let round = 1; round <= rounds; round++) {
    expect(await callFromAll()).toBe(windows * calls);
    expect(server.count('login/DoLogin')).toBe(round);
    // The server ends the session: every token out there is worth nothing.
    token += 1000;
  }
  figure(
    'R9',
    `${windows} windows, a process each, ${calls} calls each at ${rounds} expiries: ${server.count('login/DoLogin')} sign-ins, ${windows * calls * rounds} calls done`,
  );
}, 240_000);
