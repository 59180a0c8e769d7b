import * as vscode from 'vscode';
import type { RequestHandlers } from '../../../contract/pages/channel.ts';
import type { ResultsContract } from '../../../contract/pages/resultsPage.ts';
import { cellCount, checkCopy, copyAs, type CopiedRun } from './copy/copyAs.ts';
import type { FilterFault } from './filter/columnFilter.ts';

/** The requests of a results page that are about the rows on its screen, wherever these come from. */
type ScreenRequest = 'rows' | 'arrange' | 'copy' | 'copyAs' | 'figures' | 'find' | 'profile' | 'cell' | 'openLink';

/**
 * Answers what a page asks about the rows on its screen.
 * @param title names the rows; INSERT statements take it for the table.
 */
export function screenHandlers(run: CopiedRun, title: string): Pick<RequestHandlers<ResultsContract>, ScreenRequest> {
  return {
    rows: ({ view, start, count }) => run.screen?.window(view, start, count) ?? null,
    arrange: async (arrangement) => {
      const faults = run.screen?.filterFaults(arrangement) ?? {};
      await run.screen?.arrange(arrangement);
      return filterWords(faults);
    },
    copy: async (params) => {
      checkCopy(params);
      const text = await run.screen?.copy(params);
      if (text == null) return null;
      await vscode.env.clipboard.writeText(text);
      return cellCount(params);
    },
    copyAs: (params) => copyAs(run, title, params),
    figures: async (selected) => (await run.screen?.figures(selected)) ?? null,
    find: async ({ view, ...wish }) => (await run.screen?.find(view, wish)) ?? null,
    profile: async ({ view, column }) => (await run.screen?.profile(view, column)) ?? null,
    cell: ({ view, row, column }) => run.screen?.cell(view, row, column) ?? null,
    openLink: async ({ view, row, column }) => {
      const url = run.screen?.link(view, row, column);
      if (url === undefined) throw new Error(vscode.l10n.t('The cell holds no address that can be opened.'));
      await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
      return null;
    },
  };
}

/** What is wrong with the filters of columns, in words, by column. */
function filterWords(faults: Readonly<Record<number, FilterFault>>): Record<number, string> {
  const words: Record<FilterFault, string> = {
    noValue: vscode.l10n.t('Write a value behind the sign, such as >5.'),
    notANumber: vscode.l10n.t('The column holds numbers: compare with a number, written as its cells are.'),
  };
  return Object.fromEntries(Object.entries(faults).map(([column, fault]) => [column, words[fault]]));
}
