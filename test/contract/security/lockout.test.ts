import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type SignedIn, startServer, type TestServer } from '../../support/server.ts';

/* Guessing passwords, by a clock that the test sets: it slows the guesser down, and shuts nobody out for good. */

const record = z.record(z.string(), z.unknown());
const folder = mkdtempSync(path.join(tmpdir(), 'lockout-'));
const clock = path.join(folder, 'now');
const start = Date.parse('2026-03-01T12:00:00.000Z');
let now = start;
let server: TestServer;

function pass(seconds: number): void {
  now += seconds * 1_000;
  writeFileSync(clock, new Date(now).toISOString());
}

beforeAll(async () => {
  pass(0);
  process.env.ANALYTICS_STUDIO_CLOCK = clock;
  const preload = pathToFileURL(path.resolve(import.meta.dirname, '../../support/movedClock.ts')).href;
  server = await startServer({ nodeArgs: ['--import', preload], dataFolder: path.join(folder, 'data') });
  delete process.env.ANALYTICS_STUDIO_CLOCK;
}, 60_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const asAdmin = () => server.login('admin', server.adminPassword);

async function create(LoginName: string, more: object = {}): Promise<Record<string, unknown>> {
  const admin = await asAdmin();
  const template = record.parse((await admin.call('Contact/NewContact')).json);
  const user = { ...template, LoginName, Pin: `pin of ${LoginName}`, ...more };
  return record.parse((await admin.call('Contact/SaveContact', { withpin: true, user })).json);
}

/** Whether somebody is let in, from a page where its headers are given. */
async function isLetIn(UserId: string, UserPassword: string, headers: Record<string, string> = {}): Promise<boolean> {
  const body = JSON.stringify({ UserId, UserPassword, isGuest: false, bolForceLogin: true });
  const sent = { body, headers: { 'Content-Type': 'application/json', ...headers } };
  return record.parse((await server.send('/api/login/DoLogin', sent)).json).ErrorCode === 0;
}

async function guess(times: number, UserId: string, headers: Record<string, string> = {}): Promise<void> {
  const guesses = Array.from({ length: times }, (_, index) => isLetIn(UserId, `guess ${index}`, headers));
  expect(await Promise.all(guesses)).not.toContain(true);
}

async function lockdateOf(by: SignedIn, { ID }: Record<string, unknown>): Promise<unknown> {
  return record.parse((await by.call('Contact/GetContactById', { ContactId: ID })).json).lockdate;
}

const never = '0001-01-01T00:00:00';

describe('an account', { timeout: 120_000 }, () => {
  it('is locked by five wrong passwords for a minute, then by each one for twice as long', async () => {
    const ann = await create('ann');
    await guess(5, 'ann');
    pass(59);
    expect(await isLetIn('ann', 'pin of ann')).toBe(false);
    expect(await lockdateOf(await asAdmin(), ann)).toMatch(/^2026-03-01T12:/);
    pass(1);
    expect(await lockdateOf(await asAdmin(), ann)).toBe(never);
    await guess(1, 'ann');
    pass(119);
    // The right one, too early, and wrong ones do not make it longer.
    expect(await isLetIn('ann', 'pin of ann')).toBe(false);
    await guess(3, 'ann');
    pass(1);
    expect(await isLetIn('ann', 'pin of ann')).toBe(true);
    await guess(4, 'ann');
    expect(await isLetIn('ann', 'pin of ann'), 'counts from none again').toBe(true);
  });

  it('is open at once after UnlockContact, and its failures are forgotten', async () => {
    const bob = await create('bob');
    await guess(5, 'bob');
    const unlocked = await (await asAdmin()).call('Contact/UnlockContact', { user: bob });
    expect(unlocked.json).toMatchObject({ ErrorCode: 0, lockdate: never });
    await guess(4, 'bob');
    expect(await isLetIn('bob', 'pin of bob')).toBe(true);
  });

  it('of the only super-admin opens by itself within minutes, however often others guess', async () => {
    await guess(5, 'admin');
    for (const minutes of [1, 2, 4, 5, 5]) {
      pass(minutes * 60 - 1);
      expect(await isLetIn('admin', server.adminPassword)).toBe(false);
      pass(1);
      await guess(1, 'admin');
    }
    pass(300);
    expect(await isLetIn('admin', server.adminPassword)).toBe(true);
  });
});

describe('a web page', { timeout: 120_000 }, () => {
  const foreign = { Origin: 'https://evil.example' };

  it.each([
    ['of another origin', foreign],
    ['in a frame without an origin', { Origin: 'null' }],
    ['whose browser names no origin', { 'Sec-Fetch-Site': 'cross-site' }],
  ])('%s locks out pages, and not the owner’s own client', async (_name, headers) => {
    pass(24 * 3_600);
    await guess(5, 'admin', headers);
    expect(await isLetIn('admin', server.adminPassword, headers)).toBe(false);
    expect(await isLetIn('admin', server.adminPassword, { Origin: 'https://other.evil.example' })).toBe(false);
    expect(await isLetIn('admin', server.adminPassword, { Origin: server.url })).toBe(true);
    expect(await isLetIn('admin', server.adminPassword)).toBe(true);
  });

  it('that tries one password on many names is locked out of all of them for a while', async () => {
    pass(24 * 3_600);
    await create('carl');
    await Promise.all(Array.from({ length: 30 }, (_, index) => guess(1, `somebody ${index}`, foreign)));
    expect(await isLetIn('carl', 'pin of carl', foreign)).toBe(false);
    expect(await isLetIn('carl', 'pin of carl')).toBe(true);
    pass(60);
    expect(await isLetIn('carl', 'pin of carl', foreign)).toBe(true);
  });
});
