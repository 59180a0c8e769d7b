import { ByteWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer';
import { CellReader } from '../../../client/results/cellReader.ts';
import type { CellRun } from '../../../client/results/cellReader.ts';
import { Pacer } from '../../../client/results/pacer.ts';
import { blockRows, cellTag } from '../../../client/results/resultCell.ts';
import type { CellValue } from '../../../client/results/resultCell.ts';
import { exactNumberIn, isNumberColumn } from '../../../client/results/textNumbers.ts';
import type { WriteBytes } from './byteSink.ts';
import { columnTexts, writtenText, type ExportProgress, type ExportSource, type TextOfCell } from './exportSource.ts';

/** Column type: numbers and booleans only if all cells are of that type. */
type ParquetType = 'BOOLEAN' | 'INT32' | 'DOUBLE' | 'STRING';
type ParquetCell = string | number | boolean | null;

/** Blocks of rows per row group. Encoding a row group blocks everything else. */
const blocksPerGroup = 2;

/** Writes rows as Parquet with Snappy compression, one row group at a time. Column names are the column keys. */
export async function writeParquet(
  source: ExportSource,
  write: WriteBytes,
  { signal, onProgress }: ExportProgress,
): Promise<void> {
  const reader = new CellReader(source.store, source.columns, source.rows);
  const pacer = new Pacer(signal);
  const areNumbers = source.columns.map((column) => isNumberColumn(source.store.columns[column]));
  const types = await columnTypes(reader, areNumbers, pacer);
  const names = source.columns.map((column) => source.store.columns[column]?.key ?? '');
  const bytes = new ByteWriter(1024 * 1024);
  const columnData = names.map((name, index) => ({ name, type: types[index] ?? 'STRING', nullable: true, data: [] }));
  const writer = new ParquetWriter({
    writer: bytes,
    schema: schemaFromColumnData({ columnData }),
    createdBy: 'Analytics Studio',
  });
  const flush = async () => {
    if (bytes.index > 0) await write(new Uint8Array(bytes.buffer.slice(0, bytes.index)));
    bytes.index = 0;
  };
  const groupRows = blocksPerGroup * blockRows;
  const texts = columnTexts(source);
  for (let start = 0; start < reader.rowCount; start += groupRows) {
    const cells: ParquetCell[][] = names.map(() => []);
    for (let at = start; at < Math.min(start + groupRows, reader.rowCount); at += blockRows) {
      const count = reader.read(at);
      for (const [column, run] of reader.runs.entries()) {
        take(run, count, { type: types[column] ?? 'STRING', text: texts[column] }, cells[column]!);
      }
    }
    await pacer.pause();
    const group = names.map((name, index) => ({ name, data: cells[index]! }));
    await writer.write({ columnData: group, rowGroupSize: groupRows });
    await flush();
    onProgress?.(Math.min(start + groupRows, reader.rowCount));
  }
  await writer.finish();
  await flush();
}

/**
 * Scans every cell once. A single text among numbers makes a text column, unless the text is numeric and the column is
 * numeric.
 */
async function columnTypes(reader: CellReader, areNumbers: readonly boolean[], pacer: Pacer): Promise<ParquetType[]> {
  const found = reader.runs.map(() => ({ hasBoolean: false, hasNumber: false, hasText: false, isInt32: true }));
  for (let start = 0; start < reader.rowCount; start += blockRows) {
    const count = reader.read(start);
    for (const [column, { data, tags, slots }] of reader.runs.entries()) {
      const seen = found[column]!;
      const isNumeric = areNumbers[column] === true;
      for (let row = 0; row < count; row++) {
        const tag = tags[row]!;
        if (tag <= cellTag.null) continue;
        if (tag === cellTag.true || tag === cellTag.false) seen.hasBoolean = true;
        else {
          const isInText = isNumeric && tag !== cellTag.number && !seen.hasText;
          const number =
            tag === cellTag.number ? slots[row]! : isInText ? plainOf(data.valueOf(tag, slots[row]!)) : null;
          if (typeof number !== 'number') seen.hasText = true;
          else {
            seen.hasNumber = true;
            if ((number | 0) !== number || Object.is(number, -0)) seen.isInt32 = false;
          }
        }
      }
    }
    if (pacer.isDue) await pacer.pause();
  }
  return found.map(({ hasBoolean, hasNumber, hasText, isInt32 }) => {
    if (hasText || hasBoolean === hasNumber) return 'STRING';
    return hasBoolean ? 'BOOLEAN' : isInt32 ? 'INT32' : 'DOUBLE';
  });
}

function take(
  { data, tags, slots }: CellRun,
  count: number,
  { type, text }: { type: ParquetType; text: TextOfCell },
  into: ParquetCell[],
): void {
  for (let row = 0; row < count; row++) {
    const value = data.valueOf(tags[row]!, slots[row]!);
    into.push(type === 'STRING' ? textOf(writtenText(value, text)) : plainOf(value));
  }
}

function textOf(value: CellValue): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? value.text : String(value).toWellFormed();
}

function plainOf(value: CellValue): number | boolean | null {
  if (typeof value === 'string') return exactNumberIn(value) ?? null;
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
