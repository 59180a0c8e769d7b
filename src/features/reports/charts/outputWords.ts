import * as vscode from 'vscode';
import type { GroupWords } from './groupedSource.ts';

/** Words of charts, pivots and groups in the editor's language. */
export function outputWords(): GroupWords {
  const number = (count: number) => count.toLocaleString(vscode.env.language);
  return {
    rows: vscode.l10n.t('Rows'),
    noValue: vscode.l10n.t('(no value)'),
    emptyText: vscode.l10n.t('(empty text)'),
    others: vscode.l10n.t('All others'),
    added: vscode.l10n.t('Rows of the same category are added up.'),
    averaged: vscode.l10n.t('Rows of the same category are added up, and percentages averaged.'),
    cut: (shown, all) => vscode.l10n.t('Shows {0} of {1}.', number(shown), number(all)),
    onlyMeasure: (name) => vscode.l10n.t('Shows {0} alone: the second category makes the series.', name),
    notPositive: (count) =>
      count === 1
        ? vscode.l10n.t('One value of zero or below has no area and is left out.')
        : vscode.l10n.t('{0} values of zero or below have no area and are left out.', number(count)),
    all: vscode.l10n.t('Total'),
    group: (value, rows) => `${value}  (${number(rows)})`,
    noTotals: vscode.l10n.t('Filtered: the totals of the server cover all rows and are left out.'),
  };
}
