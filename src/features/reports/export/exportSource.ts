import type { CellValue } from '../../../client/results/resultCell.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import { datTexts } from '../../../contract/zones/zonedTimes.ts';
import type { Zones } from '../../../contract/zones/zoneNames.ts';

/** The rows to export: those of a view, in its order. */
export interface ExportSource {
  store: ResultStore;
  /** Column numbers in export order. */
  columns: readonly number[];
  /** Row numbers in export order; undefined exports all rows in order of arrival. */
  rows: Uint32Array | undefined;
  /** Name of the worksheet. */
  title: string;
  /** Zones of the `dat` columns, which are written as ISO 8601 with the offset; undefined writes them as stored. */
  zones?: Zones;
}

/** How the texts of a column are written; undefined for as stored. */
export type TextOfCell = ((text: string) => string) | undefined;

/** How the texts of each exported column are written. */
export function columnTexts({ store, columns, zones }: ExportSource): TextOfCell[] {
  return columns.map((column) =>
    zones !== undefined && store.columns[column]?.fieldType === 'dat' ? (text) => datTexts.iso(text, zones) : undefined,
  );
}

/** The value of a cell as it is written. */
export function writtenText(value: CellValue, text: TextOfCell): CellValue {
  return typeof value === 'string' && text !== undefined ? text(value) : value;
}

/** Cancellation and progress of an export. */
export interface ExportProgress {
  signal?: AbortSignal;
  /** Called with the number of rows read so far. */
  onProgress?: (rows: number) => void;
  /** Called for each text truncated because of a limit of the format. */
  onCut?: () => void;
}
