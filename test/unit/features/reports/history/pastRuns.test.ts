import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  cancelRun,
  compareRuns,
  pinRun,
  removeRun,
  rerun,
  revealRun,
  unpinRun,
  type RunServices,
} from '../../../../../src/features/reports/history/pastRuns.ts';
import type { PastRun } from '../../../../../src/features/reports/history/runHistory.ts';
import { dismiss, person } from '../../../../support/vscode/person.ts';

/** What the runner was asked to do, in order. */
let done: string[];
let runs: PastRun[];
let services: RunServices;

const runOf = (id: string, more: Partial<PastRun> = {}) =>
  ({
    id,
    target: { connectionId: 'c', reportId: '7', name: `Report ${id}` },
    server: 'Shop',
    state: 'done',
    startedAt: new Date(0),
    isPinned: false,
    hasRows: true,
    ...more,
  }) as PastRun;

beforeEach(() => {
  done = [];
  runs = [runOf('1'), runOf('12', { isPinned: true }), runOf('2', { state: 'running', hasRows: false })];
  const note =
    (verb: string) =>
    (...given: readonly unknown[]) =>
      void done.push([verb, ...given].join(' '));
  const runner = Object.fromEntries(
    ['reveal', 'rerun', 'cancel', 'remove', 'pin', 'compare'].map((verb) => [verb, note(verb)]),
  );
  const history = { runs, find: (id: string) => runs.find((run) => run.id === id) };
  services = { runs: history, reportRunner: async () => runner } as unknown as RunServices;
});

afterEach(() => person.leave());

const rows = (...ids: string[]) => ids.map((id) => ({ id }));

describe('removing runs', () => {
  it('asks for a pinned one, and removes nothing when that is declined', async () => {
    person.answers('Remove a pinned run and its stored rows?', dismiss);
    await removeRun(services, { id: '12' });
    expect(done).toEqual([]);
    person.answers('Remove a pinned run', 'Remove');
    await removeRun(services, { id: '12' });
    expect(done).toEqual(['remove 12']);
  });

  it('asks once for several of which some are pinned', async () => {
    person.answers('Remove a pinned run', 'Remove');
    await removeRun(services, { id: '1' }, rows('1', '12'));
    expect(done).toEqual(['remove 1', 'remove 12']);
  });

  it('does not ask for others', async () => {
    await removeRun(services, '1');
    expect(done).toEqual(['remove 1']);
    expect(person.texts()).toEqual([]);
  });

  it('removes nothing when the list of runs is left', async () => {
    person.answers('Select a run', dismiss);
    await removeRun(services);
    expect(done).toEqual([]);
  });
});

describe('other commands', () => {
  it('apply to the run that they are called on', async () => {
    await revealRun(services, '12');
    await rerun(services, { id: '1' });
    await pinRun(services, { id: '1' });
    await unpinRun(services, { id: '12' });
    await cancelRun(services, { id: '2' }, rows('2', '1'));
    expect(done).toEqual(['reveal 12', 'rerun 1', 'pin 1 true', 'pin 12 false', 'cancel 2', 'cancel 1']);
  });

  it('offer the runs that they fit', async () => {
    person.answers('Select a run', 'Report 12');
    await unpinRun(services);
    person.answers('Select a run', 'Report 2');
    await cancelRun(services);
    const offered = person.shown.map(({ choices }) => choices);
    expect(offered).toEqual([['Report 12'], ['Report 2']]);
    expect(done).toEqual(['pin 12 false', 'cancel 2']);
  });

  it('compare two runs, the second of those that still have their rows', async () => {
    person.answers('Select a run', 'Report 12');
    await compareRuns(services, { id: '1' });
    expect(person.shown[0]?.choices).toEqual(['Report 12']);
    await compareRuns(services, undefined, rows('12', '1'));
    expect(done).toEqual(['compare 1 12', 'compare 12 1']);
    await expect(compareRuns(services, undefined, rows('1', '12', '2'))).rejects.toThrow('Select two runs');
  });
});
