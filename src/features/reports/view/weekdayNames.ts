import type { CellValue } from '../../../client/results/resultCell.ts';
import type { Report } from '../../../contract/resources/report.ts';

/** A name for a value of a column, by the column's key; undefined to write it as usual. */
export type ValueName = (key: string, value: CellValue) => string | undefined;

/** The server's own function: Monday is 1, Sunday 7. */
const weekdayFormula = /^\s*WEEKDAY\s*\([^()]*\)\s*$/i;

/**
 * Names of the days of the week, for columns of a report that number them. Other servers may count from another day: call
 * it for reports of the embedded one.
 */
export function weekdayNames(report: Report | undefined, language: string): ValueName {
  const fields = (report?.FieldList ?? []).filter(({ Formula }) => weekdayFormula.test(Formula ?? ''));
  const keys = new Set(fields.map(({ RenamedField }) => (RenamedField ?? '').toLowerCase()));
  const format = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  return (key, value) => {
    const day = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
    if (!keys.has(key.toLowerCase()) || !Number.isInteger(day) || day < 1 || day > 7) return undefined;
    // The first of January 2024 was a Monday.
    return format.format(Date.UTC(2024, 0, day));
  };
}
