import type { Report } from '../../../contract/resources/report.ts';

type ReportFields = NonNullable<Report['FieldList']>;

/**
 * One line for each field that a report compares, with what the server made of its criteria: the field, its condition,
 * and the operator that leads to the next field. API description, ReportProcUI (tbl10 and tbl11).
 */
export function compiledCriteria(fields: ReportFields): string[] {
  const compiled = fields.flatMap(
    ({ ReportFieldName, DisplayFieldName, DbFieldName, SearchCriteria, tbl10, tbl11 }) => {
      const condition = tbl10 || SearchCriteria || '';
      if (condition === '') return [];
      return [{ name: ReportFieldName || DisplayFieldName || DbFieldName || '', condition, logical: tbl11 ?? '' }];
    },
  );
  return compiled.map(({ name, condition, logical }, index) => {
    const leadsOn = logical !== '' && index < compiled.length - 1;
    return `${name}: ${condition}${leadsOn ? ` ${logical}` : ''}`;
  });
}

/** A line as an SQL comment that nothing in it can end. */
export function toComment(line: string): string {
  return `-- ${line.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')}`;
}
