import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { user as userSchema } from '../../../../src/contract/resources/user.ts';
import { figure } from '../../../support/run/figure.ts';
import { LoadClient, percentile } from '../../../support/large/loadClient.ts';
import { processorTime } from '../../../support/processes/processorTime.ts';
import { type SignedIn, startServer, type TestServer } from '../../../support/server.ts';
import { isFull, soakSize } from '../../../support/run/soakSize.ts';

const rounds = soakSize(9, 150);
/** A few rounds can lie apart by chance; many more do only where the kinds of refusal do. */
const mostRounds = 5 * rounds;
/** By the clock, few rounds on a busy machine tell a missing hash from one that is computed; many tell more. */
const mostApart = soakSize(0.5, 0.05);
/** By processor time, which a busy machine hardly changes. */
const mostWorkApart = 0.05;

let server: TestServer;
let admin: SignedIn;
beforeAll(async () => {
  server = await startServer({ realHashes: true });
  admin = await server.login('admin', server.adminPassword);
});
afterAll(() => server.stop());

async function create(LoginName: string): Promise<object> {
  const template = userSchema.parse((await admin.call('Contact/NewContact')).json);
  const user = { ...template, LoginName, Pin: `pin of ${LoginName}` };
  return userSchema.parse((await admin.call('Contact/SaveContact', { withpin: true, user })).json);
}

/** What one refusal took, in milliseconds; `work` is NaN where processor time cannot be told. */
interface Took {
  clock: number;
  work: number;
}

const work = () => processorTime(server.process.pid ?? 0) ?? NaN;

/** Tries to sign in with a password that is wrong. */
async function refused(UserId: string): Promise<Took> {
  const body = { UserId, UserPassword: 'not the password', isGuest: false, bolForceLogin: true };
  const [started, workBefore] = [performance.now(), work()];
  const { text } = await server.call('login/DoLogin', body);
  const took = { clock: performance.now() - started, work: work() - workBefore };
  expect(text).toContain('Login Failed - Username or Password is invalid.');
  return took;
}

type Measure = keyof Took;

/** The medians of all kinds, and how far the furthest is from that of a wrong password, as a share. */
function compare(took: Record<string, Took[]>, measure: Measure): { furthest: number; words: string } {
  const medians = Object.entries(took).map(([kind, all]) => ({
    kind,
    median: percentile(
      all.map((each) => each[measure]),
      50,
    ),
  }));
  const wrong = medians[0]?.median ?? NaN;
  return {
    furthest: Math.max(...medians.map(({ median }) => Math.abs(median / wrong - 1))),
    words: medians.map(({ kind, median }) => `${kind} ${median.toFixed(1)} ms`).join(', '),
  };
}

describe('signing in', () => {
  it(
    'takes as long for an unknown name as for a wrong password or a locked account',
    { timeout: soakSize(600_000, 14_400_000) },
    async () => {
      const ann = await create('ann');
      await create('locked');
      for (let attempt = 0; attempt < 5; attempt += 1) await refused('locked');
      const names = { wrong: 'ann', unknown: 'nobody of this name', locked: 'locked', guest: 'guest' };
      const kinds = Object.keys(names) as (keyof typeof names)[];
      const took: Record<keyof typeof names, Took[]> = { wrong: [], unknown: [], locked: [], guest: [] };
      const measures: [Measure, number][] = [['clock', mostApart]];
      if (!Number.isNaN(work())) measures.push(['work', mostWorkApart]);
      const areApart = () => measures.some(([measure, most]) => compare(took, measure).furthest > most);
      let round = 0;
      for (; round < rounds || (round < mostRounds && areApart()); round += 1) {
        // In turn, so that a machine that is busy for a while delays all alike, and each as often first and last.
        for (const [place] of kinds.entries()) {
          const kind = kinds[(round + place) % kinds.length] ?? 'wrong';
          took[kind].push(await refused(names[kind]));
        }
        await admin.call('Contact/UnlockContact', { user: ann });
      }
      for (const [measure, most] of measures) {
        const { furthest, words } = compare(took, measure);
        expect(furthest, `${measure}: ${words}`).toBeLessThanOrEqual(most);
        figure('E6', `medians of ${round} refusals by ${measure} within ${most * 100}%: ${words}`);
      }
    },
  );

  // Turns on how long something takes.
  if (!isFull) return;
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
