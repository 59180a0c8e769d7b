import { expect, it } from 'vitest';
import { drillLinks } from '../../../src/reports/drillLinks.ts';

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
