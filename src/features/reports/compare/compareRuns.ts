import * as vscode from 'vscode';
import { showInformationMessage } from '../../../editor/messages.ts';
import { showInputBox, showQuickPick } from '../../../editor/quickInput.ts';
import { displayText } from '../../../editor/displayText.ts';
import { withProgress } from '../../../editor/progress.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import { type CellLocale, zonesOf } from '../view/format/cellFormat.ts';
import type { KeptRows, PastRun } from '../history/runHistory.ts';
import {
  commonColumns,
  compareResults,
  type Comparison,
  type Tolerance,
  guessKeys,
  readTolerance,
} from './compareResults.ts';
import { openComparison } from './comparisonPanel.ts';
import { ComparisonSource, type ComparisonTexts } from './comparisonSource.ts';
import { derivedStore } from '../view/gridSource.ts';
import type { RowKind } from '../../../contract/pages/resultsPage.ts';

/** A run whose rows are still available. */
export interface ComparedRun {
  run: PastRun;
  rows: KeptRows;
}

/**
 * Asks for the key columns and the tolerance, then shows the differences between an earlier and a later run.
 * @returns the panel with the differing rows; undefined if there are none or the user cancels.
 */
export async function compareRuns(
  extensionUri: vscode.Uri,
  before: ComparedRun,
  after: ComparedRun,
): Promise<vscode.WebviewPanel | undefined> {
  const stores = { before: before.rows.store, after: after.rows.store };
  const locale = { language: vscode.env.language, ...after.rows.zones };
  const keys = await askKeys(stores.before, stores.after, locale);
  if (keys === undefined) return undefined;
  const tolerance = await askTolerance();
  if (tolerance === undefined) return undefined;
  const title = vscode.l10n.t('{0}: what changed', after.run.target.name);
  const compared = await withProgress(vscode.l10n.t('Comparing…'), async (signal) => {
    try {
      const zones = { before: zonesOf(before.rows.zones).stored, after: zonesOf(after.rows.zones).stored };
      const comparison = await compareResults(stores.before, stores.after, { keys, tolerance, zones, signal });
      const source = new ComparisonSource(stores, comparison, { tolerance, zones, locale }, comparisonWords());
      return { comparison, rows: await derivedStore(source, signal) };
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  });
  if (compared === undefined) return undefined;
  const { comparison, rows } = compared;
  const notes = notesOf(before.run, after.run, comparison, stores.after);
  if (rows.rowCount === 0) {
    void showInformationMessage(notes.join(' '));
    return undefined;
  }
  const { server, user } = after.run;
  const details = { title, server, user, notes };
  const kinds = kindsOf(comparison);
  return openComparison(extensionUri, { title, server, user, locale, rows, kinds, notes, details });
}

function comparisonWords(): ComparisonTexts {
  return {
    change: vscode.l10n.t('Change'),
    changed: vscode.l10n.t('changed'),
    added: vscode.l10n.t('added'),
    removed: vscode.l10n.t('removed'),
    nullText: vscode.l10n.t('null'),
  };
}

function kindsOf({ changed, added, removed }: Comparison): RowKind[] {
  const words = comparisonWords();
  return [
    { text: words.changed, rows: changed.after.length },
    { text: words.added, rows: added.length },
    { text: words.removed, rows: removed.length },
  ];
}

interface KeyItem extends vscode.QuickPickItem {
  key: string;
}

async function askKeys(before: ResultStore, after: ResultStore, locale: CellLocale): Promise<string[] | undefined> {
  const common = commonColumns(before, after);
  if (common.length === 0) throw new Error(vscode.l10n.t('The two runs have no column in common.'));
  const guessed = new Set(await guessKeys(before, after, locale));
  const items = common.map(({ key, after: column }): KeyItem => ({
    label: displayText(displayText(after.columns[column]?.header)),
    picked: guessed.has(key),
    key,
  }));
  const picked = await showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('Compare Runs (1/2): Key Columns'),
    placeHolder: vscode.l10n.t('None: compare rows by row number'),
  });
  return picked?.map(({ key }) => key);
}

async function askTolerance(): Promise<Tolerance | undefined> {
  const text = await showInputBox({
    title: vscode.l10n.t('Compare Runs (2/2): Numeric Tolerance'),
    prompt: vscode.l10n.t('Maximum difference between numbers that count as equal: 0.01 or 1%. Empty: no difference.'),
    ignoreFocusOut: true,
    validateInput: (value) =>
      readTolerance(value) === undefined
        ? vscode.l10n.t('Enter a number such as 0.01 or a percentage such as 1%.')
        : '',
  });
  return text === undefined ? undefined : readTolerance(text);
}

function notesOf(before: PastRun, after: PastRun, comparison: Comparison, rows: ResultStore): string[] {
  const { changed, added, removed, equal, keys, onlyBefore, onlyAfter, hasDuplicates } = comparison;
  const count = (number: number) => number.toLocaleString(vscode.env.language);
  const isOneDay = before.startedAt.toDateString() === after.startedAt.toDateString();
  const time = ({ startedAt }: PastRun) =>
    isOneDay ? startedAt.toLocaleTimeString(vscode.env.language) : startedAt.toLocaleString(vscode.env.language);
  const names = keys.map((key) => displayText(rows.columns[key.after]?.header)).join(', ');
  const list = (titles: readonly string[]) => titles.map((each) => displayText(each)).join(', ');
  const notes = [
    vscode.l10n.t(
      '{0} compared with {1}: {2} changed, {3} added, {4} removed, {5} equal.',
      time(after),
      time(before),
      count(changed.after.length),
      count(added.length),
      count(removed.length),
      count(equal),
    ),
    names === ''
      ? vscode.l10n.t('Rows were compared by their number.')
      : vscode.l10n.t('Rows were matched by {0}.', names),
  ];
  notes.push(...differencesOf(before, after));
  if (hasDuplicates) {
    notes.push(vscode.l10n.t('Rows with the same key were compared in order of arrival.'));
  }
  if (onlyBefore.length > 0) notes.push(vscode.l10n.t('Only in the earlier run: {0}.', list(onlyBefore)));
  if (onlyAfter.length > 0) notes.push(vscode.l10n.t('Only in the later run: {0}.', list(onlyAfter)));
  return notes;
}

/** Other differences between two runs, which may explain why their rows differ. */
function differencesOf(before: PastRun, after: PastRun): string[] {
  const notes: string[] = [];
  if (before.state === 'cancelled')
    notes.push(vscode.l10n.t('The earlier run was cancelled and has only some of its rows.'));
  if (after.state === 'cancelled')
    notes.push(vscode.l10n.t('The later run was cancelled and has only some of its rows.'));
  const shown = (text: string) => displayText(text) || '–';
  const compare = (text: (earlier: string, later: string) => string, of: (run: PastRun) => string) => {
    if (of(before) !== of(after)) notes.push(text(shown(of(before)), shown(of(after))));
  };
  compare(
    (one, other) => vscode.l10n.t('Earlier report: {0}, later: {1}.', one, other),
    ({ target }) => target.name,
  );
  compare(
    (one, other) => vscode.l10n.t('Earlier server: {0}, later: {1}.', one, other),
    ({ server }) => server,
  );
  compare(
    (one, other) => vscode.l10n.t('Earlier user: {0}, later: {1}.', one, other),
    ({ user }) => user,
  );
  compare(
    (one, other) => vscode.l10n.t('Earlier values: {0}; later: {1}.', one, other),
    ({ chips }) => chips.map(({ label, text }) => `${label} ${text}`).join(', '),
  );
  return notes;
}
