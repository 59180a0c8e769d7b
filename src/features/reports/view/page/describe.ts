import type { NumberFigure, SelectionFigures } from '../../../../contract/pages/resultCells.ts';
import type { GridShape, Progress, ResultsState, RunPhase } from '../../../../contract/pages/resultsPage.ts';
import * as l10n from '../../../../l10n/l10n.ts';

const separator = ' · ';

/** Progress of a phase, if it has any. */
function progressOf(phase: RunPhase): Progress | undefined {
  return 'progress' in phase ? phase.progress : undefined;
}

/** Whether the server is still working, so that the run can be cancelled. */
export function isRunning(phase: RunPhase): boolean {
  return phase.kind === 'preparing' || phase.kind === 'waiting' || phase.kind === 'streaming';
}

/** Whether a chart is shown instead of the grid. */
export function isChartShown({ state }: { state: Pick<ResultsState, 'output' | 'isTable'> }): boolean {
  const { output, isTable } = state;
  return output !== null && !isTable && output !== 'groups' && output !== 'pivot' && output !== 'pivot2';
}

/** Number of displayed rows, with the total if a filter hides some. */
export function rowsText(grid: Pick<GridShape, 'rows' | 'totalRows' | 'isDerived' | 'filteredRows'>): string {
  const number = new Intl.NumberFormat(l10n.language());
  const total = number.format(grid.totalRows);
  const rows = grid.isDerived ? (grid.filteredRows ?? grid.totalRows) : grid.rows;
  if (rows !== grid.totalRows) return l10n.t('{0} of {1} rows', number.format(rows), total);
  return grid.totalRows === 1 ? l10n.t('1 row') : l10n.t('{0} rows', total);
}

/** Why there are no rows. Only mentions prompt values if they filter; skipped prompts do not. */
export function emptyStateText({ chips }: Pick<ResultsState, 'chips'>): string {
  const isFiltered = chips.some(({ label }) => label !== '');
  return isFiltered
    ? l10n.t('The report ran, but no row matches these prompt values. Try other values.')
    : l10n.t("The report ran and returned no rows. Its criteria or this user's row-level security hide all rows.");
}

/** Describes the rows shown after a failed or cancelled run: its own rows so far, or those of the previous run. */
export function keptText(phase: RunPhase): string {
  if ((progressOf(phase)?.rows ?? 0) === 0) return l10n.t('The rows shown are from the previous run.');
  return phase.kind === 'cancelled'
    ? l10n.t('Cancelled. Rows received so far are kept; the result may be incomplete.')
    : l10n.t('The rows received so far are kept; there may be more.');
}

/** Left part of the footer: rows and state of the run. */
export function runText(state: ResultsState, grid: GridShape | null): string {
  const { phase } = state;
  const parts: string[] = [];
  if (grid !== null) parts.push(rowsText(grid));
  const progress = progressOf(phase);
  if (phase.kind === 'streaming') parts.push(`${l10n.t('streaming')} ${size(phase.progress.bytes)}`);
  if (phase.kind === 'cancelled') parts.push(l10n.t('cancelled'));
  if (phase.kind === 'failed') parts.push(l10n.t('failed'));
  if (phase.kind === 'preparing') parts.push(l10n.t('Loading report…'));
  if (phase.kind === 'waiting') parts.push(l10n.t('Waiting for the first rows…'));
  if (phase.kind === 'done' && phase.isLimited) parts.push(l10n.t('row limit of the report'));
  if (phase.kind === 'done' && phase.progress.bytes > 0) parts.push(size(phase.progress.bytes));
  if (progress !== undefined && progress.elapsedMs > 0 && grid !== null) parts.push(seconds(progress.elapsedMs));
  return parts.join(separator);
}

/** Right part of the footer: the server's timings, and whether it answered from its cache. */
export function serverText(phase: RunPhase): string {
  if (phase.kind !== 'done') return '';
  const parts: string[] = [];
  if (phase.serverMs !== undefined) parts.push(l10n.t('server {0}', milliseconds(phase.serverMs)));
  if (phase.databaseMs !== undefined) parts.push(l10n.t('database {0}', milliseconds(phase.databaseMs)));
  if (phase.isCached) parts.push(l10n.t('cached'));
  return parts.join(separator);
}

/** Middle part of the footer: number of selected cells, if more than one, and their figures once known. */
export function selectionText(cells: number, figures?: SelectionFigures): string {
  if (cells <= 1) return '';
  const number = new Intl.NumberFormat(l10n.language());
  const parts = [l10n.t('{0} cells selected', number.format(cells))];
  if (figures === undefined) return parts[0] ?? '';
  const { distinct, isCapped, nulls, sum, average, min, max } = figures;
  parts.push(l10n.t('{0} distinct', `${isCapped ? '≥ ' : ''}${number.format(distinct)}`));
  parts.push(l10n.t('{0} null', number.format(nulls)));
  if (sum !== undefined) parts.push(l10n.t('sum {0}', figureText(sum)));
  if (average !== undefined) parts.push(l10n.t('avg {0}', figureText(average)));
  if (min !== undefined) parts.push(l10n.t('min {0}', numberText(min)));
  if (max !== undefined) parts.push(l10n.t('max {0}', numberText(max)));
  return parts.join(separator);
}

/** How many rows a search found. */
export function foundText(rows: number): string {
  if (rows === 0) return l10n.t('Not found');
  return rows === 1 ? l10n.t('in 1 row') : l10n.t('in {0} rows', rows.toLocaleString(l10n.language()));
}

/** A calculated number: all digits if exact, else the reliable ones with a sign that it is approximate. */
function figureText({ text, isExact }: NumberFigure): string {
  if (isExact) return numberText(text);
  const value = Number(text);
  const isLong = Math.abs(value) >= 1;
  return `≈ ${numberText(text, isLong ? { maximumFractionDigits: 6 } : { maximumSignificantDigits: 6 })}`;
}

/** A decimal number in the user's language with all digits, or in scientific notation if it is very small. */
function numberText(text: string, digits?: Intl.NumberFormatOptions): string {
  if (!isDecimal(text)) return text;
  const size = Math.abs(Number(text));
  const notation = size !== 0 && size < 1e-15 ? 'scientific' : 'standard';
  const options = { notation, maximumFractionDigits: 20, signDisplay: 'negative', ...digits } as const;
  return new Intl.NumberFormat(l10n.language(), options).format(text);
}

function isDecimal(text: string): text is `${number}` {
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
}

function size(bytes: number): string {
  const isLarge = bytes >= 1_000_000;
  const value = isLarge ? bytes / 1_000_000 : bytes / 1_000;
  const digits = value < 10 ? 1 : 0;
  const number = new Intl.NumberFormat(l10n.language(), { maximumFractionDigits: digits }).format(value);
  return l10n.t(isLarge ? '{0} MB' : '{0} KB', number);
}

/** Seconds with one decimal; milliseconds below one second. */
function seconds(ms: number): string {
  if (ms < 1_000) return milliseconds(ms);
  const number = new Intl.NumberFormat(l10n.language(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return l10n.t('{0} s', number.format(ms / 1_000));
}

function milliseconds(ms: number): string {
  return `${new Intl.NumberFormat(l10n.language(), { maximumFractionDigits: 0 }).format(ms)} ms`;
}
