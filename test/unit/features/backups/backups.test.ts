import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LocalServer } from '../../../../src/connections/localServer/localServer.ts';
import { LocalServerHome } from '../../../../src/connections/localServer/localServerHome.ts';
import { backUpData, checkData, restoreData, showBackups } from '../../../../src/features/backups/commands.ts';
import { openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { keptState } from '../../../support/state/keptState.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';
import { serverScript } from '../../../support/serverScript.ts';

const hostile = '[click](command:workbench.action.quit) $(flame) \u202Egnp';

let scene: CommandScene;
let dataFolder: string;

beforeEach(async () => {
  scene = await openCommandScene();
  const home = new LocalServerHome(path.join(scene.folder, 'local-server'), scene.secrets);
  ({ dataFolder } = await home.prepare());
  scene.services.localServer = new LocalServer({
    script: serverScript,
    home,
    window: { release: '0.2.0', editor: 'Test Editor' },
    log: { info: () => undefined, warn: () => undefined },
    probe: () => Promise.reject(new Error('No server is started here')),
    onDidAbandonData: () => undefined,
  });
});
afterEach(async () => {
  await scene.services.localServer.dispose();
  await scene.close();
  person.leave();
});

const stateFile = () => path.join(dataFolder, 'state.db');
const backups = () => readdirSync(path.join(dataFolder, 'backups')).sort();
const lastMessage = () => person.shown.filter(({ kind }) => kind === 'message').at(-1)?.text ?? '';

function makeState(): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  writeFileSync(stateFile(), keptState('0.1.0'), { mode: 0o600 });
}

function inState(sql: string): unknown {
  const state = new DatabaseSync(stateFile(), { enableForeignKeyConstraints: false });
  try {
    return sql.startsWith('SELECT') ? state.prepare(sql).get()?.value : state.exec(sql);
  } finally {
    state.close();
  }
}

async function backUpHere(): Promise<void> {
  person.answers('Select where to save', 'Folder of the Backups').answers('Backed up', dismiss);
  await backUpData(scene.services);
}

describe('the commands for backups', () => {
  it('say that there is no data before the first start', async () => {
    person.answers('Select where to save', 'Folder of the Backups');
    await expect(backUpData(scene.services)).rejects.toMatchObject({
      message: 'Could not back up Local Server',
      cause: { message: expect.stringContaining('holds no state') as unknown },
    });
  });

  it('back up, say what the backup does not hold, and do nothing when dismissed', async () => {
    makeState();
    person.answers('Select where to save', dismiss);
    await backUpData(scene.services);
    await backUpHere();
    expect(backups()).toEqual([expect.stringMatching(/^backup-.*\.db$/)]);
    expect(lastMessage()).toContain('does not hold the key of stored passwords');
  });

  it('restore only after showing what would be lost, with inert names, and keep the replaced data', async () => {
    makeState();
    await backUpHere();
    const before = inState('SELECT name AS value FROM security_group WHERE id = 1');
    inState(`UPDATE security_group SET name = '${hostile}', revision = revision + 1 WHERE id = 1`);
    person
      .answers('Select a backup to restore', backups()[0] ?? '')
      .answers('Replace all data of Local Server', dismiss);
    await restoreData(scene.services);
    expect(lastMessage()).toContain('Groups (1): "[click]');
    expect(lastMessage()).not.toMatch(/\]\(|\$\(|\u202E/);
    expect(inState('SELECT name AS value FROM security_group WHERE id = 1')).toBe(hostile);

    person
      .answers('Backups, newest first', backups()[0] ?? '')
      .answers('Replace all data', 'Restore')
      .answers('is restored', 'Copy Path');
    await showBackups(scene.services);
    expect(person.clipboard).toMatch(/replaced-.*\.db$/);
    expect(inState('SELECT name AS value FROM security_group WHERE id = 1')).toBe(before);
    // The kept state has passwords of another key than that of this data.
    expect(lastMessage()).toMatch(/another key. Enter them again: database server Ω/);
    expect(backups()).toEqual([expect.stringMatching(/^backup-/), expect.stringMatching(/^replaced-/)]);
  });

  it('say before a restore that the backup is of another server', async () => {
    makeState();
    await backUpHere();
    inState("UPDATE installation SET identifier = 'of another server'");
    person.answers('Select a backup to restore', backups()[0] ?? '').answers('Replace all data', dismiss);
    await restoreData(scene.services);
    expect(lastMessage()).toContain('The backup is of another server. All objects of this one are lost:\n• Users (');
  });

  it('say that data which cannot be read is kept in a file, not as a backup', async () => {
    makeState();
    await backUpHere();
    writeFileSync(stateFile(), 'no database');
    person.answers('Select a backup to restore', backups()[0] ?? '').answers('Replace all data', dismiss);
    await restoreData(scene.services);
    expect(lastMessage()).toContain(
      'cannot be read, so what would be lost is not known.\n\nThe current data is kept in a file',
    );
  });

  it('report why a file cannot be restored', async () => {
    makeState();
    await backUpHere();
    writeFileSync(path.join(dataFolder, 'backups', backups()[0] ?? ''), 'no database');
    person.answers('Select a backup to restore', backups()[0] ?? '');
    await expect(restoreData(scene.services)).rejects.toMatchObject({
      message: 'Could not restore Local Server',
      cause: { message: expect.stringMatching(/is not a database\.$/) as unknown },
    });
  });

  it('check, and repair only when asked, with a backup', async () => {
    makeState();
    await checkData(scene.services);
    expect(lastMessage()).toContain('has no damage');
    inState('DELETE FROM security_group WHERE id > 1');
    person.answers('Findings in the data of Local Server', dismiss);
    await checkData(scene.services);
    expect(lastMessage()).toContain('Rows in membership that refer to a missing security group');
    const orphans = 'SELECT count(*) AS value FROM membership WHERE group_id > 1';
    expect(inState(orphans)).not.toBe(0);
    person.answers('Findings in the data', 'Back Up and Repair').answers('Repaired', dismiss);
    await checkData(scene.services);
    expect(inState(orphans)).toBe(0);
    expect(backups()).toEqual([expect.stringMatching(/^replaced-/)]);
  });

  it('are cancelled by the signal, and leave nothing behind', async () => {
    makeState();
    const stop = new AbortController();
    const running = scene.services.localServer.runCommand({ name: 'backup', args: [], signal: stop.signal });
    stop.abort();
    await expect(running).rejects.toThrow('aborted');
  });
});
