import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import type { Chart, ChartLack, OutputKind } from '../../../../src/contract/pages/chartFigure.ts';
import { packRows } from '../../../../src/contract/pages/resultCells.ts';
import type {
  FailureKind,
  GridShape,
  ResultsContract,
  ResultsSnapshot,
  ResultsState,
  RunPhase,
} from '../../../../src/contract/pages/resultsPage.ts';
import { projectRoot } from '../../vscodeHost/paths.ts';
import type { PageAnswers, PageState, PageStates } from '../scriptedPage.ts';
import { figures } from './chartFigures.ts';
import { columns, gridShape, profile, rows } from './resultsData.ts';
import { promptForm, promptStates } from './promptStates.ts';

type ResultsPageState = PageState<ResultsContract>;

const progress = { rows: 4, bytes: 2_400_000, elapsedMs: 1800 };
const nothing = { rows: 0, bytes: 0, elapsedMs: 40 };
const done = {
  kind: 'done',
  progress,
  serverMs: 300,
  databaseMs: 120,
  isCached: true,
  isLimited: true,
  notice: '',
} as const;

const baseState: ResultsState = {
  reportId: '1',
  title: 'Delays by State',
  trail: ['Delays by State'],
  server: 'Local Server',
  user: 'admin',
  hasPrompts: true,
  output: null,
  isTable: true,
  chips: [
    { label: 'State', text: 'CA' },
    { label: '', text: 'Skipped: Day' },
  ],
  phase: done,
};

const answers: PageAnswers<ResultsContract> = {
  rows: ({ start }) => packRows(start, rows.slice(start)),
  profile: ({ column: index }) => ({ ...profile, column: index }),
  cell: () => ({ title: 'State', typeName: 'Text', shown: '{"a":1}', stored: '{\n  "a": 1\n}' }),
  find: ({ text }) => (text === 'A' ? { row: 0, place: 0, rows: 2 } : null),
  figures: () => ({
    cells: 4,
    distinct: 3,
    isCapped: false,
    nulls: 1,
    numbers: 2,
    sum: { text: '99500', isExact: true },
  }),
  arrange: ({ filters }): Record<number, string> => ('1' in filters ? { 1: 'A number is missing after >.' } : {}),
  copy: () => 4,
  mapShapes: () => Uint8Array.from(readFileSync(path.join(projectRoot, 'dist', 'sample', 'us-10m.json'))),
};

/** A page that shows this, and answers as usual but for `more`. */
function showing(snapshot: Partial<ResultsSnapshot>, more: PageAnswers<ResultsContract> = {}): ResultsPageState {
  const whole = { state: baseState, grid: gridShape, form: null, keepsake: undefined, ...snapshot };
  return { answers: { ...answers, ready: () => whole, ...more }, reach: ({ page }) => hasRows(page, whole) };
}

/** Ends when the rows of a table are there, and beneath its titles, when they have all come, their distributions. */
async function hasRows(page: Page, { grid, state }: ResultsSnapshot): Promise<void> {
  if (grid === null || !(state.isTable || grid.isDerived)) return;
  if (grid.rows > 0) await page.locator('.grid-row').first().waitFor();
  const isOfResult = grid.columns.every(({ ofResult }) => ofResult !== null);
  if (!isOfResult || state.phase.kind === 'streaming') return;
  await page
    .locator('.grid-title .grid-profile')
    .nth(grid.columns.length - 1)
    .waitFor();
}

/** A state that is reached from another one. */
function from(base: ResultsPageState, reach: NonNullable<ResultsPageState['reach']>): ResultsPageState {
  return {
    ...base,
    reach: async (scripted) => {
      await base.reach?.(scripted);
      await reach(scripted);
    },
  };
}

const inPhase = (phase: RunPhase, grid: GridShape | null = null, state: Partial<ResultsState> = {}) =>
  showing({ state: { ...baseState, ...state, phase }, grid });

/** After keys in the grid. */
function after(keys: readonly string[], mark: string, base = showing({})): ResultsPageState {
  return from(base, async (scripted) => {
    await scripted.page.locator('.grid').first().focus();
    await scripted.press(...keys);
    await scripted.page.locator(mark).first().waitFor();
  });
}

const failures: Record<FailureKind, string> = {
  signedOut: 'The session has ended.',
  takenOver: 'The account signed in elsewhere.',
  newPassword: 'The account must set a new password.',
  noPermission: 'The account may not see the report.',
  unreachable: 'ECONNREFUSED 127.0.0.1:443',
  refused: '9000: The column does not exist.',
  other: 'The reply is no JSON.',
};
const failed = (kind: FailureKind, rowsSoFar = nothing): RunPhase => ({
  kind: 'failed',
  progress: rowsSoFar,
  failure: {
    kind,
    title: 'Could not run "Delays by State" on Local Server.',
    cause: failures[kind],
    remedy: 'Check the report, then retry.',
  },
});

/** One of every kind of phase. */
const phases: Record<RunPhase['kind'], ResultsPageState> = {
  preparing: inPhase({ kind: 'preparing' }),
  asking: promptStates.form,
  waiting: inPhase({ kind: 'waiting' }),
  streaming: inPhase({ kind: 'streaming', progress }, gridShape),
  done: showing({}),
  cancelled: inPhase({ kind: 'cancelled', progress: nothing }),
  failed: inPhase(failed('other', progress), gridShape),
  restored: inPhase({ kind: 'restored' }),
};

const charted = (output: OutputKind, chart: Chart): ResultsPageState => ({
  ...showing({ state: { ...baseState, output, isTable: false } }, { chart: () => chart }),
  reach: async ({ page }) => {
    await page.locator('.chart-stage[tabindex="0"], .kpi-place, .chart-lack:has(.codicon-info)').first().waitFor();
    // A mark has the focus, where there is one.
    if ((await page.locator('.chart-stage[tabindex="0"]').count()) === 0) return;
    await page.locator('.chart-stage').focus();
    await page.keyboard.press('ArrowRight');
    await page.locator('.chart-frame').waitFor();
  },
});

const derived = (levels: number[] | undefined): GridShape => ({
  ...gridShape,
  isDerived: true,
  filteredRows: 3,
  columns: columns.map((each, index) => (index === 3 ? { ...each, ofResult: null } : each)),
  first: packRows(0, rows, levels),
});

/** One of every output type. */
const outputs: Record<OutputKind, ResultsPageState> = {
  chart: charted('chart', { figure: figures.chart, notes: ['Only the first 12 series are drawn.'] }),
  chart2: charted('chart2', { figure: figures.chart2, notes: [] }),
  kpi: charted('kpi', { figure: figures.kpi, notes: [] }),
  gauge: charted('gauge', { figure: figures.gauge, notes: [] }),
  pie: charted('pie', { figure: figures.pie, notes: [] }),
  combo: charted('combo', { figure: figures.combo, notes: [] }),
  treemap: charted('treemap', { figure: figures.treemap, notes: [] }),
  map: charted('map', { figure: figures.map, notes: [] }),
  skyline: charted('skyline', { figure: figures.skyline, notes: [] }),
  pivot: showing({ state: { ...baseState, output: 'pivot', isTable: false }, grid: derived(undefined) }),
  pivot2: after(
    ['ArrowUp', 'F2'],
    '.footer-selection:not(:empty)',
    showing({
      state: { ...baseState, output: 'pivot2', isTable: false },
      grid: { ...derived(undefined), columns: columns.map((each) => ({ ...each, ofResult: null })) },
    }),
  ),
  groups: showing({ state: { ...baseState, output: 'groups', isTable: false }, grid: derived([1, 2, 0, -1]) }),
};

const lacks: Record<ChartLack, true> = { noRows: true, noMeasure: true, noNumber: true, noCategory: true, noMap: true };

/** Keys that freeze the first column: its menu has Freeze after three others. */
const freezing = ['ArrowUp', 'Shift+F10', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter'];

/** Four cells, with their figures. */
const selected = from(after(['Shift+ArrowDown', 'Shift+ArrowRight'], '.is-edge-bottom'), ({ page }) =>
  page.locator('.footer-selection', { hasText: 'distinct' }).waitFor(),
);

/** Bars, panes, menus and marks over the rows. */
const parts: Record<string, ResultsPageState> = {
  'no rows': inPhase({ ...done, progress: nothing }),
  'no rows of a report without prompts': inPhase({ ...done, progress: nothing }, null, {
    hasPrompts: false,
    chips: [],
  }),
  'a notice': inPhase({ ...done, notice: 'The server cut the rows off at 1,000.' }, gridShape),
  'a cancelled run with rows': inPhase({ kind: 'cancelled', progress }, gridShape),
  'a drill-down': showing({ state: { ...baseState, trail: ['Delays by State', 'Airports of a State', 'Flights'] } }),
  'a comparison': showing({
    state: {
      ...baseState,
      isMadeHere: true,
      hasNoSql: true,
      hasPrompts: false,
      rowKinds: [
        { text: 'changed', rows: 3 },
        { text: 'added', rows: 0 },
      ],
    },
    grid: { ...gridShape, arrangement: { ...gridShape.arrangement, filters: { 0: '=changed' } } },
  }),
  'no match': showing({
    grid: { ...gridShape, rows: 0, arrangement: { ...gridShape.arrangement, search: 'zzz' }, first: packRows(0, []) },
  }),
  'rows that are loading': after(
    ['ArrowDown'],
    '.grid-row.is-loading',
    showing({ grid: { ...gridShape, rows: 400, totalRows: 400 } }, { rows: () => new Promise(() => undefined) }),
  ),
  'selected cells': selected,
  'selected cells, with the focus elsewhere': from(selected, async ({ page }) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).focus();
    await page.locator('.grid:not(:focus) .is-edge-bottom').first().waitFor();
  }),
  'a cell on its own': after(['F2'], '.cell-pane pre'),
  'a missing cell on its own': after(
    ['F2'],
    '.cell-text.is-null',
    showing({}, { cell: () => ({ title: 'State', typeName: 'Text', shown: null, stored: null }) }),
  ),
  'a distribution': after(['ArrowUp', 'F2'], '.profile'),
  'the menu of cells': after(['Shift+F10'], '.grid-menu'),
  'the menu of a title': after(['ArrowUp', 'Shift+F10'], '.grid-menu'),
  'the menu of a title that is combined': after(
    ['ArrowUp', 'Shift+F10'],
    '.grid-menu [aria-disabled]',
    showing({ grid: { ...derived(undefined), columns: columns.map((each) => ({ ...each, ofResult: null })) } }),
  ),
  'frozen columns': after(['ArrowUp', 'Shift+F10', 'End', 'ArrowUp', 'ArrowUp', 'ArrowUp', 'Enter'], '.is-frozen-last'),
  'filters, one refused': from(showing({ grid: derived(undefined) }), async ({ page }) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    await page.locator('.grid-filter-box').nth(1).fill('>');
    await page.locator('.filter-problem').waitFor();
  }),
  'a search by text': showing({
    grid: { ...gridShape, rows: 1, arrangement: { ...gridShape.arrangement, search: 'AK' } },
  }),
  'a text that is found': from(showing({}), async (scripted) => {
    await scripted.page.locator('.grid').focus();
    await scripted.press('Control+f');
    await scripted.page.keyboard.type('A');
    await scripted.page.locator('.is-found.is-active').waitFor();
  }),
  'a text that is not found': from(showing({}), async (scripted) => {
    await scripted.press('Control+f');
    await scripted.page.keyboard.type('zzz');
    await scripted.page.locator('.is-missing').waitFor();
  }),
  'an action that failed': after(
    ['Control+c'],
    '.footer-selection:not(:empty)',
    showing(
      {},
      {
        copy: () =>
          Promise.reject(
            new Error('The clipboard of this machine cannot be reached; copy fewer cells, or export them.'),
          ),
      },
    ),
  ),
  'prompts beside the rows': showing({ form: promptForm }),
  'deep groups': showing({ state: { ...baseState, output: 'groups', isTable: false }, grid: derived([1, 2, 3, 4]) }),
  'one long figure': charted('kpi', {
    figure: { kind: 'kpi', figures: [{ label: 'Flights', text: '12,345,678,901.50' }] },
    notes: [],
  }),
  'one text': charted('kpi', {
    figure: { kind: 'kpi', figures: [{ label: 'Carrier', text: 'Some Carrier with a rather long name' }] },
    notes: [],
  }),
  'filters of frozen columns': from(showing({}), async (scripted) => {
    await scripted.page.locator('.grid').focus();
    await scripted.press(...freezing);
    await scripted.page.getByRole('button', { name: 'Filter', exact: true }).click();
    await scripted.page.locator('.grid-filter.is-frozen-last').waitFor();
  }),
  help: after(['F1'], 'dialog[open]'),
  'a chart that is drawn': from(
    showing(
      { state: { ...baseState, output: 'chart', isTable: false } },
      { chart: () => new Promise(() => undefined) },
    ),
    ({ page }) => page.getByText('Drawing chart…').waitFor(),
  ),
};

const named = (prefix: string, states: PageStates<ResultsContract>): PageStates<ResultsContract> =>
  Object.fromEntries(Object.entries(states).map(([name, state]) => [`${prefix}: ${name}`, state]));

/** All states of the results page: the compiler misses a phase, a failure, an output type and a lack that has none. */
export const resultsStates: PageStates<ResultsContract> = {
  ...named('run', phases),
  ...named(
    'failure',
    Object.fromEntries((Object.keys(failures) as FailureKind[]).map((kind) => [kind, inPhase(failed(kind))])),
  ),
  ...named('output', outputs),
  ...named(
    'no chart',
    Object.fromEntries(
      (Object.keys(lacks) as ChartLack[]).map((lack) => [
        lack,
        charted('chart', { figure: { kind: 'none', lack }, notes: [] }),
      ]),
    ),
  ),
  ...named('part', parts),
  ...named('prompts', promptStates),
};
