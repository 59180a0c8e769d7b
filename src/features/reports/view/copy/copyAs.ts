import * as vscode from 'vscode';
import { showQuickPick } from '../../../../editor/quickInput.ts';
import type { CellRectangle, CopyForm, CopyParams } from '../../../../contract/pages/resultCells.ts';
import { copyLimit, copySql, copyText, sqlDialect, sqlDialects, type SqlDialect } from './copyForms.ts';
import type { ResultScreen } from '../resultScreen.ts';

/** What cells are copied from. */
export interface CopiedRun {
  readonly screen: ResultScreen | undefined;
  /** The kind of database that the rows come from; undefined where that is not known. */
  platform(): Promise<string | undefined>;
}

interface FormItem extends vscode.QuickPickItem {
  form: CopyForm;
}

/**
 * Asks for a form and copies cells in it.
 * @param title name of the report; INSERT statements take it for the table.
 * @returns how many cells; null when the user does not choose, or the view is gone.
 */
export async function copyAs(run: CopiedRun, title: string, params: CopyParams): Promise<number | null> {
  checkCopy(params);
  const form = await chooseForm(params);
  if (form === undefined || run.screen === undefined) return null;
  const text = await textOf(run, title, form, params);
  if (text === null) return null;
  await vscode.env.clipboard.writeText(text);
  return cellCount(params);
}

/** How many cells a rectangle has. */
export function cellCount({ firstRow, lastRow, columns }: CellRectangle): number {
  return (lastRow - firstRow + 1) * columns.length;
}

/** @throws Error beyond what the clipboard takes. */
export function checkCopy(params: CopyParams): void {
  if (cellCount(params) <= copyLimit) return;
  const most = copyLimit.toLocaleString(vscode.env.language);
  throw new Error(vscode.l10n.t('At most {0} cells can be copied at once; an export to a file takes all.', most));
}

async function chooseForm(params: CopyParams): Promise<CopyForm | undefined> {
  const items: FormItem[] = [
    { label: vscode.l10n.t('As Shown'), description: vscode.l10n.t('separated by tabs'), form: 'shown' },
    { label: vscode.l10n.t('With Headers'), description: vscode.l10n.t('separated by tabs'), form: 'withHeaders' },
    {
      label: vscode.l10n.t('With Headers, for a Spreadsheet'),
      description: vscode.l10n.t('text that begins like a formula stays text'),
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

/** The text; null when the user gives up, or the view is gone. */
async function textOf(run: CopiedRun, title: string, form: CopyForm, params: CopyParams): Promise<string | null> {
  if (form === 'shown' || form === 'withHeaders') {
    return (await run.screen?.copy({ ...params, withHeaders: form === 'withHeaders' })) ?? null;
  }
  if (form === 'formulaSafe') return (await run.screen?.copy({ ...params, withHeaders: true }, true)) ?? null;
  const source = await run.screen?.rectangle(params, title);
  if (source === undefined) return null;
  if (form !== 'inList' && form !== 'insert') return copyText(source, form);
  const dialect = sqlDialect(await run.platform()) ?? (await chooseDialect());
  return dialect === undefined ? null : copySql(source, form, dialect);
}

/** A quote or a backslash that is safe in one database ends the text in another: it is asked for rather than guessed. */
async function chooseDialect(): Promise<SqlDialect | undefined> {
  const items = Object.entries(sqlDialects).map(([label, dialect]) => ({ label, dialect }));
  const title = vscode.l10n.t('For which database?');
  const placeHolder = vscode.l10n.t('The server does not say which one the report reads.');
  return (await showQuickPick(items, { title, placeHolder }))?.dialect;
}
