import type { ImportRowView } from './pageContract.ts';
import { csvRows } from '../../editor/csv.ts';

/** What became of each row, as CSV. */
export function outcomeCsv(rows: readonly ImportRowView[]): string {
  return csvRows(
    ['Line', 'LoginName', 'Status', 'Reason'],
    rows.map(({ line, loginName, status, reason }) => [String(line), loginName, status, reason]),
  );
}
