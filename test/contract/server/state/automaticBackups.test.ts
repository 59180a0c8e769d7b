import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AutomaticBackupOutcome } from '../../../../src/contract/serverCommands.ts';
import { AutomaticBackups, backupProcess } from '../../../../src/server/backups/automaticBackups.ts';
import { readBackup } from '../../../../src/server/backups/backupFile.ts';
import { startServer, type TestServer } from '../../../support/server.ts';
import { folderWithState, installationIn, keptPassword, keptState } from '../../../support/state/keptState.ts';
import { serverScript } from '../../../support/serverScript.ts';

let dataFolder: string;
let scratch: string;
let installation: string;
let server: TestServer;
let outcomes: AutomaticBackupOutcome[];
beforeEach(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'analytics-daily-'));
  dataFolder = folderWithState(keptState('0.1.0'));
  installation = installationIn(dataFolder);
  server = await startServer({ dataFolder, password: keptPassword, realHashes: true });
  outcomes = [];
});
afterEach(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true });
  rmSync(dataFolder, { recursive: true });
});

function backupsIn(folder: string): AutomaticBackups {
  return new AutomaticBackups({
    ...{ dataFolder, folder, limitBytes: 1e9, installation, now: () => new Date() },
    makeBackup: backupProcess(serverScript, dataFolder),
    onOutcome: (outcome) => void outcomes.push(outcome),
  });
}

it('backs up a running server into another folder, once a day', { timeout: 60_000 }, async () => {
  const folder = path.join(scratch, 'elsewhere');
  const backups = backupsIn(folder);
  await backups.check();
  await backups.check();
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^daily-.*\.db$/)]);
  expect(outcomes).toEqual([{ at: expect.any(String) as string, file: expect.any(String) as string, reason: '' }]);
  const file = outcomes[0]?.file ?? '';
  expect(readBackup(file).record?.counts.users).toBeGreaterThan(3);
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('does not take the backups of another server for its own', { timeout: 60_000 }, async () => {
  const folder = path.join(scratch, 'shared');
  await backupsIn(folder).check();
  installation = 'another';
  await backupsIn(folder).check();
  expect(outcomes.map(({ reason }) => reason)).toEqual(['', expect.stringContaining('another server')]);
  expect(readdirSync(folder)).toHaveLength(1);
});

it('says why a backup failed, and leaves no part of it', { timeout: 60_000 }, async () => {
  const folder = path.join(scratch, 'no-folder');
  writeFileSync(folder, '');
  await backupsIn(folder).check();
  expect(outcomes).toEqual([
    { at: expect.any(String) as string, file: '', reason: expect.stringContaining(folder) as string },
  ]);
});

it('cancels a backup that is being made when the server stops', { timeout: 60_000 }, async () => {
  const folder = path.join(scratch, 'daily');
  const backups = backupsIn(folder);
  const check = backups.check();
  await backups.stop();
  await check;
  expect(outcomes).toEqual([]);
  expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
});
