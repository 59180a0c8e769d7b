import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as vscode from 'vscode';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ResultsState } from '../../../../../src/contract/pages/resultsPage.ts';
import { emptyPromptValue } from '../../../../../src/contract/pages/promptForm.ts';
import { RunHistory } from '../../../../../src/features/reports/history/runHistory.ts';
import { PromptMemory } from '../../../../../src/features/reports/prompts/promptMemory.ts';
import type { PanelServices } from '../../../../../src/features/reports/run/panelHandlers.ts';
import { ResultsPanel } from '../../../../../src/features/reports/run/resultsPanel.ts';
import type { AnalyticsClient } from '../../../../../src/client/client.ts';
import { testClient } from '../../../../support/testClient.ts';
import { password, result, startFaultyServer, trickle } from '../../../../support/webview/faultyServer.ts';
import type { FaultyReport, FaultyServer } from '../../../../support/webview/faultyServer.ts';
import { Uri } from '../../../../support/vscode/basics.ts';
import { dismiss, person } from '../../../../support/vscode/person.ts';
import { closePanels, createWebviewPanel, panels } from '../../../../support/vscode/webviews.ts';
import { prompt } from '../prompts/prompts.ts';

const some = result([{ city: 'Oslo' }, { city: 'Lima' }]);
const links = [{ ReportID: 2, Name: 'Detail', Links: [{ Field: 'city', TargetField: 'city' }] }];
/** Enough of a reply that rows are shown, of which the rest never comes. */
const endless = JSON.stringify({
  ...result([]),
  Data: Array.from({ length: 5_000 }, (_, n) => ({ city: `City ${n}` })),
});

let server: FaultyServer;
let client: AnalyticsClient;
let panel: (typeof panels)[number];
let folder: string;
let services: PanelServices;
/** How the report is answered. */
let run: NonNullable<FaultyReport['run']>;
let inDetail: typeof run;
let asks: readonly object[];

beforeEach(async () => {
  run = () => some;
  inDetail = () => result([{ street: 'Storgata' }]);
  asks = [];
  const list = { run: (...given: Parameters<typeof run>) => run(...given), definition: { linkreports: links } };
  const detail = { name: 'Detail', run: (...given: Parameters<typeof run>) => inDetail(...given) };
  server = await startFaultyServer([
    {
      name: 'Cities',
      ...list,
      get prompts() {
        return asks.length > 0 ? asks : undefined;
      },
    },
    detail,
  ]);
  client = testClient(`${server.url}/api`, { userName: 'ada', password });
  folder = await mkdtemp(path.join(tmpdir(), 'results-panel-'));
  const kept = new Map<string, unknown>();
  const connection = { name: 'Shop', userName: 'ada', state: { kind: 'signedOut' }, client: async () => client };
  services = {
    connections: { get: () => connection },
    memory: new PromptMemory({
      get: (key) => kept.get(key),
      update: async (key, value) => void kept.set(key, value),
    }),
    history: new RunHistory(),
    sql: { show: async () => undefined, refresh: () => undefined },
    extensionUri: Uri.file(folder),
    draft: () => undefined,
  } as unknown as PanelServices;
});

afterEach(async () => {
  closePanels();
  await client.close();
  await server.close();
  await rm(folder, { recursive: true, force: true });
  person.leave();
});

function open(): ResultsPanel {
  const made = createWebviewPanel('analytics.results', 'Cities');
  const last = panels.at(-1);
  if (last === undefined || last !== made) throw new Error('No panel was opened.');
  panel = last;
  const target = { connectionId: 'c', reportId: '1', name: 'Cities' };
  return new ResultsPanel(panel as unknown as vscode.WebviewPanel, target, services);
}

const state = () => panel.last('state') as ResultsState | undefined;
const phase = () => state()?.phase.kind;
const soon = (kind: string) => expect.poll(phase, { timeout: 20_000 }).toBe(kind);
const view = async () => ((await panel.ask('ready')) as { grid: { view: number } | null }).grid?.view;
const runs = () => server.requests.filter(({ path: asked }) => asked.endsWith('GetReportData')).length;

describe('a message of a page', () => {
  const wrong: readonly [string, unknown][] = [
    ['run', { isCacheOk: true }],
    ['cancel', 1],
    ['back', { level: -1 }],
    ['back', {}],
    ['drill', { view: 0, row: 0 }],
    ['rows', { view: 0, start: 0.5, count: 1 }],
    ['rows', { view: 0, start: 0, count: '1' }],
    ['submitPrompts', { values: [] }],
    ['submitPrompts', [{ low: 1 }]],
    ['savePreset', { values: [], name: 7 }],
    ['removePreset', null],
    ['savePicture', { format: 'exe', bytes: new Uint8Array(1) }],
    ['savePicture', { format: 'png', bytes: [1, 2] }],
    ['copy', { view: 0, firstRow: 0, lastRow: 1, columns: [-1], withHeaders: false }],
    ['exportRows', { hasPicture: 'no' }],
    ['openLink', { view: 0, row: 0, column: null }],
    ['arrange', { sort: [], filters: { x: '1' }, search: '' }],
  ];

  it.each(wrong)('%s with %j is refused, and nothing is done', async (name, params) => {
    await open().start();
    await soon('done');
    const requests = server.requests.length;
    await expect(panel.ask(name, params)).rejects.toThrow(`The page asked for "${name}" in a wrong form.`);
    expect([server.requests.length, phase(), panel.isDisposed, person.texts()]).toEqual([requests, 'done', false, []]);
  });

  it.each(['toString', '__proto__', 'constructor', 'dispose', ''])('that is named %j is refused', async (name) => {
    await open().start();
    await expect(panel.ask(name)).rejects.toThrow('does not exist');
  });

  it('about rows that are no longer shown gets none', async () => {
    const shown = open();
    await shown.start();
    await soon('done');
    const before = await view();
    const cells = { view: before, firstRow: 0, lastRow: 1, columns: [0] };
    expect(await panel.ask('copy', { ...cells, withHeaders: false })).toBe(2);
    expect(person.clipboard).toBe('Oslo\nLima');
    await panel.ask('arrange', { sort: [{ column: 0, isDescending: false }], filters: {}, search: '' });
    expect(await view()).not.toBe(before);
    person.clipboard = 'before';
    expect(await panel.ask('copy', { ...cells, withHeaders: false })).toBe(null);
    expect(await panel.ask('rows', { view: before, start: 0, count: 2 })).toBe(null);
    expect(await panel.ask('cell', { view: before, row: 0, column: 0 })).toBe(null);
    await panel.ask('drill', { view: before, row: 0, column: 0 });
    expect([person.clipboard, state()?.trail]).toEqual(['before', ['Cities']]);
  });
});

describe('rows that still come', () => {
  beforeEach(async () => {
    run = (response) => trickle(response, endless, endless.length - 10);
    void open().start();
    await soon('streaming');
  });

  it('are not exported, and the reason is shown', async () => {
    await panel.ask('exportRows', { hasPicture: false });
    expect(person.texts('message')).toEqual(['Wait for the report to finish, then export.']);
    expect(await readdir(folder)).toEqual([]);
  });

  it('stay when the run is cancelled, and are exported then', async () => {
    await panel.ask('cancel');
    await soon('cancelled');
    const file = path.join(folder, 'cities.csv');
    person.answers('Export Cities', 'CSV').answers('Export "Cities"', file).answers('Exported 5,000 rows', dismiss);
    await panel.ask('exportRows', { hasPicture: false });
    const lines = (await readFile(file, 'utf8')).split('\r\n');
    expect(lines.slice(0, 3)).toEqual(['city', 'City 0', 'City 1']);
    expect(await readdir(folder)).toEqual(['cities.csv']);
  });

  it('do not end the run that took their place', async () => {
    run = () => some;
    await panel.ask('run');
    await soon('done');
    expect(state()?.phase).toMatchObject({ progress: { rows: 2 } });
    expect(runs()).toBe(2);
  });
});

describe('a run that another took the place of', () => {
  it('neither fails it nor shows its rows', async () => {
    const late = Promise.withResolvers<void>();
    run = async () => {
      await late.promise;
      return { HasError: true, ErrorCode: 9001, ErrorMessage: 'too late' };
    };
    void open().start();
    await expect.poll(runs, { timeout: 20_000 }).toBe(1);
    run = () => some;
    await panel.ask('run');
    await soon('done');
    late.resolve();
    // The first call has ended once another one of the same client is answered.
    await client.call('library/SearchReports', { searchstring: '' });
    expect(state()?.phase).toMatchObject({ kind: 'done', progress: { rows: 2 } });
  });

  it('shows nothing of a report that was left', async () => {
    await open().start();
    await soon('done');
    await panel.ask('drill', { view: await view(), row: 0, column: 0 });
    await expect.poll(() => state()?.trail).toEqual(['Cities', 'Detail']);
    await soon('done');
    await panel.ask('back', { level: 0 });
    expect([state()?.trail, state()?.title]).toEqual([['Cities'], 'Cities']);
    expect(((await panel.ask('ready')) as { keepsake: object }).keepsake).toMatchObject({ reportId: '1' });
  });
});

describe('reports of one panel', () => {
  /** Opens the second report from the first row. */
  const drill = async () => {
    // Answered once all rows are there.
    void panel.ask('drill', { view: await view(), row: 0, column: 0 });
    await expect.poll(() => state()?.trail).toEqual(['Cities', 'Detail']);
  };

  it('show no state of the one that is not shown', async () => {
    let finish = () => undefined as unknown;
    run = (response) => {
      finish = () => response.end(endless.slice(-10));
      return trickle(response, endless, endless.length - 10);
    };
    void open().start();
    await soon('streaming');
    await drill();
    await soon('done');
    finish();
    await expect.poll(() => services.history.runs[0]?.state, { timeout: 20_000 }).toBe('done');
    expect(state()?.title).toBe('Detail');
  });

  it('end with the way back from them', async () => {
    let isOpen = false;
    inDetail = (response) => {
      isOpen = true;
      response.on('close', () => (isOpen = false));
      return trickle(response, endless, endless.length - 10);
    };
    await open().start();
    await soon('done');
    await drill();
    await soon('streaming');
    await panel.ask('back', { level: 0 });
    await expect.poll(() => isOpen, { timeout: 20_000 }).toBe(false);
    expect([phase(), state()?.title]).toEqual(['done', 'Cities']);
  });
});

describe('saved prompt values', () => {
  const named = (low: string) => [{ ...emptyPromptValue, low }];
  const save = (low: string, name = '') => panel.ask('savePreset', { values: named(low), name });

  beforeEach(async () => {
    asks = [prompt({ name: 'City' })];
    await open().start();
    await soon('asking');
    person.answers('Save Prompt Values', ' North ');
    expect(await save('Oslo')).toEqual({ names: ['North'], chosen: 'North' });
  });

  const kept = async () => ((await panel.ask('choosePreset', { name: 'North' })) as { low: string }[] | null)?.[0]?.low;

  it('are overwritten under another name only when that is agreed to', async () => {
    person.answers('Save Prompt Values', 'North').answers('already exist. Overwrite', dismiss);
    expect(await save('Lima')).toBe(null);
    expect(await kept()).toBe('Oslo');
    person.answers('Save Prompt Values', 'North').answers('already exist. Overwrite', 'Overwrite');
    expect(await save('Lima')).toEqual({ names: ['North'], chosen: 'North' });
    expect(await kept()).toBe('Lima');
  });

  it('are saved again under their own name without a question', async () => {
    person.answers('Save Prompt Values', 'North');
    expect(await save('Lima', 'North')).toEqual({ names: ['North'], chosen: 'North' });
    expect(await kept()).toBe('Lima');
  });

  it('stay when the box or the question is left', async () => {
    person.answers('Save Prompt Values', dismiss);
    expect(await save('Lima')).toBe(null);
    person.answers('Delete the prompt values saved as "North"', dismiss);
    expect(await panel.ask('removePreset', { name: 'North' })).toBe(null);
    expect(await kept()).toBe('Oslo');
  });

  it('are deleted when that is agreed to', async () => {
    person.answers('Delete the prompt values saved as "North"', 'Delete');
    expect(await panel.ask('removePreset', { name: 'North' })).toEqual({ names: [], chosen: '' });
    expect(await kept()).toBeUndefined();
  });
});
