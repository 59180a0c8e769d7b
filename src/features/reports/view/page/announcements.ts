import * as l10n from '../../../../l10n/l10n.ts';
import type { GridShape } from '../../../../contract/pages/resultsPage.ts';
import { shownSort } from '../../../../webview/grid/columns/columnSort.ts';
import { emptyStateText, foundText, isRunning, keptText, rowsText, selectionText } from './describe.ts';
import type { PageView } from './pageView.ts';

/** What screen readers announce of a change of the page: its run, its rows, and what a search or a selection found. */
export function announcements(before: PageView | undefined, after: PageView): string[] {
  const run = runAnnouncement(before, after);
  const texts = [
    run,
    run === '' ? rowsAnnouncement(before, after) : '',
    run === '' ? sortAnnouncement(before, after) : '',
    filterAnnouncement(before, after),
    findAnnouncement(before, after),
    after.figures !== before?.figures ? selectionText(after.selectedCells, after.figures) : '',
  ];
  return texts.filter((text) => text !== '');
}

/** Start and end of a run, with the report's title; counts of rows under way are not announced. */
function runAnnouncement(before: PageView | undefined, { state, grid }: PageView): string {
  const { phase, title } = state;
  const isOther = before?.state.reportId !== state.reportId || before.state.trail.length !== state.trail.length;
  if (!isOther && before.state.phase.kind === phase.kind) return '';
  switch (phase.kind) {
    // The focus goes to the form, whose controls are read.
    case 'asking':
      return '';
    case 'preparing':
    case 'waiting':
    case 'streaming':
      return !isOther && isRunning(before.state.phase) ? '' : sentence(title, l10n.t('Loading report…'));
    case 'done': {
      const { rows } = phase.progress;
      if (rows === 0) return sentence(title, l10n.t('No Rows'), emptyStateText(state));
      // The grid may still be that of the run before.
      return sentence(title, rowsText({ rows, totalRows: rows, isDerived: false }), phase.notice);
    }
    case 'cancelled':
      return phase.progress.rows === 0 && grid === null
        ? sentence(title, l10n.t('Cancelled'), l10n.t('The run was stopped before any rows arrived.'))
        : sentence(title, keptText(phase));
    case 'failed': {
      const { failure } = phase;
      return [failure.title, failure.cause, failure.remedy, grid === null ? '' : keptText(phase)].join(' ').trim();
    }
    case 'restored':
      return sentence(title, l10n.t('The window was reloaded. The report and its prompt values were kept.'));
  }
}

/** The number of rows after filters have changed. */
function rowsAnnouncement(before: PageView | undefined, { state, grid }: PageView): string {
  const previous = before?.grid;
  if (grid === null || previous == null || isRunning(state.phase) || before?.state.phase.kind !== state.phase.kind)
    return '';
  const filtered = ({ arrangement }: typeof grid) => JSON.stringify([arrangement.filters, arrangement.search]);
  return filtered(grid) === filtered(previous) ? '' : rowsText(grid);
}

/** The new sort order: the marks of the titles are for eyes only. */
function sortAnnouncement(before: PageView | undefined, { grid }: PageView): string {
  const previous = before?.grid;
  if (grid === null || previous == null) return '';
  const keys = sortText(grid);
  if (keys === sortText(previous)) return '';
  return keys === '' ? l10n.t('Not sorted') : l10n.t('Sorted by {0}', keys);
}

function sortText({ columns, arrangement }: GridShape): string {
  const keys = shownSort(columns, arrangement).map(({ column, isDescending }) => {
    const title = columns[column]?.title ?? '';
    return isDescending ? l10n.t('{0} descending', title) : l10n.t('{0} ascending', title);
  });
  return keys.join(', ');
}

function filterAnnouncement(before: PageView | undefined, after: PageView): string {
  const { filterProblems, grid } = after;
  if (filterProblems === before?.filterProblems) return '';
  return filterProblemTexts(filterProblems, grid)
    .map(({ text }) => text)
    .join(' ');
}

/** Problems of the filters as sentences, by column of the result. */
export function filterProblemTexts(
  problems: PageView['filterProblems'],
  grid: PageView['grid'],
): { column: number; text: string }[] {
  return Object.entries(problems).map(([key, problem]) => {
    const column = Number(key);
    const title = grid?.columns.find(({ ofResult }) => ofResult === column)?.title ?? '';
    return { column, text: sentence(l10n.t('Filter of {0}', title), problem) };
  });
}

function findAnnouncement(before: PageView | undefined, { find }: PageView): string {
  if (find?.rows === undefined || find.text === '' || find.rows === before?.find?.rows) return '';
  return foundText(find.rows);
}

function sentence(title: string, ...parts: string[]): string {
  return l10n.t('{0}: {1}', title, parts.filter((part) => part !== '').join('. '));
}
