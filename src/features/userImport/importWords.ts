import * as vscode from 'vscode';
import type { ImportJob } from './importJob.ts';
import type { ImportRow, RowStatus } from './importRows.ts';
import type { RowProblem, UserFileError } from './userCsv.ts';
import { displayText } from '../../editor/displayText.ts';
import { roles } from '../../contract/roles.ts';
import type { ImportRowLook, ImportRowView, ImportState, ImportStrings } from './pageContract.ts';

/** Words of the import page that do not change. */
export function importStrings(): ImportStrings {
  return {
    line: vscode.l10n.t('Line'),
    login: vscode.l10n.t('User name'),
    name: vscode.l10n.t('Name'),
    email: vscode.l10n.t('E-mail'),
    groups: vscode.l10n.t('Groups'),
    status: vscode.l10n.t('Status'),
    stop: vscode.l10n.t('Stop'),
    onlyTrouble: vscode.l10n.t('Only rows with problems'),
    saveOutcome: vscode.l10n.t('Save Outcome…'),
    table: vscode.l10n.t('Users to import'),
  };
}

/** What is wrong with a file that is no list of users. */
export function fileFaultWords({ kind, detail }: UserFileError): string {
  switch (kind) {
    case 'tooLarge':
      return vscode.l10n.t('It is larger than 10 MB.');
    case 'empty':
      return vscode.l10n.t('It is empty.');
    case 'noRows':
      return vscode.l10n.t('It names columns in its first line, but no user below.');
    case 'noLoginColumn':
      return vscode.l10n.t('Its first line names no column LoginName. It should look like: {0}', detail);
    case 'columnTwice':
      return vscode.l10n.t('Two columns of its first line mean the same: {0}.', displayText(detail));
    case 'noCsv':
      return detail === ''
        ? vscode.l10n.t('It is no CSV: a quotation mark is never closed.')
        : vscode.l10n.t(
            'It is no CSV: a quotation mark stands in the wrong place in line {0}. Write such a value within quotation marks, and each of its own twice.',
            detail,
          );
  }
}

/** A row as the page shows it. */
export function rowView({ row, status, reason }: ImportRow): ImportRowView {
  const groups = row.memberships.map(({ groupName, roleId }) => {
    const role = roles.find(({ id }) => id === roleId)?.name ?? roleId;
    return `${displayText(groupName)} (${role})`;
  });
  const problems = row.problems.map(problemWords);
  return {
    line: row.line,
    loginName: displayText(row.loginName),
    name: displayText(`${row.firstName} ${row.lastName}`.trim()),
    email: displayText(row.email),
    groups: groups.join(', '),
    look: looks[status],
    status: statusWords(status),
    reason: [...problems, displayText(reason)].filter((part) => part !== '').join(' '),
  };
}

const looks: Record<RowStatus, ImportRowLook> = {
  ready: 'ready',
  invalid: 'invalid',
  creating: 'working',
  deleting: 'working',
  created: 'done',
  partial: 'partial',
  failed: 'failed',
  unknown: 'failed',
  notTried: 'idle',
  undone: 'undone',
};

function statusWords(status: RowStatus): string {
  switch (status) {
    case 'ready':
      return vscode.l10n.t('Can be created');
    case 'invalid':
      return vscode.l10n.t('Cannot be created');
    case 'creating':
      return vscode.l10n.t('Creating…');
    case 'deleting':
      return vscode.l10n.t('Deleting…');
    case 'created':
      return vscode.l10n.t('Created');
    case 'partial':
      return vscode.l10n.t('Created, lacks a group');
    case 'failed':
      return vscode.l10n.t('Refused');
    case 'unknown':
      return vscode.l10n.t('Not known');
    case 'notTried':
      return vscode.l10n.t('Not tried');
    case 'undone':
      return vscode.l10n.t('Deleted again');
  }
}

function problemWords({ kind, text }: RowProblem): string {
  const shown = displayText(text);
  switch (kind) {
    case 'tooManyValues':
      return vscode.l10n.t('It has {0} values, more than there are columns.', shown);
    case 'noLogin':
      return vscode.l10n.t('It has no LoginName.');
    case 'onServer':
      return vscode.l10n.t('{0} is on the server already.', shown);
    case 'repeated':
      return vscode.l10n.t('{0} is in the file more than once.', shown);
    case 'unseenCharacters':
      return vscode.l10n.t('The LoginName holds characters that cannot be seen.');
    case 'noEmailAddress':
      return vscode.l10n.t('"{0}" is no e-mail address.', shown);
    case 'unknownGroup':
      return vscode.l10n.t('There is no group "{0}".', shown);
    case 'ambiguousGroup':
      return vscode.l10n.t('Several groups have this name: {0}. Write the id of the right one instead.', shown);
    case 'unknownRole':
      return vscode.l10n.t('"{0}" is no role in a group: use Admin, View, Modify, Delete or None.', shown);
    case 'groupTwice':
      return vscode.l10n.t(
        'It names the group "{0}" more than once. Name it once, with the one role that is meant.',
        shown,
      );
    case 'noPassword':
      return vscode.l10n.t('Its password is in the file, which cannot be read any more.');
  }
}

/** How the import stands as a whole. */
export function importState(
  job: ImportJob,
  place: { fileName: string; server: string; ignoredColumns: readonly string[] },
  run: { isRunning: boolean; isUndoing: boolean; fault: string },
): ImportState {
  const { rows, waiting, undoable } = job;
  const count = (...of: RowStatus[]) => rows.filter(({ status }) => of.includes(status)).length;
  const left = run.isUndoing ? undoable.length : count('ready', 'creating', 'notTried');
  const ignored = place.ignoredColumns.map(displayText).join(', ');
  return {
    title: vscode.l10n.t('{0} into {1}', displayText(place.fileName), displayText(place.server)),
    summary: summaryWords(count),
    remark: ignored === '' ? '' : vscode.l10n.t('Columns without a meaning here are left out: {0}', ignored),
    fault: run.fault,
    progress: rows.length === 0 ? 1 : 1 - left / rows.length,
    isRunning: run.isRunning || run.isUndoing,
    importLabel: importLabel(waiting.length, count('created', 'partial', 'failed', 'unknown', 'notTried') > 0),
    undoLabel: undoable.length === 0 ? '' : undoLabel(undoable.length),
    troubleCount: count('invalid', 'partial', 'failed', 'unknown'),
  };
}

function importLabel(waiting: number, isBegun: boolean): string {
  if (waiting === 0) return '';
  if (isBegun) return vscode.l10n.t('Go On with {0}', waiting);
  return waiting === 1 ? vscode.l10n.t('Import 1 User') : vscode.l10n.t('Import {0} Users', waiting);
}

function undoLabel(created: number): string {
  return created === 1 ? vscode.l10n.t('Undo: Delete 1 User…') : vscode.l10n.t('Undo: Delete {0} Users…', created);
}

function summaryWords(count: (...of: RowStatus[]) => number): string {
  const parts: [number, string][] = [
    [count('ready', 'creating'), vscode.l10n.t('{0} to create', count('ready', 'creating'))],
    [count('created'), vscode.l10n.t('{0} created', count('created'))],
    [
      count('partial'),
      count('partial') === 1 ? vscode.l10n.t('1 lacks a group') : vscode.l10n.t('{0} lack a group', count('partial')),
    ],
    [count('failed'), vscode.l10n.t('{0} refused', count('failed'))],
    [count('unknown'), vscode.l10n.t('{0} not known', count('unknown'))],
    [count('notTried'), vscode.l10n.t('{0} not tried', count('notTried'))],
    [count('undone'), vscode.l10n.t('{0} deleted again', count('undone'))],
    [count('invalid'), vscode.l10n.t('{0} cannot be created', count('invalid'))],
  ];
  return parts.flatMap(([number, words]) => (number > 0 ? [words] : [])).join(' · ');
}
