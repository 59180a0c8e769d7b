import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../../../src/connections/connection.ts';
import { reviewUnknownWrites, showUnknownWrites } from '../../../../src/features/servers/reviewUnknownWrites.ts';
import { openCommandScene, type CommandScene } from '../../../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../../../support/localServer.ts';
import { ran } from '../../../support/vscode/index.ts';
import { dismiss, person } from '../../../support/vscode/person.ts';

let server: LocalTestServer;
let scene: CommandScene;
let connection: Connection;

beforeAll(async () => {
  server = await startLocalServer();
});

beforeEach(async () => {
  scene = await openCommandScene();
  connection = await scene.addServer('Shop', server.apiBase, server.adminPassword);
});

afterEach(async () => {
  ran.length = 0;
  await scene.close();
  person.leave();
});

afterAll(() => server.stop());

const list = 'These writes got no reply. Select one to check';
const review = () => reviewUnknownWrites(scene.services);
const left = async () => (await scene.services.unknownWrites.list()).map(({ object }) => object);

/** A write without a reply; each look at the server takes the next answer. */
async function unknown(object: string, ...looks: (boolean | Error)[]): Promise<void> {
  const open = await scene.services.unknownWrites.journalOf(connection).begin({ kind: 'create', object });
  await open.unknown('No answer in time.', async () => {
    const next = looks.shift();
    if (next === undefined || next instanceof Error) throw next ?? new Error('It was looked at too often.');
    return next;
  });
}

describe('the list of writes without a reply', () => {
  it('says so when there is none', async () => {
    await review();
    expect(person.texts()).toEqual(['There are no unconfirmed writes.']);
  });

  it('names each, and changes nothing if it is dismissed', async () => {
    await unknown('group "North"', true);
    await unknown('group "South"', true);
    person.answers(list, dismiss);
    await review();
    expect([...(person.shown[0]?.choices ?? [])].sort()).toEqual(['Create group "North"', 'Create group "South"']);
    expect(await left()).toHaveLength(2);
  });

  it('drops a write that the server shows, and keeps the other', async () => {
    await unknown('group "North"', true);
    await unknown('group "South"', true);
    person.answers(list, 'Create group "North"');
    await review();
    expect(person.texts('message')).toEqual(['Shop applied it: group "North" is as sent.']);
    expect(await left()).toEqual(['group "South"']);
  });

  it('keeps a write that the server does not show, until it does', async () => {
    await unknown('group "North"', false, true);
    person.answers(list, 'Create group "North"').answers('Shop does not show group "North" as sent', 'Check Again');
    await review();
    expect(person.texts('message').at(-1)).toBe('Shop applied it: group "North" is as sent.');
    expect(await left()).toEqual([]);
  });

  it.each([
    ['keeps', dismiss, ['group "North"']],
    ['forgets', 'Forget', []],
  ] as const)('%s a write that cannot be looked up now, as the user says', async (_case, answer, rest) => {
    await unknown('group "North"', new Error('unplugged'));
    person
      .answers(list, 'Create group "North"')
      .answers('Could not check for group "North" on Shop: unplugged', answer);
    await review();
    expect(await left()).toEqual(rest);
    expect(scene.errors).toHaveLength(1);
  });

  it('offers no further look at a write of a window that was closed', async () => {
    await unknown('group "North"');
    const folder = path.join(scene.folder, 'writes');
    const [record] = await scene.services.unknownWrites.list();
    if (!record) throw new Error('There is no record.');
    await scene.services.unknownWrites.forget(record.id);
    await writeFile(path.join(folder, `${record.id}.json`), JSON.stringify(record));
    person.answers(list, 'Create group "North"').answers('can no longer be checked here', 'Forget');
    await review();
    expect(person.shown.at(-1)?.choices).toEqual(['Forget']);
    expect(await left()).toEqual([]);
  });

  it('opens or discards a record that cannot be read, and no other', async () => {
    await unknown('group "North"', true);
    const file = path.join(scene.folder, 'writes', 'broken.json');
    await writeFile(file, '{');
    person.answers(list, 'Unreadable record of a write').answers('Cannot read the record', 'Open File');
    await review();
    expect(ran.map(([command]) => command)).toEqual(['vscode.open']);
    person.answers(list, 'Unreadable record of a write').answers('Cannot read the record', 'Discard');
    await review();
    expect(await readdir(path.dirname(file))).not.toContain('broken.json');
    expect(await left()).toEqual(['group "North"']);
  });
});

describe('at the start', () => {
  it('asks for a review of what is open, and of nothing else', async () => {
    await showUnknownWrites(scene.services);
    expect(person.texts()).toEqual([]);
    await unknown('group "North"', true);
    person.answers('Create group "North" on Shop got no reply', 'Review…');
    await showUnknownWrites(scene.services);
    expect(ran).toEqual([['analytics.writes.review']]);
  });

  it('counts several, and starts nothing if that is dismissed', async () => {
    await unknown('group "North"', true);
    await unknown('group "South"', true);
    person.answers('2 writes to servers got no reply', dismiss);
    await showUnknownWrites(scene.services);
    expect(ran).toEqual([]);
  });

  it('does not report a write that is under way', async () => {
    await scene.services.unknownWrites.journalOf(connection).begin({ kind: 'change', object: 'group "North"' });
    await showUnknownWrites(scene.services);
    expect(person.texts()).toEqual([]);
  });
});
