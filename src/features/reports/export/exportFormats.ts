import type { WriteBytes } from './byteSink.ts';
import type { ExportProgress, ExportSource } from './exportSource.ts';
import { csvFormat, csvWithMark, jsonFormat, markdownFormat, tsvFormat } from '../../../editor/csv.ts';
import { writeParquet } from './writeParquet.ts';
import { writeText } from './writeText.ts';
import { writeWorkbook } from './writeWorkbook.ts';

/** A kind of file that rows can be saved as. */
export interface ExportFormat {
  id: 'csv' | 'csvWithMark' | 'tsv' | 'json' | 'markdown' | 'xlsx' | 'parquet';
  /** Its usual name. */
  name: string;
  extension: string;
  /** Writes all rows; stops with the signal's reason once it has fired. */
  write(source: ExportSource, write: WriteBytes, progress: ExportProgress): Promise<void>;
}

/** Every format, in the order offered. */
export const exportFormats: readonly ExportFormat[] = [
  { id: 'csv', name: 'CSV', extension: 'csv', write: (...to) => text(csvFormat, to) },
  { id: 'csvWithMark', name: 'CSV (UTF-8 with BOM)', extension: 'csv', write: (...to) => text(csvWithMark, to) },
  { id: 'xlsx', name: 'Excel', extension: 'xlsx', write: writeWorkbook },
  { id: 'json', name: 'JSON', extension: 'json', write: (...to) => text(jsonFormat, to) },
  { id: 'parquet', name: 'Parquet', extension: 'parquet', write: writeParquet },
  { id: 'tsv', name: 'TSV', extension: 'tsv', write: (...to) => text(tsvFormat, to) },
  { id: 'markdown', name: 'Markdown', extension: 'md', write: (...to) => text(markdownFormat, to) },
];

type Target = [source: ExportSource, write: WriteBytes, progress: ExportProgress];

function text(format: typeof csvFormat, [source, write, progress]: Target): Promise<void> {
  return writeText(source, format, write, progress);
}
