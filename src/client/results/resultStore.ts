import { idText } from '../../contract/idText.ts';
import * as l10n from '../../l10n/l10n.ts';
import type { ColumnData } from './columnData.ts';
import { blockRows } from './resultCell.ts';
import type { CellValue, MissingCell, WindowCell } from './resultCell.ts';
import { readColumns, unlistedColumn } from './resultColumn.ts';
import type { ResultColumn } from './resultColumn.ts';
import { RowTable } from './rowTable.ts';
import { ResultReadError } from './resultError.ts';
import type { ResultCaps } from './resultError.ts';

const missing: MissingCell = { kind: 'missing' };

/** A report result, or the part read so far. API description, Report result. */
export class ResultStore {
  /**
   * All members of the reply except `Data`, parsed; `hasRows` shows a null or missing `Data`. Has no prototype, and
   * fills as the reply is read: members that the server writes after `Data` come last.
   */
  readonly envelope: Readonly<Record<string, unknown>>;
  /** The rows by column, for the scanner, sorting, filtering and grouping. Other code uses `cell` and `window`. */
  readonly table: RowTable;
  private readonly reportIds: readonly string[];
  private readonly members: Record<string, unknown>;
  private readonly listeners = new Set<() => void>();
  private listed: ResultColumn[] = [];
  private shown: { readonly columns: ResultColumn[]; readonly data: ColumnData[] } = { columns: [], data: [] };
  private state: 'reading' | 'complete' | 'ended' = 'reading';
  private read = 0;
  private dataSeen = false;
  /** How often `Columns` was read: once, unless the server repeats it. */
  private listings = 0;
  /** The `schemaVersion` of `shown`. */
  private shownVersion = -1;

  /** @param reportIds the reports that the result may belong to; empty if unknown. */
  constructor(caps: Pick<ResultCaps, 'maxColumns' | 'maxHeldBytes'>, reportIds: readonly string[] = []) {
    this.reportIds = reportIds;
    this.table = new RowTable(caps);
    this.members = Object.create(null) as Record<string, unknown>;
    this.envelope = this.members;
  }

  /**
   * Columns in the order of `Columns`, then keys that only rows have. May change while reading; see `schemaVersion`.
   */
  get columns(): readonly ResultColumn[] {
    return this.arrange().columns;
  }

  /** Changes whenever `columns` may have changed. Column numbers from another version may refer to other columns. */
  get schemaVersion(): number {
    return this.table.columns.length + this.listings;
  }

  /** Number of rows read so far. */
  get rowCount(): number {
    return this.table.rowCount;
  }

  /** Whether the reply was read to its last byte. */
  get complete(): boolean {
    return this.state === 'complete';
  }

  /** Whether reading has ended, for any reason. */
  get hasEnded(): boolean {
    return this.state !== 'reading';
  }

  /** Whether the reply has a `Data` array, even an empty one. */
  get hasRows(): boolean {
    return this.dataSeen;
  }

  /** Number of bytes of the inflated reply read so far. */
  get bytes(): number {
    return this.read;
  }

  /** Memory used by the rows in bytes, nearly all of it outside the JavaScript heap. */
  get heldBytes(): number {
    return this.table.heldBytes;
  }

  /** Value of one cell; `undefined` if the row does not have the column's key, or the row or column does not exist. */
  cell(row: number, column: number): CellValue {
    if (row < 0 || row >= this.table.rowCount) return undefined;
    const block = Math.floor(row / blockRows);
    return this.arrange().data[column]?.cell(block, row % blockRows, this.table.isSealed(block));
  }

  /**
   * Rows `start` to `end` (exclusive) as plain data for a page: one array per row, in the order of `columns`.
   * @param columns column numbers to include; default: all.
   */
  window(start: number, end: number, columns?: readonly number[]): WindowCell[][] {
    const first = Math.max(0, start);
    const count = Math.max(0, Math.min(end, this.rowCount) - first);
    return this.rows(
      Array.from({ length: count }, (_, i) => first + i),
      columns,
    );
  }

  /** The rows with the given numbers, in the format of `window`: for part of a sorted or filtered view. */
  rows(rows: ArrayLike<number>, columns: readonly number[] = this.columns.map((_, column) => column)): WindowCell[][] {
    return Array.from(rows, (row) =>
      columns.map((column) => {
        const value = this.cell(row, column);
        return value === undefined ? missing : value;
      }),
    );
  }

  /**
   * Calls `listener` after rows, columns or envelope members were added, and when reading ends: often, so callers must
   * throttle their work.
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
   * For the scanner: adds a member of the reply other than `Data`. `offset` is its position in the reply.
   * @throws {ResultReadError} if it shows that the result belongs to another report.
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

  /** For the scanner: `bytes` more of the reply were read; notifies the listeners. */
  advance(bytes: number): void {
    this.read += bytes;
    this.announce();
  }

  /** For the scanner: reading has ended. */
  end(isComplete: boolean): void {
    if (this.hasEnded) return;
    this.state = isComplete ? 'complete' : 'ended';
    this.table.finish();
    this.announce();
  }

  private throwIfOther(id: string, offset: number): void {
    if (id === '' || id === '0' || this.reportIds.length === 0 || this.reportIds.includes(id)) return;
    const asked = this.reportIds.join(', ');
    throw new ResultReadError(
      'otherReport',
      offset,
      l10n.t('Report {0} ran, but the reply contains the result of report {1}.', asked, id),
    );
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
