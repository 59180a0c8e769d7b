import * as vscode from 'vscode';
import type { FilterFault } from './columnFilter.ts';

/** What is wrong with the filters of columns, in words, by column. */
export function filterWords(faults: Readonly<Record<number, FilterFault>>): Record<number, string> {
  const words: Record<FilterFault, string> = {
    noValue: vscode.l10n.t('Write a value behind the sign, such as >5.'),
    notANumber: vscode.l10n.t('The column holds numbers: compare with a number, written as its cells are.'),
  };
  return Object.fromEntries(Object.entries(faults).map(([column, fault]) => [column, words[fault]]));
}
