import { describe, expect, it } from 'vitest';
import { handingOn, JoinedReads, readingAhead, writeAccepted } from '../../../../src/client/http/joinedReads.ts';

/** Reads of one server that the test answers, in the order in which they were sent. */
function openReads() {
  const clock = { now: 0 };
  const reads = new JoinedReads(() => clock.now);
  const sent: { answer: (reply: object) => void; fail: (error: Error) => void; signal: AbortSignal }[] = [];
  const read = (request = 'roles', signal?: AbortSignal) =>
    reads.read(request, { signal, facts: { server: 'Shop' } }, (stop) => {
      const { promise, resolve, reject } = Promise.withResolvers<object>();
      sent.push({ answer: resolve, fail: reject, signal: stop });
      return promise;
    });
  return { clock, reads, sent, read };
}

it('sends equal reads under way once, and gives each caller its own reply', async () => {
  const { sent, read } = openReads();
  const replies = Promise.all([read(), read(), read('tags')]);
  expect(sent).toHaveLength(2);
  for (const [index, { answer }] of sent.entries()) answer({ index });
  const [one, two, other] = await replies;
  expect([one, two, other]).toEqual([{ index: 0 }, { index: 0 }, { index: 1 }]);
  expect(one).not.toBe(two);
});

it('sends a read again after the earlier one has ended, also after a failure', async () => {
  const { sent, read } = openReads();
  const failing = [read(), read()];
  sent[0]?.fail(new Error('down'));
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const again = read();
  sent[1]?.answer({ index: 1 });
  expect(await again).toEqual({ index: 1 });
  void read();
  expect(sent).toHaveLength(3);
});

it('sends a read again while an equal one is stuck, and keeps the reply of each', async () => {
  const { clock, sent, read } = openReads();
  const stuck = read();
  clock.now = 499;
  const joined = read();
  clock.now = 500;
  const later = read();
  expect(sent).toHaveLength(2);
  sent[1]?.answer({ index: 1 });
  expect(await later).toEqual({ index: 1 });
  sent[0]?.answer({ index: 0 });
  expect(await Promise.all([stuck, joined])).toEqual([{ index: 0 }, { index: 0 }]);
});

it('ends only the wait of a caller that cancels, and the request with the last one', async () => {
  const { sent, read } = openReads();
  const [first, second] = [new AbortController(), new AbortController()];
  const one = read('roles', first.signal);
  const two = read('roles', second.signal);
  first.abort();
  await expect(one).rejects.toMatchObject({ kind: 'cancelled' });
  expect(sent[0]?.signal.aborted).toBe(false);
  second.abort();
  await expect(two).rejects.toMatchObject({ kind: 'cancelled' });
  await expect.poll(() => sent[0]?.signal.aborted).toBe(true);
  void read();
  expect(sent).toHaveLength(2);
});

it('joins no read that began before a write ended', async () => {
  const { reads, sent, read } = openReads();
  const before = read();
  const { promise, resolve } = Promise.withResolvers<void>();
  const writing = reads.write(() => promise);
  const meanwhile = read();
  resolve();
  await writing;
  const after = read();
  expect(sent).toHaveLength(3);
  for (const [index, { answer }] of sent.entries()) answer({ index });
  expect(await Promise.all([before, meanwhile, after])).toEqual([{ index: 0 }, { index: 1 }, { index: 2 }]);
});

it('shows a write beside reading it back, with the same read', async () => {
  const { reads, sent, read } = openReads();
  let isShown = false;
  const done = handingOn(
    async () => {
      await reads.write(async () => undefined);
      writeAccepted();
      await read('users');
    },
    async () => {
      await Promise.all([read('users'), read('groups')]);
      isShown = true;
    },
  );
  await expect.poll(() => sent.length).toBe(2);
  expect(isShown).toBe(false);
  for (const { answer } of sent) answer({});
  await done;
  expect([isShown, sent.length]).toEqual([true, 2]);
});

it('shows again what was shown before another write', async () => {
  const { reads } = openReads();
  let isWritten = false;
  const shown: boolean[] = [];
  await handingOn(
    async () => {
      await reads.write(async () => undefined);
      writeAccepted();
      await reads.write(async () => void (isWritten = true));
      writeAccepted();
    },
    async () => void shown.push(isWritten),
  );
  expect(shown).toEqual([false, true]);
});

it('hands on what work has read since its last write, and reads the rest', async () => {
  const { reads, sent, read } = openReads();
  const answered = async (request: string) => {
    const reply = read(request);
    sent.at(-1)?.answer({ index: sent.length });
    return reply;
  };
  const shown: object[] = [];
  await handingOn(
    async () => {
      await answered('policies');
      await reads.write(async () => undefined);
      await answered('users');
      // A second look at a write of unknown outcome has to be a look.
      await answered('users');
      expect(sent).toHaveLength(3);
    },
    async () => {
      shown.push(await read('users'), await answered('policies'));
    },
  );
  expect(shown).toEqual([{ index: 3 }, { index: 4 }]);
  void read('users');
  expect(sent).toHaveLength(5);
});

describe('reading ahead', () => {
  it('sends an equal read once until something is written, or ten seconds have passed', async () => {
    const { clock, reads, sent, read } = openReads();
    await readingAhead(async () => {
      const early = read();
      sent[0]?.answer({ index: 0 });
      await early;
      clock.now = 9_999;
      expect(await read()).toEqual({ index: 0 });
      clock.now = 10_000;
      const late = read();
      sent[1]?.answer({ index: 1 });
      expect(await late).toEqual({ index: 1 });
      await reads.write(async () => undefined);
      const after = read();
      sent[2]?.answer({ index: 2 });
      expect(await after).toEqual({ index: 2 });
    });
    expect(sent).toHaveLength(3);
  });

  it('holds for the work that hands on, and for no other read', async () => {
    const { sent, read } = openReads();
    await readingAhead(async () => {
      const early = read();
      sent[0]?.answer({ index: 0 });
      await early;
      await handingOn(
        async () => void expect(await read()).toEqual({ index: 0 }),
        async () => undefined,
      );
    });
    void read();
    expect(sent).toHaveLength(2);
  });
});
