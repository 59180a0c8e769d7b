import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { bundleFolder as folder, readTexts } from '../../../../../../.ci/l10n/bundles.ts';
import * as l10n from '../../../../../../src/l10n/l10n.ts';
import type { GridColumn, ResultsState, RunPhase } from '../../../../../../src/contract/pages/resultsPage.ts';
import { shownSort, sortArrangement } from '../../../../../../src/webview/grid/columns/columnSort.ts';
import {
  nextSort,
  withFilter,
  PendingViewState,
} from '../../../../../../src/features/reports/view/page/arrangement.ts';
import {
  emptyStateText,
  isRunning,
  keptText,
  rowsText,
  runText,
  selectionText,
  serverText,
} from '../../../../../../src/features/reports/view/page/describe.ts';

const bundleFolder = path.resolve(import.meta.dirname, '../../../../../..', folder);
const progress = { rows: 312_480, bytes: 64_200_000, elapsedMs: 1_840 };
const state = (phase: RunPhase): ResultsState => ({
  reportId: 'r1',
  title: '',
  server: '',
  user: '',
  hasPrompts: false,
  trail: [],
  output: null,
  isTable: false,
  chips: [],
  phase,
});
const grid = {
  view: 1,
  rowSet: 1,
  columns: [],
  rows: 312_480,
  totalRows: 312_480,
  arrangement: { sort: [], filters: {}, search: '' },
  isDerived: false,
  notes: [],
  first: { start: 0, count: 0, bytes: new Uint8Array() },
};

describe('notices', () => {
  it('blame values for an empty result only where some filtered', () => {
    const text = (...chips: ResultsState['chips']) => emptyStateText({ chips });
    expect(text({ label: 'State', text: '= CA' })).toContain('no row matches these prompt values');
    for (const unfiltered of [text(), text({ label: '', text: 'Without Prompts' })]) {
      expect(unfiltered).toContain('row-level security');
    }
  });

  it('say whose rows are left', () => {
    const failure = { kind: 'other', title: '', cause: '', remedy: '' } as const;
    const none = { ...progress, rows: 0 };
    expect(keptText({ kind: 'cancelled', progress })).toMatch(/^Cancelled\. .*kept/);
    expect(keptText({ kind: 'failed', failure, progress })).toContain('there may be more');
    expect(keptText({ kind: 'cancelled', progress: none })).toContain('previous run');
    expect(keptText({ kind: 'failed', failure, progress: none })).toContain('previous run');
  });
});

describe('a click on a title', () => {
  const ascending = { column: 2, isDescending: false };
  const descending = { column: 2, isDescending: true };
  const other = { column: 5, isDescending: true };

  it('sorts up, then down, then not', () => {
    expect(nextSort([], 2, false)).toEqual([ascending]);
    expect(nextSort([ascending], 2, false)).toEqual([descending]);
    expect(nextSort([descending], 2, false)).toEqual([]);
    expect(nextSort([other], 2, false)).toEqual([ascending]);
  });

  it('with Shift keeps the other levels in their order', () => {
    expect(nextSort([other], 2, true)).toEqual([other, ascending]);
    expect(nextSort([ascending, other], 2, true)).toEqual([descending, other]);
    expect(nextSort([descending, other], 2, true)).toEqual([other]);
  });
});

describe('the sorting of a grid', () => {
  const column = (key: string, ofResult: number | null): GridColumn => ({
    key,
    title: key,
    kind: 'text',
    ofResult,
    leadsOn: false,
    typeName: '',
    width: 100,
  });
  const pivot = [column('state', 0), column('1990', null), column('1991', null)];

  it('by a column that several of the result make is one of the lines, whatever number the column gets', () => {
    const lines = sortArrangement(pivot, [{ column: 2, isDescending: true }], 2);
    expect(lines).toEqual({ lines: { key: '1991', isDescending: true } });
    const later = [pivot[0], pivot[2]].filter((each) => each !== undefined);
    expect(shownSort(later, { sort: [{ column: 0, isDescending: false }], ...lines })).toEqual([
      { column: 1, isDescending: true },
    ]);
    expect(sortArrangement(pivot, [], 2)).toEqual({ lines: undefined });
  });

  it('by a column of the result is one of the rows, and takes the place of that of the lines', () => {
    const sort = [{ column: 0, isDescending: true }];
    expect(sortArrangement(pivot, sort, 0)).toEqual({ sort, lines: undefined });
    const grouped = [column('amount', 3), column('state', 1)];
    expect(shownSort(grouped, { sort: [...sort, { column: 1, isDescending: false }] })).toEqual([
      { column: 1, isDescending: false },
    ]);
    expect(sortArrangement(grouped, [{ column: 0, isDescending: false }], 0)).toEqual({
      sort: [{ column: 3, isDescending: false }],
      lines: undefined,
    });
  });
});

describe('a filter typed for a column', () => {
  it('replaces the one before, and goes when it is empty', () => {
    expect(withFilter({ 1: 'a', 2: 'b' }, 1, 'c')).toEqual({ 1: 'c', 2: 'b' });
    expect(withFilter({ 1: 'a', 2: 'b' }, 1, '  ')).toEqual({ 2: 'b' });
  });
});

describe('the footer', () => {
  afterEach(() => l10n.config({ language: 'en' }));

  it('is in the language of the table that the page has, with its numbers', () => {
    l10n.config({ language: 'de', contents: readTexts(path.join(bundleFolder, 'bundle.l10n.de.json')) });
    expect(rowsText({ rows: 0, totalRows: 12_000, isDerived: false })).toBe('0 von 12.000 Zeilen');
    expect(runText(state({ kind: 'cancelled', progress }), grid)).toBe('312.480 Zeilen · abgebrochen · 1,8 s');
  });

  it('counts rows, and says out of how many', () => {
    expect(rowsText(grid)).toBe('312,480 rows');
    expect(rowsText({ rows: 1, totalRows: 1, isDerived: false })).toBe('1 row');
    expect(rowsText({ rows: 0, totalRows: 12_000, isDerived: false })).toBe('0 of 12,000 rows');
    expect(rowsText({ rows: 14, totalRows: 12, isDerived: true })).toBe('12 rows');
    expect(rowsText({ rows: 9, totalRows: 12, isDerived: true, filteredRows: 7 })).toBe('7 of 12 rows');
  });

  it('says how the run stands', () => {
    const text = (phase: RunPhase) => runText(state(phase), grid);
    expect(text({ kind: 'streaming', progress })).toBe('312,480 rows · streaming 64 MB · 1.8 s');
    expect(text({ kind: 'cancelled', progress })).toBe('312,480 rows · cancelled · 1.8 s');
    expect(text({ kind: 'done', progress, isCached: false, isLimited: false, notice: '' })).toBe(
      '312,480 rows · 64 MB · 1.8 s',
    );
    expect(text({ kind: 'done', progress, isCached: false, isLimited: true, notice: '' })).toContain(
      'rows · row limit of the report · 64',
    );
    expect(runText(state({ kind: 'waiting' }), null)).toBe('Waiting for the first rows…');
    const quick = { ...progress, elapsedMs: 12.4 };
    expect(text({ kind: 'cancelled', progress: quick })).toContain('cancelled · 12 ms');
    const small = { ...progress, bytes: 2_345_678 };
    expect(text({ kind: 'done', progress: small, isCached: false, isLimited: false, notice: '' })).toContain('2.3 MB');
    expect(
      text({ kind: 'done', progress: { ...progress, bytes: 900 }, isCached: false, isLimited: false, notice: '' }),
    ).toContain('0.9 KB');
  });

  it("gives the server's own times where it sent any", () => {
    const done = { kind: 'done', progress, isLimited: false, notice: '' } as const;
    expect(serverText({ ...done, serverMs: 1_454, databaseMs: 412, isCached: true })).toBe(
      'server 1,454 ms · database 412 ms · cached',
    );
    expect(serverText({ ...done, isCached: false })).toBe('');
    expect(serverText({ kind: 'waiting' })).toBe('');
  });

  it('counts selected cells from two on', () => {
    expect([0, 1, 2, 1_500].map((cells) => selectionText(cells))).toEqual([
      '',
      '',
      '2 cells selected',
      '1,500 cells selected',
    ]);
  });

  it('shows all digits of exact figures, and says where there are more', () => {
    const text = selectionText(2, {
      cells: 2,
      distinct: 2,
      isCapped: false,
      nulls: 0,
      numbers: 2,
      sum: { text: '18014398509481985.25', isExact: true },
      average: { text: '0.000000033333333333', isExact: false },
      min: '1e-7',
      max: '9007199254740993',
    });
    expect(text.split(' · ').slice(-4)).toEqual([
      'sum 18,014,398,509,481,985.25',
      'avg ≈ 0.0000000333333',
      'min 0.0000001',
      'max 9,007,199,254,740,993',
    ]);
  });

  it('knows when there is something to cancel', () => {
    const running = (['preparing', 'waiting', 'asking', 'restored'] as const).filter((kind) => isRunning({ kind }));
    expect(running).toEqual(['preparing', 'waiting']);
    expect(isRunning({ kind: 'streaming', progress })).toBe(true);
  });
});

describe('the arrangement wanted', () => {
  const wish = (search: string) => ({ sort: [], filters: {}, search });

  it('is asked for at once, the last of one event alone, and stays wanted until the host shows it', async () => {
    const sent: string[] = [];
    const answers: (() => void)[] = [];
    const arrangement = new PendingViewState(async ({ search }) => {
      sent.push(search);
      await new Promise<void>((resolve) => answers.push(resolve));
    });
    arrangement.change(wish('h'));
    arrangement.change(wish('ho'));
    expect(arrangement.wanted?.search).toBe('ho');
    await Promise.resolve();
    expect(sent).toEqual(['ho']);
    arrangement.change(wish('hon'));
    await Promise.resolve();
    expect(sent).toEqual(['ho', 'hon']);
    answers[0]?.();
    await new Promise(setImmediate);
    expect(arrangement.wanted?.search).toBe('hon');
    answers[1]?.();
    await new Promise(setImmediate);
    expect(arrangement.wanted).toBeUndefined();
  });
});
