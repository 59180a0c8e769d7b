import type { GroupTexts } from '../../../../../src/features/reports/charts/groupedSource.ts';

/** Words of outputs, short enough to compare. */
export const outputWords: GroupTexts = {
  rows: 'Rows',
  noValue: '(none)',
  emptyText: '(empty)',
  others: 'Others',
  added: 'added',
  averaged: 'averaged',
  cut: (shown, all) => `${shown} of ${all}`,
  onlyMeasure: (name) => `only ${name}`,
  notPositive: (count) => `${count} not positive`,
  all: 'All',
  group: (value, rows) => `${value} (${rows})`,
  noTotals: 'no totals',
};
