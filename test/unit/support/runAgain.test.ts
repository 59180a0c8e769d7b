import { describe, expect, it } from 'vitest';
import { runAgain, type RunResult } from '../../support/runAgain.ts';

/** A run of files with two tests each, of which those that are named fail: `drag/one` is the test `one` of the file `drag`. */
function runOf(files: readonly string[], ...failing: string[]): RunResult {
  const failed = files.flatMap((file) => {
    const names = failing.filter((name) => name.startsWith(`${file}/`));
    const counts = { passed: 2 - names.length, failed: names.length, skipped: 0 };
    return names.length > 0 ? [{ file, counts, failed: names.map((name) => ({ name, reason: 'why\nwhere' })) }] : [];
  });
  return { counts: { passed: files.length * 2 - failing.length, failed: failing.length, skipped: 0 }, failed };
}

describe('files that failed', () => {
  const all = ['tree', 'drag', 'builder', 'prompts'];

  it('do not run again when there are none', async () => {
    const outcome = await runAgain(runOf(all), [() => expect.fail('nothing failed')]);
    expect(outcome).toEqual({ ...runOf(all), unsteady: [] });
  });

  it('run again, and once more where they still fail; what failed last has failed', async () => {
    const ran: (readonly string[])[] = [];
    const answers = [['drag/one', 'builder/two'], ['drag/one']];
    const again = (files: readonly string[]) => {
      ran.push(files);
      return Promise.resolve(runOf(files, ...(answers[ran.length - 1] ?? [])));
    };
    const first = runOf(all, 'tree/one', 'drag/one', 'builder/one');
    const outcome = await runAgain(first, [again, again]);
    expect(ran).toEqual([
      ['tree', 'drag', 'builder'],
      ['drag', 'builder'],
    ]);
    expect(outcome.counts).toEqual({ passed: 7, failed: 1, skipped: 0 });
    expect(outcome.failed.map(({ file }) => file)).toEqual(['drag']);
    expect(outcome.unsteady).toEqual(
      ['tree/one', 'builder/one', 'builder/two'].map(
        (name) => `UNSTEADY, failed once and passed when its file ran again: ${name}: why`,
      ),
    );
  });

  it('are told with how often they failed', async () => {
    const again = [['drag/one'], []].map((failing) => (files: readonly string[]) => {
      return Promise.resolve(runOf(files, ...failing));
    });
    const { counts, unsteady } = await runAgain(runOf(all, 'drag/one'), again);
    expect(counts).toEqual({ passed: 8, failed: 0, skipped: 0 });
    expect(unsteady).toEqual(['UNSTEADY, failed 2 times and passed when its file ran again: drag/one: why']);
  });

  it('stay failed where they are too many for chance', async () => {
    const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const first = runOf(many, ...many.map((file) => `${file}/one`));
    expect(await runAgain(first, [() => expect.fail('too many')])).toEqual({ ...first, unsteady: [] });
  });

  it('stay failed where the run that was to show better crashed', async () => {
    const crash = { counts: { passed: 0, failed: 1, skipped: 0 }, failed: [] };
    const outcome = await runAgain(runOf(all, 'drag/one'), [
      () => Promise.resolve(crash),
      () => expect.fail('crashed'),
    ]);
    expect(outcome.counts).toEqual({ passed: 6, failed: 1, skipped: 0 });
    expect(outcome.failed.map(({ file }) => file)).toEqual(['drag']);
    expect(outcome.unsteady).toEqual([]);
  });
});
