import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { mayMiss } from '../../support/run/mayMiss.ts';
import { giveWay, startProcess } from '../../support/processes/processes.ts';
import { describeCounts, failedFiles, readResult, resultFile, timedFiles } from '../../support/run/testResults.ts';
import { projectRoot } from '../../support/vscodeHost/paths.ts';

describe('the results of a suite', () => {
  const suite = 'of-a-test';
  afterEach(() => rm(resultFile(suite), { force: true }));

  it('tell the seconds of each file, and a file that could not be loaded as a failure', async () => {
    const file = (name: string, rest: object) => ({ name: path.join(projectRoot, 'test', name), ...rest });
    const passed = { status: 'passed', fullName: 'works' };
    const testResults = [
      file('a.test.ts', { status: 'passed', startTime: 1_000, endTime: 3_500, assertionResults: [passed] }),
      file('b.test.ts', {
        status: 'failed',
        startTime: 0,
        endTime: 0,
        message: 'no such module',
        assertionResults: [],
      }),
    ];
    await mkdir(path.dirname(resultFile(suite)), { recursive: true });
    await writeFile(resultFile(suite), JSON.stringify({ testResults }));

    expect(await timedFiles(suite)).toEqual([{ file: path.join('test', 'a.test.ts'), seconds: 2.5 }]);
    expect(await readResult(suite)).toEqual({ passed: 1, failed: 1, skipped: 0 });
    const [failed] = await failedFiles(suite);
    expect(failed?.failed).toEqual([{ name: testResults[1]?.name, reason: 'no such module' }]);
  });

  it('tell in the last line how many tests were skipped, before those that passed and failed', () => {
    expect(describeCounts({ passed: 6900, failed: 0, skipped: 3 })).toBe('3 skipped; 6900 passed, 0 failed');
    expect(describeCounts({ passed: 5, failed: 1, skipped: 0 })).toBe('5 passed, 1 failed');
  });

  it('have no times where the suite left none', async () => {
    expect(await timedFiles(suite)).toEqual([]);
    expect(await readResult(suite)).toBeUndefined();
  });
});

describe('a program that is missing', () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([undefined, '', 'false'])('is allowed where CI is %j', (value) => {
    vi.stubEnv('CI', value);
    expect(() => mayMiss('PostgreSQL')).not.toThrow();
  });

  it('fails in CI', () => {
    vi.stubEnv('CI', 'true');
    expect(() => mayMiss('PostgreSQL')).toThrow('PostgreSQL is not installed');
  });
});

it.skipIf(process.platform !== 'linux')('a suite that runs beside another gives way to it', async () => {
  const child = await startProcess(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
    onLine: () => undefined,
  });
  onTestFinished(() => child.stop());
  await giveWay(child.pid);
  // The nineteenth field is the priority of the process; the session has one of its own.
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  expect(fields[16]).toBe('19');
  const group = `/proc/${child.pid}/autogroup`;
  if (existsSync(group)) expect(readFileSync(group, 'utf8')).toMatch(/nice 19\n$/);
});
