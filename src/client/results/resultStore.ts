import { idText } from '../../contract/idText.ts';
import { say } from '../../l10n/l10n.ts';
import type { ColumnData } from './columnData.ts';
import { blockRows } from './resultCell.ts';
import type { CellValue, MissingCell, WindowCell } from './resultCell.ts';
import { readColumns, unlistedColumn } from './resultColumn.ts';
import type { ResultColumn } from './resultColumn.ts';
import { RowTable } from './rowTable.ts';
import { ResultReadError } from './resultError.ts';
import type { ResultCaps } from './resultError.ts';

const missing: MissingCell = { kind: 'missing' };

/** A report result, or as much of it as has been read. API description, Report result. */
export class ResultStore {
  /**
   * Every member of the reply but `Data`, as parsed; a null or absent `Data` shows in `hasRows`. It has no prototype, and
   * fills as the reply is read: members that the server writes behind `Data` come last.
   */
  readonly envelope: Readonly<Record<string, unknown>>;
  /** The rows by column, for the scanner and for sorting, filtering and grouping. Others use `cell` and `window`. */
  readonly table: RowTable;
  private readonly reportIds: readonly string[];
  private readonly members: Record<string, unknown>;
  private readonly listeners = new Set<() => void>();
  private listed: ResultColumn[] = [];
  private shown: { readonly columns: ResultColumn[]; readonly data: ColumnData[] } = { columns: [], data: [] };
  private state: 'reading' | 'complete' | 'ended' = 'reading';
  private read = 0;
  private dataSeen = false;
  /** How often `Columns` was read: once, unless a server repeats it. */
  private listings = 0;
  /** `schemaVersion` that `shown` belongs to. */
  private shownVersion = -1;

  /** @param reportIds the reports that it may be the result of; none where that is not known. */
  constructor(caps: Pick<ResultCaps, 'maxColumns' | 'maxHeldBytes'>, reportIds: readonly string[] = []) {
    this.reportIds = reportIds;
    this.table = new RowTable(caps);
    this.members = Object.create(null) as Record<string, unknown>;
    this.envelope = this.members;
  }

  /** Columns in the order of `Columns`, then keys that only rows have. May change while reading; see `schemaVersion`. */
  get columns(): readonly ResultColumn[] {
    return this.arrange().columns;
  }

  /** Changes whenever `columns` may have. Column numbers taken under another version may mean other columns. */
  get schemaVersion(): number {
    return this.table.columns.length + this.listings;
  }

  /** Rows read so far. */
  get rowCount(): number {
    return this.table.rowCount;
  }

  /** Whether the whole reply was read, to its last byte. */
  get complete(): boolean {
    return this.state === 'complete';
  }

  /** Whether reading is over, in whichever way. */
  get hasEnded(): boolean {
    return this.state !== 'reading';
  }

  /** Whether the reply has a `Data` array, even an empty one. */
  get hasRows(): boolean {
    return this.dataSeen;
  }

  /** Bytes of the inflated reply read so far. */
  get bytes(): number {
    return this.read;
  }

  /** Bytes of memory that the rows take, nearly all of it outside the JavaScript heap. */
  get heldBytes(): number {
    return this.table.heldBytes;
  }

  /** Value of one cell; `undefined` where the row does not have the column's key, or there is no such row or column. */
  cell(row: number, column: number): CellValue {
    if (row < 0 || row >= this.table.rowCount) return undefined;
    const block = Math.floor(row / blockRows);
    return this.arrange().data[column]?.cell(block, row % blockRows, this.table.isSealed(block));
  }

  /**
   * Rows `start` to `end` (not included) as plain data for a page: one array per row, in the order of `columns`.
   * @param columns column numbers to take; all without it.
   */
  window(start: number, end: number, columns?: readonly number[]): WindowCell[][] {
    const first = Math.max(0, start);
    const count = Math.max(0, Math.min(end, this.rowCount) - first);
    return this.rows(
      Array.from({ length: count }, (_, i) => first + i),
      columns,
    );
  }

  /** The rows with the numbers in `rows`, as `window` gives them: for a part of a sorted or filtered view. */
  rows(rows: ArrayLike<number>, columns: readonly number[] = this.columns.map((_, column) => column)): WindowCell[][] {
    return Array.from(rows, (row) =>
      columns.map((column) => {
        const value = this.cell(row, column);
        return value === undefined ? missing : value;
      }),
    );
  }

  /**
   * Calls `listener` after rows, columns or members of the envelope were added, and when reading ends: often, so that the
   * caller throttles what it does.
   */
  onDidGrow(listener: () => void): { dispose(): void } {
    this.listeners.add(listener);
    return { dispose: () => void this.listeners.delete(listener) };
  }

  /** The data of a column by number, for sorting, filtering and grouping. */
  columnData(column: number): ColumnData {
    const data = this.arrange().data[column];
    if (data === undefined) throw new RangeError(`The result has no column ${column}.`);
    return data;
  }

  /**
   * For the scanner: a member of the reply other than `Data` was read. `offset` is its place in the reply.
   * @throws {ResultReadError} when it says that this is the result of another report.
   */
  addMember(name: string, value: unknown, offset: number): void {
    if (name === 'ReportID') this.throwIfOther(idText(value), offset);
    this.members[name] = value;
    if (name !== 'Columns') return;
    this.listed = readColumns(value);
    this.listings++;
    for (const { key } of this.listed) this.table.column(key, offset);
  }

  /** For the scanner: the `Data` array begins. */
  beginRows(): void {
    this.dataSeen = true;
  }

  /** For the scanner: `bytes` more of the reply are read; tells the listeners. */
  advance(bytes: number): void {
    this.read += bytes;
    this.announce();
  }

  /** For the scanner: nothing more comes. */
  end(isComplete: boolean): void {
    if (this.hasEnded) return;
    this.state = isComplete ? 'complete' : 'ended';
    this.table.finish();
    this.announce();
  }

  private throwIfOther(id: string, offset: number): void {
    if (id === '' || id === '0' || this.reportIds.length === 0 || this.reportIds.includes(id)) return;
    const asked = this.reportIds.join(', ');
    throw new ResultReadError('otherReport', offset, say('Report {0} was run, and the result of {1} came.', asked, id));
  }

  private announce(): void {
    for (const listener of [...this.listeners]) listener();
  }

  private arrange(): { readonly columns: ResultColumn[]; readonly data: ColumnData[] } {
    if (this.shownVersion === this.schemaVersion) return this.shown;
    const known = this.table.columns;
    const byKey = new Map(known.map((column) => [column.key, column]));
    const listedKeys = new Set(this.listed.map(({ key }) => key));
    const columns = this.listed.filter(({ key }) => byKey.has(key));
    columns.push(...known.filter(({ key }) => !listedKeys.has(key)).map(({ key }) => unlistedColumn(key)));
    this.shown = { columns, data: columns.flatMap(({ key }) => byKey.get(key) ?? []) };
    this.shownVersion = this.schemaVersion;
    return this.shown;
  }
}
