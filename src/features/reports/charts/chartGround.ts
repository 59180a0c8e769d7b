import type { ResultView } from '../view/resultView.ts';
import type { ColumnRoles } from './columnRoles.ts';

/** Words that charts need, translated by whoever shows them. */
export interface ChartWords {
  rows: string;
  noValue: string;
  /** A text without a character. */
  emptyText: string;
  /** Everything that is too small to be shown by itself. */
  others: string;
  added: string;
  averaged: string;
  /** Said when only some of the categories are shown. */
  cut(shown: number, all: number): string;
  /** That other measures than this one are not drawn. */
  onlyMeasure(name: string): string;
  /** That so many values cannot be drawn as areas. */
  notPositive(count: number): string;
}

/** What a chart is made from. */
export interface ChartGround {
  view: ResultView;
  roles: ColumnRoles;
  words: ChartWords;
}
