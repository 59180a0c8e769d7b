import type { ImportRowView } from './pageContract.ts';
import { csvRows } from '../../editor/csv.ts';

/**
 * Decodes a CSV file in the encodings that spreadsheets write: UTF-16 by its byte order mark or its zero bytes,
 * otherwise UTF-8, otherwise Windows-1252, which some write for Western languages; decoding it as UTF-8 would lose
 * accents.
 */
export function csvText(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0))
    return new TextDecoder('utf-16le').decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
    return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The outcome of each row as CSV. */
export function outcomeCsv(rows: readonly ImportRowView[]): string {
  return csvRows(
    ['Line', 'LoginName', 'Status', 'Reason'],
    rows.map(({ line, loginName, status, reason }) => [String(line), loginName, status, reason]),
  );
}
