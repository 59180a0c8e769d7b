import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as vscode from 'vscode';
import { LocalServer } from '../../../../src/connections/localServer/localServer.ts';
import { LocalServerHome } from '../../../../src/connections/localServer/localServerHome.ts';
import { probeServer } from '../../../../src/client/http/probe.ts';
import { showFailedBackups } from '../../../../src/features/backups/backupStatus.ts';
import { MemorySecrets } from '../../../support/memorySecrets.ts';
import { fakeLocalServer } from '../../../support/processes/fakeLocalServer.ts';
import { person } from '../../../support/vscode/person.ts';

const failed = {
  at: '2026-03-18T03:05:00.000Z',
  file: '',
  reason: 'The disk of /backups is full: 0 KB left. $(flame)',
};
const succeeded = { at: '2026-03-18T04:05:00.000Z', file: '/backups/daily.db', reason: '' };

let folder: string;
let home: LocalServerHome;
let server: LocalServer;
let status: vscode.Disposable;
let item: vscode.StatusBarItem;

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'analytics-status-'));
  const script = path.join(folder, 'server.cjs');
  const outcome = `JSON.parse(require('node:fs').readFileSync(${JSON.stringify(path.join(folder, 'outcome.json'))}))`;
  writeFileSync(
    script,
    `${fakeLocalServer}; process.on('SIGUSR2', () => process.send({ automaticBackup: ${outcome} }));`,
  );
  writeFileSync(path.join(folder, 'release'), '9.0.0');
  home = new LocalServerHome(path.join(folder, 'home'), new MemorySecrets());
  server = new LocalServer({
    ...{ script, home, window: { release: '9.0.0', editor: 'Editor' }, onDidAbandonData: () => undefined },
    log: { info: () => undefined, warn: () => undefined },
    probe: (url, signal) => probeServer(url, { signal }),
  });
  const create = vi.spyOn(vscode.window, 'createStatusBarItem');
  status = showFailedBackups(server, () => 'Local');
  item = create.mock.results[0]?.value as vscode.StatusBarItem;
  create.mockRestore();
});
afterEach(async () => {
  status.dispose();
  await server.dispose();
  person.leave();
  await rm(folder, { recursive: true, force: true });
});

it.skipIf(process.platform === 'win32')('says that a backup failed and why, until one succeeds', async () => {
  const { pid } = await server.ensureRunning();
  expect(person.status).toBe('');
  const report = (outcome: object) => {
    writeFileSync(path.join(folder, 'outcome.json'), JSON.stringify(outcome));
    process.kill(pid, 'SIGUSR2');
  };
  report(failed);
  await expect.poll(() => person.status).toBe('$(warning) Backup failed');
  expect(item.tooltip).toMatch(/backup of Local failed \(.*2026.*\): The disk of \/backups is full: 0 KB left\./);
  expect(item.tooltip).toContain('Select to back up now.');
  expect(item.tooltip).not.toContain('$(flame)');
  expect(item.accessibilityInformation?.label).toContain('The disk of /backups is full');
  expect(item.command).toBe('analytics.backup.create');
  report(succeeded);
  await expect.poll(() => person.status).toBe('');
});

it('says it in windows that open later', async () => {
  const { dataFolder } = await home.prepare();
  mkdirSync(path.join(dataFolder, 'backups'), { recursive: true });
  writeFileSync(path.join(dataFolder, 'backups', 'automatic.json'), JSON.stringify(failed));
  await server.ensureRunning();
  expect(person.status).toBe('$(warning) Backup failed');
});
