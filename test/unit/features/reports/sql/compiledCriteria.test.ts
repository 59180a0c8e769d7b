import { expect, it } from 'vitest';
import { compiledCriteria, toComment } from '../../../../../src/features/reports/sql/sqlFormat.ts';

it('tells each condition with the operator that leads to the next', () => {
  const lines = compiledCriteria([
    { ReportFieldName: 'State', tbl10: `"state" = 'TX'`, tbl11: 'OR' },
    { ReportFieldName: 'Airport', tbl10: '', tbl11: '' },
    { DisplayFieldName: 'Miles', tbl10: null, SearchCriteria: 'Miles > 5', tbl11: 'AND' },
  ]);
  expect(lines).toEqual([`State: "state" = 'TX' OR`, 'Miles: Miles > 5']);
});

it('lets no text end the comment', () => {
  expect(toComment('a\r\nDROP TABLE x\u2028y')).toBe('-- a DROP TABLE x y');
});
