import { packRows } from '../../../../src/contract/pages/resultCells.ts';
import type { GridColumn, GridShape } from '../../../../src/contract/pages/resultsPage.ts';

const column = (key: string, index: number, more: Partial<GridColumn> = {}): GridColumn => ({
  key,
  title: key,
  kind: 'text',
  ofResult: index,
  leadsOn: false,
  typeName: 'Text',
  width: 140,
  ...more,
});

export const columns = [
  column('State', 0, { kind: 'drill', leadsOn: true }),
  column('Flights', 1, { kind: 'number', typeName: 'Number' }),
  column('Page', 2, { kind: 'link', typeName: 'Link' }),
  column('Day', 3, { kind: 'moment', typeName: 'Date and time', zone: 'UTC' }),
];
export const rows = [
  ['AK', '1,200', 'https://example.com/ak', '2024-01-01'],
  ['CA', '98,300', 'https://example.com/ca', '2024-01-02'],
  ['NY', null, null, null],
  ['\u05e9\u05dc\u05d5\u05dd', '12', 'no link', '2024-01-04'],
];

export const gridShape: GridShape = {
  view: 1,
  rowSet: 1,
  columns,
  rows: rows.length,
  totalRows: rows.length,
  arrangement: {
    sort: [
      { column: 0, isDescending: false },
      { column: 1, isDescending: true },
    ],
    filters: {},
    search: '',
  },
  isDerived: false,
  opens: 'Airports of a State',
  notes: ['Rows without a state are left out.'],
  first: packRows(0, rows),
};

export const profile = {
  column: 0,
  title: 'State',
  typeName: 'Text',
  rows: 4,
  missing: 1,
  distinct: 3,
  isCapped: false,
  kind: 'values' as const,
  bars: [
    { label: 'AK', count: 3 },
    { label: '', count: 1 },
  ],
  others: 2,
  least: '1',
  greatest: '9',
  mean: '4',
};
