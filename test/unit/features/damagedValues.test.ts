import type * as vscode from 'vscode';
import { beforeEach, describe, expect, it } from 'vitest';
import { Network } from '../../../src/connections/network/network.ts';
import { checkKept, sealKept } from '../../../src/contract/pages/keptState.ts';
import { BaseStore } from '../../../src/features/documents/files/openDocuments.ts';
import { RunHistory } from '../../../src/features/reports/history/runHistory.ts';
import { persistRuns } from '../../../src/features/reports/history/runStore.ts';
import { PromptMemory } from '../../../src/features/reports/prompts/promptMemory.ts';
import { ReportRunner } from '../../../src/features/reports/run/reportRunner.ts';
import { forgetServer } from '../../../src/features/servers/removeServer.ts';
import { draftedOf, TagDrafts } from '../../../src/features/tagValues/tagDrafts.ts';
import { MemorySecretStorage, MemoryMemento } from '../../support/vscode/storage.ts';

/*
 * What the extension keeps in the editor's state, damaged at 20 places in two ways: it is used only if it is still what
 * was stored, and stays in the state when something else is stored after it.
 */

const server = '0b7c7a1e-0000-4000-8000-000000000001';
const uri = { toString: () => `analytics://${server}/policy/12/Own%20States.policy.json` } as vscode.Uri;
const owner = { connectionId: server, reportId: '7' };
const shapes = ['State', 'Airport'].map((name) => ({ name, mode: 'one', isSkipable: false })) as never[];
const value = (low: string) => ({ low, high: '', list: [], isSkipped: false });
const draft = (to: string) => ({
  defaultValue: { from: '', to },
  groups: [{ id: '3', from: null, to: 'N' }],
  users: [],
});
const address = 'https://reports.example.com';
const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
const run = (rows: number): Parameters<RunHistory['add']>[0] => ({
  ...{ target: { ...owner, name: 'Delays by Ort Köln' }, server: 'Shop', user: 'ada', values: [value('CA')] },
  ...{ chips: [{ label: 'State', text: '= CA' }], startedAt: new Date(0), elapsedMs: 1, rows, isCached: false },
  state: 'done',
});

let state: MemoryMemento;
beforeEach(() => {
  state = new MemoryMemento();
});

async function runs(): Promise<RunHistory> {
  const history = new RunHistory();
  await persistRuns(history, state, () => true).restored;
  return history;
}
const network = () => new Network({ state, secrets: new MemorySecretStorage() });

interface Kept {
  what: string;
  /** Stores a first or another value, as a user does. */
  store: (which: 'first' | 'other') => Promise<void>;
  /** What a user gets, as plain data. */
  read: () => unknown;
  /** Records of {@link read} that may be there without the others. */
  parts?: (read: unknown) => readonly unknown[];
}

const asList = (read: unknown) => read as readonly unknown[];
const kinds: readonly Kept[] = [
  {
    what: 'prompt values',
    store: (which) =>
      new PromptMemory(state).keep(
        server,
        '7',
        shapes,
        which === 'first' ? [value('CA'), value('SFO')] : [value('NV')],
      ),
    read: () => new PromptMemory(state).recall(server, '7', shapes).filter((each) => each !== undefined),
    parts: asList,
  },
  {
    what: 'presets',
    store: async (which) => {
      const memory = new PromptMemory(state);
      for (const name of which === 'first' ? ['North', 'South'] : ['Later'])
        await memory.keepPreset(owner, name, shapes, [value(`of ${name}`)]);
    },
    read: () => {
      const memory = new PromptMemory(state);
      return memory.presetNames(owner).map((name) => [name, memory.recallPreset(owner, name, shapes)]);
    },
    parts: asList,
  },
  {
    what: 'the base text of a document',
    store: (which) => new BaseStore(state).keep(uri, { text: `{ "Name": "${which}" }`, mtime: 1, size: 2 }),
    read: () => new BaseStore(state).get(uri),
  },
  {
    what: 'a draft of tag values',
    store: (which) => new TagDrafts(state).keep(`${server}/3`, draft(which)),
    read: () => new TagDrafts(state).get(`${server}/3`),
  },
  {
    what: 'runs',
    store: async (which) => {
      const history = await runs();
      for (const rows of which === 'first' ? [1, 2, 3] : [9]) history.add(run(rows));
    },
    read: async () => (await runs()).runs.map(({ id: _id, ...each }) => each),
    parts: asList,
  },
  {
    what: 'a trusted certificate',
    store: (which) => network().pin(which === 'first' ? address : 'https://other.example.com', fingerprint),
    read: () => network().pins.get(address)?.fingerprint,
  },
];

const places = (length: number) => Array.from({ length: 20 }, (_, index) => Math.floor(((index + 0.5) * length) / 20));

/** A stored value with a flipped bit, or cut: as it would be read, or as its text if that is no JSON. */
function damages(stored: unknown): { how: string; damaged: unknown }[] {
  const whole = Buffer.from(JSON.stringify(stored));
  return places(whole.length).flatMap((at) => {
    const flipped = Buffer.from(whole);
    flipped[at] = flipped.readUInt8(at) ^ 0x01;
    return [
      { how: `flipped at ${at}`, damaged: parsed(flipped.toString()) },
      { how: `cut at ${at}`, damaged: parsed(whole.subarray(0, at).toString()) },
    ];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Texts of a value that is stored, or of the records of a list. */
const texts = (stored: unknown) => (Array.isArray(stored) ? stored : [stored]).map((each) => JSON.stringify(each));

describe.each(kinds)('$what', ({ store, read, parts }) => {
  it('with damage is not used, and stays when something else is stored', async () => {
    await store('first');
    const [key = ''] = state.keys();
    const whole = await read();
    const stored = state.get(key);
    for (const { how, damaged } of damages(stored)) {
      for (const each of state.keys()) await state.update(each, undefined);
      await state.update(key, damaged);
      const found = await read();
      if (parts) for (const part of parts(found)) expect(parts(whole), how).toContainEqual(part);
      else expect([undefined, whole], how).toContainEqual(found);
      const isUsed = JSON.stringify(found) === JSON.stringify(whole);
      if (isUsed) continue;
      const lost = texts(damaged).filter((text) => !texts(stored).includes(text));
      await store('other');
      const after = new Set(state.keys().flatMap((each) => texts(state.get(each))));
      for (const text of lost) expect(after, how).toContain(text);
    }
  });

  it('is also read as release 0.1.0 stored it, without checksums', async () => {
    await store('first');
    const [key = ''] = state.keys();
    const whole = await read();
    const isWithSums = JSON.stringify(state.get(key)).includes('"sum":');
    await state.update(
      key,
      JSON.parse(JSON.stringify(state.get(key), (name, each: unknown) => (name === 'sum' ? undefined : each))),
    );
    expect([isWithSums, await read()]).toEqual([true, whole]);
  });
});

it('damaged records of a removed server go with it', async () => {
  const history = await runs();
  history.add(run(1));
  history.add({ ...run(2), target: { ...run(2).target, connectionId: 'other' } });
  const stored = state.get<object[]>('analytics.runs') ?? [];
  await state.update(
    'analytics.runs',
    stored.map((each) => ({ ...each, rows: 77 })),
  );
  await forgetServer(
    { globalState: state, workspaceState: state, globalStorageUri: { fsPath: '/none' } as vscode.Uri },
    server,
  );
  expect(JSON.stringify(state.get('analytics.runs'))).not.toContain(server);
  expect(state.get('analytics.runs')).toHaveLength(1);
});

it('a draft of another release and one of this are counted as one', async () => {
  await state.update(`analytics.tagDraft ${server}/3`, { version: 2, value: {} });
  const drafts = new TagDrafts(state);
  expect(drafts.isUnreadable(`${server}/3`)).toBe(true);
  await drafts.keep(`${server}/3`, draft('x'));
  expect([drafts.isUnreadable(`${server}/3`), draftedOf(state, server)]).toEqual([false, 2]);
});

describe('the view of a panel', () => {
  const view = {
    keepsake: {
      ...owner,
      name: 'Delays',
      lastRun: { values: [value('CA')], chips: [], arrangement: { sort: [], filters: [], search: 'Köln' } },
    },
    layouts: [{ report: '7', order: ['a', 'b'], widths: [120, 80], hidden: [], frozen: ['a'] }],
    draft: { form: 1, values: [value('NV')] },
  };
  const sealed = JSON.parse(JSON.stringify(sealKept(view))) as object;

  /** What a restored panel shows instead of its view; undefined if it would be restored. */
  async function restored(saved: unknown): Promise<string | undefined> {
    const none = { onDidChange: () => ({ dispose: () => undefined }) };
    const runner = new ReportRunner({ connections: none, values: state } as never);
    const panel = { title: 'Delays', webview: { html: '' }, dispose: () => expect.fail('the panel was closed') };
    await runner.deserializeWebviewPanel(panel as never, saved);
    return /<p>(.*)<\/p>/.exec(panel.webview.html)?.[1];
  }

  it('with damage is said to be damaged, and not replaced', async () => {
    for (const { how, damaged } of damages(sealed)) {
      const condition = checkKept(damaged);
      if (condition === 'whole') {
        // A flipped letter may be in the name `sum`.
        expect(damaged, how).toMatchObject(view);
        continue;
      }
      expect(await restored(damaged), how).toMatch(condition === 'later' ? 'later release' : 'is damaged');
    }
  });

  it('of another release is said to be so, and one of 0.1.0 is used', async () => {
    expect(await restored({ version: 2, panels: [] })).toContain('Update Analytics Studio');
    expect([checkKept(sealed), checkKept(view), sealKept(sealed)]).toEqual(['whole', 'whole', sealed]);
  });
});
