import type { ResultStore } from '../../../client/results/resultStore.ts';

/** The rows to export: those that a view shows, in its order. */
export interface ExportSource {
  store: ResultStore;
  /** Column numbers in the order wanted. */
  columns: readonly number[];
  /** Row numbers in the order wanted; all rows as they came without it. */
  rows: Uint32Array | undefined;
  /** Names the sheet of a workbook. */
  title: string;
}

/** What an export is stopped and watched by. */
export interface ExportProgress {
  signal?: AbortSignal;
  /** Told how many rows have been taken so far. */
  onProgress?: (rows: number) => void;
  /** Told of each text whose end the format has no room for. */
  onCut?: () => void;
}
