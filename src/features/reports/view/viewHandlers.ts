import * as vscode from 'vscode';
import type { RequestHandlers } from '../../../contract/pages/channel.ts';
import type { ResultsContract } from '../../../contract/pages/resultsPage.ts';
import type { FilterFault } from './filter/columnFilter.ts';
import { showQuickPick } from '../../../editor/quickInput.ts';
import type { CellRectangle, CopyForm, CopyParams } from '../../../contract/pages/resultCells.ts';
import { copyLimit, copySql, copyText, sqlDialect, sqlDialects, type SqlDialect } from './copy/copyForms.ts';
import { copyLines, lineWindow, linkAt, rectangleSource } from './displayedRows.ts';
import type { ResultView } from './resultView.ts';

/** Requests of a results page about the rows that it shows, whatever their source. */
type ViewRequest = 'rows' | 'arrange' | 'copy' | 'copyAs' | 'figures' | 'find' | 'profile' | 'cell' | 'openLink';

/**
 * Handles a page's requests about the rows that it shows.
 * @param title name of the rows, used as the table name in INSERT statements.
 */
export function viewHandlers(run: CopiedRun, title: string): Pick<RequestHandlers<ResultsContract>, ViewRequest> {
  return {
    rows: ({ view, start, count }) => {
      const shown = run.view?.at(view);
      return shown === undefined ? null : lineWindow(shown, start, count);
    },
    arrange: async (arrangement) => {
      const faults = run.view?.filterFaults(arrangement) ?? {};
      await run.view?.arrange(arrangement);
      return describeFilter(faults);
    },
    copy: async (params) => {
      checkCopy(params);
      const shown = run.view?.at(params.view);
      if (shown === undefined) return null;
      const text = await copyLines(shown, params);
      await vscode.env.clipboard.writeText(text);
      return cellCount(params);
    },
    copyAs: (params) => copyAs(run, title, params),
    figures: async (selected) => (await run.view?.figures(selected)) ?? null,
    find: async ({ view, ...wish }) => (await run.view?.find(view, wish)) ?? null,
    profile: async ({ view, column }) => (await run.view?.profile(view, column)) ?? null,
    cell: ({ view, row, column }) => run.view?.cell(view, row, column) ?? null,
    openLink: async ({ view, row, column }) => {
      const shown = run.view?.at(view);
      const url = shown && linkAt(shown, row, column);
      if (url === undefined) throw new Error(vscode.l10n.t('The cell contains no address that can be opened.'));
      await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
      return null;
    },
  };
}

/** Localized problems with the column filters, by column. */
function describeFilter(faults: Readonly<Record<number, FilterFault>>): Record<number, string> {
  const words: Record<FilterFault, string> = {
    noValue: vscode.l10n.t('Enter a value after the operator, such as >5.'),
    notANumber: vscode.l10n.t('This column contains numbers. Compare with a number in the format of its cells.'),
  };
  return Object.fromEntries(Object.entries(faults).map(([column, fault]) => [column, words[fault]]));
}

/** Source of the copied cells. */
interface CopiedRun {
  readonly view: ResultView | undefined;
  /** The rows' database type; undefined if unknown. */
  platform(): Promise<string | undefined>;
}

interface FormItem extends vscode.QuickPickItem {
  form: CopyForm;
}

/**
 * Asks for a format and copies the cells.
 * @param title name of the report, used as the table name in INSERT statements.
 * @returns the number of cells; null if the user cancels or the view no longer exists.
 */
async function copyAs(run: CopiedRun, title: string, params: CopyParams): Promise<number | null> {
  checkCopy(params);
  const form = await chooseForm(params);
  if (form === undefined || run.view === undefined) return null;
  const text = await textOf(run, title, form, params);
  if (text === null) return null;
  await vscode.env.clipboard.writeText(text);
  return cellCount(params);
}

/** Number of cells in a rectangle. */
function cellCount({ firstRow, lastRow, columns }: CellRectangle): number {
  return (lastRow - firstRow + 1) * columns.length;
}

/** @throws Error if there are too many cells for the clipboard. */
function checkCopy(params: CopyParams): void {
  if (cellCount(params) <= copyLimit) return;
  const most = copyLimit.toLocaleString(vscode.env.language);
  throw new Error(vscode.l10n.t('At most {0} cells can be copied at once. To get all cells, export to a file.', most));
}

async function chooseForm(params: CopyParams): Promise<CopyForm | undefined> {
  const items: FormItem[] = [
    { label: vscode.l10n.t('As Shown'), description: vscode.l10n.t('separated by tabs'), form: 'shown' },
    { label: vscode.l10n.t('With Headers'), description: vscode.l10n.t('separated by tabs'), form: 'withHeaders' },
    {
      label: vscode.l10n.t('With Headers, for a Spreadsheet'),
      description: vscode.l10n.t('text that starts like a formula stays text'),
      form: 'formulaSafe',
    },
    { label: 'CSV', form: 'csv' },
    { label: 'JSON', form: 'json' },
    { label: vscode.l10n.t('IN List'), description: "('a', 'b')", form: 'inList' },
    { label: vscode.l10n.t('INSERT Statements'), form: 'insert' },
    { label: 'Markdown', form: 'markdown' },
  ];
  const title = vscode.l10n.t('Copy {0} cells', cellCount(params).toLocaleString(vscode.env.language));
  return (await showQuickPick(items, { title }))?.form;
}

/** The text; null if the user cancels or the view no longer exists. */
async function textOf(run: CopiedRun, title: string, form: CopyForm, params: CopyParams): Promise<string | null> {
  const shown = run.view?.at(params.view);
  if (shown === undefined) return null;
  if (form === 'shown' || form === 'withHeaders') {
    return copyLines(shown, { ...params, withHeaders: form === 'withHeaders' });
  }
  if (form === 'formulaSafe') return copyLines(shown, { ...params, withHeaders: true }, true);
  const source = await rectangleSource(shown, params, title);
  if (form !== 'inList' && form !== 'insert') return copyText(source, form);
  const dialect = sqlDialect(await run.platform()) ?? (await chooseDialect());
  return dialect === undefined ? null : copySql(source, form, dialect);
}

/** Asks for the database instead of guessing it: escaping that is safe for one database can end the text in another. */
async function chooseDialect(): Promise<SqlDialect | undefined> {
  const items = Object.entries(sqlDialects).map(([label, dialect]) => ({ label, dialect }));
  const title = vscode.l10n.t('Select a database');
  const placeHolder = vscode.l10n.t('The server does not say which one the report reads.');
  return (await showQuickPick(items, { title, placeHolder }))?.dialect;
}
