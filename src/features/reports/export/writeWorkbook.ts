import { writeXlsxStream } from 'hucre/xlsx';
import { CellReader } from '../../../client/results/cellReader.ts';
import { Pacer } from '../../../client/results/pacer.ts';
import { blockRows } from '../../../client/results/resultCell.ts';
import type { CellValue } from '../../../client/results/resultCell.ts';
import { exactNumberIn, isNumberColumn } from '../../../client/results/textNumbers.ts';
import type { WriteBytes } from './byteSink.ts';
import { columnTexts, writtenText, type ExportProgress, type ExportSource } from './exportSource.ts';

/** Maximum number of characters in a workbook cell. */
const longestCell = 32_767;
const rowsPerLook = 256;

/** Value of a workbook cell: numbers as numbers, everything else as text, never as a formula. */
type WorkbookCell = string | number | boolean | null;

/**
 * Writes rows as a workbook (XLSX) while reading them. After 1,048,576 rows, continues on further sheets with repeated
 * titles.
 */
export async function writeWorkbook(source: ExportSource, write: WriteBytes, progress: ExportProgress): Promise<void> {
  const columns = source.columns.map((column) => ({
    header: workbookText(source.store.columns[column]?.header ?? ''),
  }));
  const options = {
    name: sheetName(source.title),
    columns,
    freezePane: { rows: 1 },
    maxRowsPerSheet: 1_048_576,
    repeatHeaders: true,
    zip64: true,
  };
  const stream = writeXlsxStream(rowsOf(source, progress), options);
  for await (const bytes of stream) await write(bytes);
}

async function* rowsOf(
  source: ExportSource,
  { signal, onProgress, onCut }: ExportProgress,
): AsyncGenerator<WorkbookCell[]> {
  const reader = new CellReader(source.store, source.columns, source.rows);
  const areNumbers = source.columns.map((column) => isNumberColumn(source.store.columns[column]));
  const texts = columnTexts(source);
  const pacer = new Pacer(signal);
  for (let start = 0; start < reader.rowCount; start += blockRows) {
    const count = reader.read(start);
    for (let row = 0; row < count; row++) {
      yield reader.runs.map(({ data, tags, slots }, place) =>
        workbookCell(
          writtenText(data.valueOf(tags[row]!, slots[row]!), texts[place]),
          areNumbers[place] === true,
          onCut,
        ),
      );
      if (row % rowsPerLook === 0 && pacer.isDue) await pacer.pause();
    }
    onProgress?.(start + count);
  }
}

/**
 * A number that a double cannot hold stays text with all its digits. Other numeric texts in a numeric column become
 * numbers.
 */
function workbookCell(value: CellValue, isNumeric: boolean, onCut: (() => void) | undefined): WorkbookCell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'string') return workbookText(value.text, onCut);
  return (isNumeric ? exactNumberIn(value) : undefined) ?? workbookText(value, onCut);
}

function workbookText(text: string, onCut?: () => void): string {
  const clean = cleanText(text);
  if (clean.length <= longestCell) return literal(clean);
  onCut?.();
  return literal(clean.slice(0, longestCell).toWellFormed());
}

/** Removes characters that XML 1.0 does not allow: most control characters and lone surrogates. */
function cleanText(text: string): string {
  return text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd');
}

/**
 * In a workbook, `_x0041_` stands for the character with that code. Escapes the underscore of texts that contain it
 * literally.
 */
function literal(text: string): string {
  return text.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_');
}

/** A sheet name has at most 31 characters, no special ones, and no apostrophe at either end. */
export function sheetName(title: string): string {
  const name = cleanText(title)
    .replace(/[\\/?*[\]:\p{Cc}\p{Cf}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 28)
    .toWellFormed()
    .replace(/^[' ]+|[' ]+$/g, '');
  return name === '' || name.toLowerCase() === 'history' ? 'Report' : literal(name);
}
