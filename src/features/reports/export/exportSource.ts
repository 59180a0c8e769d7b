import type { ResultStore } from '../../../client/results/resultStore.ts';

/** The rows to export: those of a view, in its order. */
export interface ExportSource {
  store: ResultStore;
  /** Column numbers in export order. */
  columns: readonly number[];
  /** Row numbers in export order; undefined exports all rows in order of arrival. */
  rows: Uint32Array | undefined;
  /** Name of the worksheet. */
  title: string;
}

/** Cancellation and progress of an export. */
export interface ExportProgress {
  signal?: AbortSignal;
  /** Called with the number of rows read so far. */
  onProgress?: (rows: number) => void;
  /** Called for each text truncated because of a limit of the format. */
  onCut?: () => void;
}
