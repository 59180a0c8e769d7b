import { afterEach, expect, it } from 'vitest';
import { forEachObject, type ForEachTask } from '../../../src/editor/forEachObject.ts';
import { person } from '../../support/vscode/person.ts';

afterEach(() => person.leave());

const log = { error: () => undefined, show: () => undefined } as never;

function task(items: readonly string[], shown: string[] = []): ForEachTask<string> {
  return {
    title: 'Working',
    items,
    nameOf: (item) => item,
    whatFailed: (item) => `Could not do ${item}`,
    done: (worked) => `${worked.length} done`,
    after: async () => void shown.push('after'),
  };
}

it('repeats only what failed, as long as something fails', async () => {
  const tried: string[] = [];
  const failures = new Map([
    ['b', 2],
    ['d', 1],
  ]);
  person.answers('2 of 4 done. Could not do b', 'Retry Failed').answers('1 of 2 done. Could not do b', 'Retry Failed');
  await forEachObject({ log }, task(['a', 'b', 'c', 'd']), async (item) => {
    tried.push(item);
    const left = failures.get(item) ?? 0;
    failures.set(item, left - 1);
    if (left > 0) throw new Error(`${item} is locked`);
  });
  await expect.poll(() => person.texts('status')).toEqual(['1 done']);
  expect(tried).toEqual(['a', 'b', 'c', 'd', 'b', 'd', 'b']);
});

it('shows what changed after every round, and asks nothing when all worked', async () => {
  const shown: string[] = [];
  await forEachObject({ log }, task(['a', 'b'], shown), async () => undefined);
  expect(shown).toEqual(['after']);
  expect(person.texts('message')).toEqual([]);
  expect(person.texts('status')).toEqual(['2 done']);
});

it('throws the failure of the only object, after showing what changed', async () => {
  const shown: string[] = [];
  const failing = forEachObject({ log }, task(['a'], shown), async () => Promise.reject(new Error('locked')));
  await expect(failing).rejects.toThrow('Could not do a');
  expect(shown).toEqual(['after']);
  expect(person.texts('status')).toEqual([]);
});
