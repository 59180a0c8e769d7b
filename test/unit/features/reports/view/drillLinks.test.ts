import { expect, it } from 'vitest';
import { drillLinks, hasUnreadLinks, linkedColumns } from '../../../../../src/features/reports/view/drillLinks.ts';

it('reads the linked reports of a report and passes over what it does not understand', () => {
  const linkreports = [
    { ReportID: 12, Name: 'Airports', Links: [{ Field: 'state', TargetField: 'origin_state' }] },
    { ReportID: '13' },
    { ReportID: '' },
    'odd',
    null,
  ];
  expect(drillLinks({ linkreports })).toEqual([
    { reportId: '12', name: 'Airports', fields: ['state'] },
    { reportId: '13', name: '13', fields: [] },
  ]);
  expect(drillLinks(undefined)).toEqual([]);
});

it('reads them however a server spells the names, and tells when it could not', () => {
  const spelt = [
    { reportId: 7, reportName: 'Days', links: [{ field: 'Day' }] },
    { id: '8', links: null },
  ];
  expect(drillLinks({ linkreports: spelt })).toEqual([
    { reportId: '7', name: 'Days', fields: ['Day'] },
    { reportId: '8', name: '8', fields: [] },
  ]);
  expect([...linkedColumns({ linkreports: spelt })]).toEqual(['day']);
  expect(hasUnreadLinks({ linkreports: spelt })).toBe(false);
  expect(hasUnreadLinks({ linkreports: [...spelt, { Target: 9 }] })).toBe(true);
  expect([hasUnreadLinks(undefined), hasUnreadLinks({ linkreports: null })]).toEqual([false, false]);
});
