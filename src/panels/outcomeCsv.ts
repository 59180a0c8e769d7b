import type { ImportRowView } from '../protocol/importPage.ts';

/** What became of each row, as CSV. Values that a spreadsheet would run as a formula are marked as text. */
export function outcomeCsv(rows: readonly ImportRowView[]): string {
  const lines = rows.map(({ line, loginName, status, reason }) => [String(line), loginName, status, reason]);
  return [['Line', 'LoginName', 'Status', 'Reason'], ...lines]
    .map((line) => `${line.map(cell).join(',')}\r\n`)
    .join('');
}

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
