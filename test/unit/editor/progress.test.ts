import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { awaitServer } from '../../../src/client/http/cancelScope.ts';
import { noticeWhereShownAfterMs, withProgress, withWaitNotice } from '../../../src/editor/progress.ts';
import { person } from '../../support/vscode/person.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  person.leave();
});

/** A wait for a server that the test ends. */
function longWait() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: () => awaitServer('Shop', undefined, () => promise), end: resolve };
}

it('shows within 100 ms that a server is waited for, and a notification with Cancel after a second', async () => {
  const { wait, end } = longWait();
  const work = withWaitNotice(wait);
  await vi.advanceTimersByTimeAsync(100);
  expect(person.waits).toEqual(['$(loading~spin) Waiting for Shop']);
  expect(person.texts('progress')).toEqual([]);
  await vi.advanceTimersByTimeAsync(900);
  expect(person.texts('progress')).toEqual(['Waiting for Shop']);
  end();
  await work;
});

it('shows nothing of a short wait', async () => {
  const { wait, end } = longWait();
  const work = withWaitNotice(wait);
  await vi.advanceTimersByTimeAsync(50);
  end();
  await work;
  await vi.advanceTimersByTimeAsync(2_000);
  expect([...person.waits, ...person.texts()]).toEqual([]);
});

it('shows a wait that consists of short calls', async () => {
  const calls = [longWait(), longWait()];
  const work = withWaitNotice(async () => {
    for (const { wait } of calls) await wait();
  });
  await vi.advanceTimersByTimeAsync(60);
  calls[0]?.end();
  await vi.advanceTimersByTimeAsync(40);
  expect(person.waits).toEqual(['$(loading~spin) Waiting for Shop']);
  calls[1]?.end();
  await work;
});

it('shows long work within 100 ms, until a notification takes over', async () => {
  const { wait, end } = longWait();
  const work = withProgress('Exporting', wait);
  await vi.advanceTimersByTimeAsync(100);
  expect(person.waits).toEqual(['$(loading~spin) Exporting']);
  await vi.advanceTimersByTimeAsync(400);
  expect(person.texts('progress')).toEqual(['Exporting']);
  end();
  await work;
});

it('adds nothing to a wait that shows where the user looks', async () => {
  const { wait, end } = longWait();
  const work = withWaitNotice(wait, 'Sidebar', noticeWhereShownAfterMs);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(person.waits).toEqual([]);
  end();
  await work;
});
