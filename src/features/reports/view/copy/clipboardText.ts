import type { RowCells } from '../../../../contract/pages/rowWindow.ts';

/**
 * Cells as tab-separated text, the form in which spreadsheets paste. A text that holds a tab, a line end or a quote
 * stands in quotes, with quotes doubled; a cell without a value is empty.
 */
export function tabSeparated(rows: RowCells): string {
  return rows.map((cells) => cells.map(fieldText).join('\t')).join('\n');
}

function fieldText(text: string | null): string {
  if (text === null) return '';
  return /[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
