import type { NumberFigure, SelectionFigures } from '../../../../contract/pages/resultCells.ts';
import type { GridShape, Progress, ResultsState, RunPhase } from '../../../../contract/pages/resultsPage.ts';
import { fill } from '../../../../contract/pages/resultsStrings.ts';
import type { ResultsStrings } from '../../../../contract/pages/resultsStrings.ts';

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
export function rowsText(
  strings: ResultsStrings,
  grid: Pick<GridShape, 'rows' | 'totalRows' | 'isDerived' | 'filteredRows'>,
): string {
  const number = new Intl.NumberFormat(strings.locale);
  const total = number.format(grid.totalRows);
  const rows = grid.isDerived ? (grid.filteredRows ?? grid.totalRows) : grid.rows;
  if (rows !== grid.totalRows) return fill(strings.rowsOfTotal, number.format(rows), total);
  return grid.totalRows === 1 ? strings.oneRow : fill(strings.rows, total);
}

/** Why there are no rows. Only mentions prompt values if they filter; skipped prompts do not. */
export function emptyStateText(strings: ResultsStrings, { chips }: Pick<ResultsState, 'chips'>): string {
  const isFiltered = chips.some(({ label }) => label !== '');
  return isFiltered ? strings.emptyWithPrompts : strings.emptyWithoutPrompts;
}

/** Describes the rows shown after a failed or cancelled run: its own rows so far, or those of the previous run. */
export function keptText(strings: ResultsStrings, phase: RunPhase): string {
  if ((progressOf(phase)?.rows ?? 0) === 0) return strings.earlierNotice;
  return phase.kind === 'cancelled' ? strings.cancelledNotice : strings.partialNotice;
}

/** Left part of the footer: rows and state of the run. */
export function runText(strings: ResultsStrings, state: ResultsState, grid: GridShape | null): string {
  const { phase } = state;
  const parts: string[] = [];
  if (grid !== null) parts.push(rowsText(strings, grid));
  const progress = progressOf(phase);
  if (phase.kind === 'streaming') parts.push(`${strings.streaming} ${size(strings, phase.progress.bytes)}`);
  if (phase.kind === 'cancelled') parts.push(strings.cancelled);
  if (phase.kind === 'failed') parts.push(strings.failed);
  if (phase.kind === 'preparing') parts.push(strings.preparing);
  if (phase.kind === 'waiting') parts.push(strings.waiting);
  if (phase.kind === 'done' && phase.isLimited) parts.push(strings.limited);
  if (phase.kind === 'done' && phase.progress.bytes > 0) parts.push(size(strings, phase.progress.bytes));
  if (progress !== undefined && progress.elapsedMs > 0 && grid !== null)
    parts.push(seconds(strings, progress.elapsedMs));
  return parts.join(separator);
}

/** Right part of the footer: the server's timings, and whether it answered from its cache. */
export function serverText(strings: ResultsStrings, phase: RunPhase): string {
  if (phase.kind !== 'done') return '';
  const parts: string[] = [];
  if (phase.serverMs !== undefined) parts.push(fill(strings.serverTime, milliseconds(strings, phase.serverMs)));
  if (phase.databaseMs !== undefined) parts.push(fill(strings.databaseTime, milliseconds(strings, phase.databaseMs)));
  if (phase.isCached) parts.push(strings.cached);
  return parts.join(separator);
}

/** Middle part of the footer: number of selected cells, if more than one, and their figures once known. */
export function selectionText(
  strings: ResultsStrings,
  cells: number,
  figures: SelectionFigures | undefined = undefined,
): string {
  if (cells <= 1) return '';
  const number = new Intl.NumberFormat(strings.locale);
  const parts = [fill(strings.cellsSelected, number.format(cells))];
  if (figures === undefined) return parts[0] ?? '';
  const { distinct, isCapped, nulls, sum, average, min, max } = figures;
  parts.push(fill(strings.distinctValues, `${isCapped ? '≥ ' : ''}${number.format(distinct)}`));
  parts.push(fill(strings.nullValues, number.format(nulls)));
  if (sum !== undefined) parts.push(fill(strings.sumOf, figureText(strings, sum)));
  if (average !== undefined) parts.push(fill(strings.averageOf, figureText(strings, average)));
  if (min !== undefined) parts.push(fill(strings.leastOf, numberText(strings, min)));
  if (max !== undefined) parts.push(fill(strings.greatestOf, numberText(strings, max)));
  return parts.join(separator);
}

/** A calculated number: all digits if exact, else the reliable ones with a sign that it is approximate. */
function figureText(strings: ResultsStrings, { text, isExact }: NumberFigure): string {
  if (isExact) return numberText(strings, text);
  const value = Number(text);
  const isLong = Math.abs(value) >= 1;
  return `≈ ${numberText(strings, text, isLong ? { maximumFractionDigits: 6 } : { maximumSignificantDigits: 6 })}`;
}

/** A decimal number in the user's language with all digits, or in scientific notation if it is very small. */
function numberText(strings: ResultsStrings, text: string, digits?: Intl.NumberFormatOptions): string {
  if (!isDecimal(text)) return text;
  const size = Math.abs(Number(text));
  const notation = size !== 0 && size < 1e-15 ? 'scientific' : 'standard';
  const options = { notation, maximumFractionDigits: 20, signDisplay: 'negative', ...digits } as const;
  return new Intl.NumberFormat(strings.locale, options).format(text);
}

function isDecimal(text: string): text is `${number}` {
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
}

function size(strings: ResultsStrings, bytes: number): string {
  const isLarge = bytes >= 1_000_000;
  const value = isLarge ? bytes / 1_000_000 : bytes / 1_000;
  const digits = value < 10 ? 1 : 0;
  const number = new Intl.NumberFormat(strings.locale, { maximumFractionDigits: digits }).format(value);
  return fill(isLarge ? strings.megabytes : strings.kilobytes, number);
}

/** Seconds with one decimal; milliseconds below one second. */
function seconds(strings: ResultsStrings, ms: number): string {
  if (ms < 1_000) return milliseconds(strings, ms);
  const number = new Intl.NumberFormat(strings.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return fill(strings.seconds, number.format(ms / 1_000));
}

function milliseconds(strings: ResultsStrings, ms: number): string {
  return `${new Intl.NumberFormat(strings.locale, { maximumFractionDigits: 0 }).format(ms)} ms`;
}
