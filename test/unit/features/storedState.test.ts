import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as vscode from 'vscode';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { Network } from '../../../src/connections/network/network.ts';
import { ServerList } from '../../../src/connections/serverList.ts';
import { unknownWrite } from '../../../src/connections/unknownWrite.ts';
import { UnknownWrites } from '../../../src/connections/unknownWrites.ts';
import { checkKept } from '../../../src/contract/pages/keptState.ts';
import { keptSetup, SetupJournalStore } from '../../../src/features/applications/setupJournal.ts';
import { BaseStore, keptBase } from '../../../src/features/documents/files/openDocuments.ts';
import { RunHistory } from '../../../src/features/reports/history/runHistory.ts';
import { persistRuns } from '../../../src/features/reports/history/runStore.ts';
import { keptRun } from '../../../src/features/reports/history/runStoreSchema.ts';
import { panelState } from '../../../src/features/reports/run/resultsRequests.ts';
import { isKept, layoutFor } from '../../../src/features/reports/view/page/keyedLayout.ts';
import { entries, presets, PromptMemory } from '../../../src/features/reports/prompts/promptMemory.ts';
import { showUnseenForm, unseenFormsKey } from '../../../src/features/servers/unseenForms.ts';
import { TagDrafts, tagTableChanges } from '../../../src/features/tagValues/tagDrafts.ts';
import { entry, header, ImportJournalStore } from '../../../src/features/userImport/importJournal.ts';
import { MemoryMemento, MemorySecretStorage } from '../../support/vscode/storage.ts';

/** State of the extension as release 0.1.0 stored it; files by their path below its storage folder. */
interface Stored {
  state: Record<string, unknown>;
  files: Record<string, string>;
  /** What the page of a result saved. */
  panel: unknown;
}

const server = '0b7c7a1e-0000-4000-8000-000000000001';
const uri = { toString: () => `analytics://${server}/policy/12/Own%20States.policy.json?installation` } as vscode.Uri;
const prompt = { name: 'State', mode: 'one', isSkipable: false } as never;
const value = { low: 'CA', high: '', list: [], isSkipped: false };
const draft = { defaultValue: { from: '', to: 'x' }, groups: [{ id: '3', from: null, to: 'N' }], users: [] };

let folder: string;
let state: MemoryMemento;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-stored-'));
  state = new MemoryMemento();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const imports = () => new ImportJournalStore(path.join(folder, 'imports'));
const setups = () => new SetupJournalStore(path.join(folder, 'applications'));
const writes = () => new UnknownWrites(path.join(folder, 'writes'));
const list = () => {
  const earlier = { get: () => undefined, update: async () => undefined };
  return new ServerList({ file: path.join(folder, 'servers.json'), earlier });
};

/** The runs that a window restores. */
async function openRuns(): Promise<RunHistory> {
  const history = new RunHistory();
  await persistRuns(history, state, () => true).restored;
  return history;
}

async function everyFile(): Promise<Record<string, string>> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((each) => each.isFile() && !each.name.endsWith('.lock'));
  const texts = files.map(async ({ parentPath, name }) => {
    const file = path.join(parentPath, name);
    return [path.relative(folder, file), await readFile(file, 'utf8')] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

async function store(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

describe('what release 0.1.0 stored', () => {
  let stored: Stored;
  beforeEach(async () => {
    const file = path.join(import.meta.dirname, '../../fixtures/storedState/0.1.0.json');
    stored = JSON.parse(await readFile(file, 'utf8')) as Stored;
    for (const [key, each] of Object.entries(stored.state)) await state.update(key, each);
    await store(stored.files);
  });

  it('is read: values, presets, base texts, drafts and runs', async () => {
    const memory = new PromptMemory(state);
    expect(memory.recall(server, '7', [prompt])).toEqual([value]);
    expect(memory.presetNames({ connectionId: server, reportId: '7' })).toEqual(['"North" & Söhne', 'South']);
    expect(memory.recallPreset({ connectionId: server, reportId: '7' }, 'South', [prompt])).toEqual([value]);
    expect(new BaseStore(state).get(uri)).toEqual({ text: '{ "Name": "Own States" }', mtime: 1, size: 2 });
    expect(new TagDrafts(state).get(`${server}/3`)).toEqual(draft);
    const { runs } = await openRuns();
    expect(runs.map(({ target, user, rows, isPinned }) => [target.name, user, rows, isPinned])).toEqual([
      ['Delays by State', 'ada', 9, true],
    ]);
  });

  it('is read: the view of a result, with its sorting, filters and columns', () => {
    const { panel } = stored;
    if (!isKept(panel)) throw new Error('The page does not read it.');
    expect(checkKept(panel)).toBe('whole');
    expect(panelState.parse(panel.keepsake)).toEqual(panel.keepsake);
    expect(panel.keepsake).toMatchObject({ lastRun: { values: [value], arrangement: { search: 'Köln' } } });
    const columns = ['State', 'Delay', 'Added'].map((key) => ({ key })) as never[];
    const layout = { order: [1, 0, 2], widths: [80, 120, undefined], hidden: [1], frozen: 1 };
    expect(layoutFor(panel.layouts ?? [], '7', columns)).toEqual(layout);
    expect(panel.draft?.values).toEqual([value]);
  });

  it('is read: trusted certificates', () => {
    const { pins } = new Network({ state, secrets: new MemorySecretStorage() });
    expect(pins.get('https://reports.example.com')?.fingerprint).toMatch(/^AB:/);
  });

  it('is read: servers, imports, set-ups and unknown writes', async () => {
    expect(
      list()
        .read()
        .map(({ name, userName }) => [name, userName]),
    ).toEqual([['Shop', 'ada']]);
    const [stored] = await imports().list();
    expect(stored?.header.rows.map(({ loginName }) => loginName)).toEqual(['ben']);
    expect(stored?.entries.get(2)?.kind).toBe('created');
    expect((await setups().list()).map(({ name, step }) => [name, step])).toEqual([['Sales', 'test']]);
    const { writes: found, damaged } = await writes().read();
    expect(found.map(({ object, reason }) => [object, reason])).toEqual([
      ['policy Own States', 'the connection broke'],
    ]);
    expect(damaged).toEqual([]);
  });
});

describe('what a later release stored', () => {
  const later = { version: 2, value: { unknown: ['form'] } };

  it('is left alone in the state, beside what this release stores', async () => {
    const keys = [
      `analytics.prompts.${server}.7`,
      `analytics.promptPresets.${server}.7`,
      `analytics.base ${uri.toString()}`,
      `analytics.tagDraft ${server}/3`,
      'analytics.runs',
    ];
    for (const key of keys) await state.update(key, later);
    const memory = new PromptMemory(state);
    const [bases, drafts] = [new BaseStore(state), new TagDrafts(state)];
    const owner = { connectionId: server, reportId: '7' };
    expect(memory.recall(server, '7', [prompt])).toEqual([undefined]);
    expect([memory.presetNames(owner), bases.get(uri), drafts.get(`${server}/3`)]).toEqual([[], undefined, undefined]);

    await memory.keep(server, '7', [prompt], [value]);
    await memory.keepPreset(owner, 'North', [prompt], [value]);
    await bases.keep(uri, { text: '{}', mtime: 1, size: 2 });
    await drafts.keep(`${server}/3`, draft);
    const history = await openRuns();
    history.add({
      ...{ target: { connectionId: server, reportId: '7', name: 'Delays' }, server: 'Shop', user: 'ada', chips: [] },
      ...{ values: [value], state: 'done', startedAt: new Date(0), elapsedMs: 1, rows: 1, isCached: false },
    });
    expect(memory.recall(server, '7', [prompt])).toEqual([value]);
    expect(memory.presetNames(owner)).toEqual(['North']);
    expect(bases.get(uri)?.text).toBe('{}');
    expect(drafts.get(`${server}/3`)).toEqual(draft);
    expect((await openRuns()).runs).toHaveLength(1);
    for (const key of keys) expect(state.get(key)).toEqual(later);

    await memory.removePreset(owner, 'North');
    await bases.drop(uri);
    await drafts.keep(`${server}/3`, undefined);
    expect([memory.presetNames(owner), bases.get(uri), drafts.get(`${server}/3`)]).toEqual([[], undefined, undefined]);
    for (const key of keys) expect(state.get(key)).toEqual(later);
  });

  it('is left alone in journals, and a later write of unknown outcome is reported', async () => {
    const id = '0b7c7a1e-0000-4000-8000-00000000000a';
    const facts = { version: 2, id, connectionId: server, startedAt: '2026-01-01T00:00:00Z', sentAt: 'later' };
    const files = {
      [path.join('imports', `${id}.jsonl`)]: `${JSON.stringify(facts)}\n`,
      [path.join('applications', `${id}.json`)]: JSON.stringify(facts),
      [path.join('writes', `${id}.json`)]: JSON.stringify(facts),
    };
    await store(files);
    expect([await imports().list(), await setups().list()]).toEqual([[], []]);
    expect((await writes().read()).damaged.map(({ file }) => path.basename(file))).toEqual([`${id}.json`]);
    const source = { connectionId: server, installation: 'i', file: 'f', fileName: 'f' };
    for (let count = 0; count < 25; count++)
      await imports().begin({ ...source, startedAt: '2026-01-02T00:00:00Z' }, []);
    expect(await everyFile()).toMatchObject(files);
  });

  it('stays in the list of servers when this release changes it', async () => {
    const account = { userName: 'ada', isGuest: false, keepsPassword: false, isSignedOut: false };
    const own = {
      id: 'own',
      name: 'Shop',
      kind: 'remote',
      apiBase: 'http://127.0.0.1:9/api',
      installationId: '',
      ...account,
    };
    const foreign = [
      { ...own, id: 'later', version: 2 },
      { ...own, id: 'cloud', kind: 'cloud' },
    ];
    await store({ 'servers.json': JSON.stringify([own, ...foreign]) });
    expect(
      list()
        .read()
        .map(({ id }) => id),
    ).toEqual(['own']);
    await list().change('Shop', () => []);
    expect(JSON.parse((await everyFile())['servers.json'] ?? '')).toEqual(foreign);
  });

  it('is left alone: trusted certificates, and lists that messages were shown for', async () => {
    const key = unseenFormsKey(server);
    for (const each of ['analytics.certificatePins', key]) await state.update(each, later);
    const network = new Network({ state, secrets: new MemorySecretStorage() });
    const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
    await network.pin('https://reports.example.com', fingerprint);
    expect(network.pins.get('https://reports.example.com')?.fingerprint).toBe(fingerprint);
    showUnseenForm(state, { id: server, name: 'Shop' } as never, 'totals');
    for (const each of ['analytics.certificatePins', key]) expect(state.get(each)).toEqual(later);
  });

  it('is a list of servers that this release refuses to change', async () => {
    const text = JSON.stringify({ version: 2, servers: [] });
    await store({ 'servers.json': text });
    expect(() => list().read()).toThrow('A later release of Analytics Studio wrote it.');
    await expect(list().change('Shop', () => [])).rejects.toThrow('Update Analytics Studio in this editor.');
    expect((await everyFile())['servers.json']).toBe(text);
  });
});

// A form that changes so that an earlier release cannot read it gets a new version, and a fixture of the version before.
it.each([
  ['entries', entries, 'a1af0c3990eb'],
  ['presets', presets, '9c831342ba78'],
  ['base text', keptBase, 'f1cb601d7604'],
  ['draft', tagTableChanges, 'b6551b612c6e'],
  ['view', panelState, 'fe4c798b8980'],
  ['run', keptRun, '422a2a442de8'],
  ['import', header, 'b408daf5583b'],
  ['import entry', entry, 'a21a4e4d2826'],
  ['set-up', keptSetup, 'd2fbb91a2126'],
  ['unknown write', unknownWrite, 'b6cd7c749b2a'],
])('stores the form of version 1: %s', (_, form, digest) => {
  const schema = JSON.stringify(z.toJSONSchema(form, { io: 'input', unrepresentable: 'any' }));
  expect(createHash('sha256').update(schema).digest('hex').slice(0, 12)).toBe(digest);
});
