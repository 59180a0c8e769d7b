import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isProcessAlive } from '../../../../src/connections/fileLock.ts';
import { projectRoot } from '../../../support/vscodeHost/paths.ts';
import { waitFor } from '../../../support/waitFor.ts';
import { serverScript } from '../../../support/serverScript.ts';

/** Whether a process is over, also while nobody has asked for its exit code yet. */
async function hasEnded(pid: number): Promise<boolean> {
  if (!isProcessAlive(pid)) return true;
  const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return /\) Z /.test(state);
}

describe('the local server of an editor that is killed', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-killed-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('ends within two seconds', async () => {
    const window = fork(path.join(projectRoot, 'test', 'support', 'processes', 'windowProcess.ts'), [
      serverScript,
      folder,
    ]);
    const [server] = (await once(window, 'message')) as [number];
    expect(await hasEnded(server)).toBe(false);
    window.kill('SIGKILL');
    await once(window, 'exit');
    await waitFor('the server to end', () => hasEnded(server), 2_000);
  });
});
