import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { user as userSchema } from '../../../src/contract/resources/user.ts';
import { figure } from '../../support/figure.ts';
import { LoadClient, percentile } from '../../support/loadClient.ts';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';
import { soakScript, soakSize } from '../../support/soakSize.ts';

const rounds = soakSize(9, 150);
/** Few rounds on a busy machine tell a missing hash from one that is computed; many tell more. */
const mostApart = soakSize(0.5, 0.05);

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startServer({ script: soakScript });
  admin = await server.login('admin', server.adminPassword);
});
afterAll(() => server.stop());

async function create(LoginName: string): Promise<object> {
  const template = userSchema.parse((await admin.call('Contact/NewContact')).json);
  const user = { ...template, LoginName, Pin: `pin of ${LoginName}` };
  return userSchema.parse((await admin.call('Contact/SaveContact', { withpin: true, user })).json);
}

/** Tries to sign in with a password that is wrong; returns the milliseconds that the refusal took. */
async function refused(UserId: string): Promise<number> {
  const body = { UserId, UserPassword: 'not the password', isGuest: false, bolForceLogin: true };
  const started = performance.now();
  const { text } = await server.call('login/DoLogin', body);
  const took = performance.now() - started;
  expect(text).toContain('Login Failed - Username or Password is invalid.');
  return took;
}

describe('signing in', () => {
  it(
    'takes as long for an unknown name as for a wrong password or a locked account',
    { timeout: 600_000 },
    async () => {
      const ann = await create('ann');
      await create('locked');
      for (let attempt = 0; attempt < 5; attempt += 1) await refused('locked');
      const kinds = { wrong: 'ann', unknown: 'nobody of this name', locked: 'locked', guest: 'guest' };
      const took: Record<keyof typeof kinds, number[]> = { wrong: [], unknown: [], locked: [], guest: [] };
      for (let round = 0; round < rounds; round += 1) {
        // In turn, so that a machine that is busy for a while delays all alike.
        for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) took[kind].push(await refused(kinds[kind]));
        await admin.call('Contact/UnlockContact', { user: ann });
      }
      const medians = Object.entries(took).map(([kind, values]) => ({ kind, median: percentile(values, 50) }));
      const [wrong] = medians;
      for (const { kind, median } of medians) {
        expect(Math.abs(median / (wrong?.median ?? NaN) - 1), kind).toBeLessThanOrEqual(mostApart);
      }
      const words = medians.map(({ kind, median }) => `${kind} ${median.toFixed(1)} ms`).join(', ');
      figure('E6', `medians of ${rounds} refusals within ${mostApart * 100}%: ${words}`);
    },
  );

  it('leaves other calls quick while 20 people sign in at once', { timeout: 120_000 }, async () => {
    const names = Array.from({ length: 20 }, (_, index) => `person ${index}`);
    for (const name of names) await create(name);
    const client = new LoadClient(server, admin);
    await client.call('Session/CheckSession');
    const took: number[] = [];
    let isOver = false;
    const others = (async () => {
      while (!isOver) took.push((await client.call('Session/CheckSession')).ms);
    })();
    const sessions = await Promise.all(names.map((name) => server.login(name, `pin of ${name}`)));
    isOver = true;
    await others;
    client.close();
    expect(new Set(sessions.map(({ token }) => token)).size).toBe(20);
    const p99 = percentile(took, 99);
    expect(p99).toBeLessThanOrEqual(500);
    figure('E6', `20 sign-ins at once: ${took.length} other calls, p99 ${p99.toFixed(1)} ms, limit 500`);
  });
});
