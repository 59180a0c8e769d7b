import type { CellValue } from '../../../client/results/resultCell.ts';
import type { CellDetail, RowCells } from '../../../contract/pages/resultCells.ts';
import type { ResultView, DisplayedColumn } from './resultView.ts';
import type { CellKind, GridColumn } from '../../../contract/pages/resultsPage.ts';
import { columnNames, type GridSource } from './gridSource.ts';

/** Full contents of a cell: as displayed, and as stored if that differs. */
export function cellDetail(
  view: ResultView,
  row: number,
  column: number,
  typeName: (column: DisplayedColumn['source']) => string,
): CellDetail {
  const own = view.columns[column];
  const shown = view.cells(row, 1, [column])[0]?.[0] ?? null;
  if (own === undefined) return { title: '', typeName: '', shown, stored: null };
  const stored = storedText(view.store.cell(view.storeRow(row), column));
  return {
    title: own.source.header,
    typeName: typeName(own.source),
    shown,
    stored: stored === shown ? null : stored,
  };
}

/** The values of a stored row, by column key. */
export function storedRow(view: ResultView, stored: number): Record<string, unknown> {
  const cells = view.columns.map(({ source }, column) => {
    const value = view.store.cell(stored, column);
    return [source.key, typeof value === 'object' && value !== null ? value.text : (value ?? null)] as const;
  });
  return Object.fromEntries(cells);
}

/** A value as stored. JSON is formatted for reading. */
function storedText(value: CellValue): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value !== 'object') return String(value);
  return value.kind === 'json' ? formatJson(value.text) : value.text;
}

/** Number of rows sampled to choose the column widths. */
export const sampledRows = 50;

/**
 * Columns of a grid derived from a result.
 * @param leadsOn whether a column's cells open another report.
 */
export function sourceColumns(
  source: GridSource,
  typeName: (column: DisplayedColumn['source']) => string,
  leadsOn: (key: string | undefined, kind: CellKind) => boolean,
): GridColumn[] {
  const sample = source.cells(0, sampledRows);
  const names = columnNames(source.columns);
  return source.columns.map(({ title, kind, key, ofResult = null, typed }, column) => ({
    key: names[column] ?? title,
    title,
    kind,
    ofResult,
    leadsOn: leadsOn(key, kind),
    typeName: typed === undefined ? '' : typeName(typed),
    width: widthOf(title, sample, column),
  }));
}

/** Suitable width of a column, based on some of its cells. */
export function widthOf(title: string, sample: RowCells, column: number): number {
  return columnWidth(
    title,
    sample.map((cells) => cells[column] ?? null),
  );
}

const narrowest = 64;
const widest = 360;
/** Widths of an average character and of the padding around text, in pixels, at VS Code's default font size. */
const titleCharacter = 7.6;
const cellCharacter = 7.1;
const titleSpace = 38;
const cellSpace = 24;

/** Suitable width in pixels for a column with this title and these texts. The first texts are sufficient. */
export function columnWidth(title: string, texts: Iterable<string | null>): number {
  let longest = 0;
  for (const text of texts) longest = Math.max(longest, (text ?? '').length);
  const needed = Math.max(title.length * titleCharacter + titleSpace, longest * cellCharacter + cellSpace);
  return Math.round(Math.min(Math.max(narrowest, needed), widest));
}

/** A string, a punctuation character, or a run of other non-blank characters: a number or a word. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const opening = new Set(['{', '[']);
const closing = new Set(['}', ']']);

/** Formats JSON on several lines. Keeps keys, numbers and texts as written: parsing would change an id of 19 digits. */
function formatJson(json: string): string {
  const parts: string[] = [];
  let depth = 0;
  let last = '';
  const newLine = () => parts.push(`\n${'  '.repeat(depth)}`);
  for (const [token] of json.matchAll(tokens)) {
    if (closing.has(token)) {
      depth--;
      if (!opening.has(last)) newLine();
    } else if (opening.has(last) || last === ',') newLine();
    parts.push(token === ':' ? ': ' : token);
    if (opening.has(token)) depth++;
    last = token;
  }
  return parts.join('');
}
