import * as vscode from 'vscode';
import type { ApplicationSeats } from '../../access/applicationRoles.ts';
import { userCsvHeader } from './userColumns.ts';
import type { ImportJob } from './importJob.ts';
import type { ImportRow, RowStatus } from './importRows.ts';
import type { RowProblem, UserFileError } from './userCsv.ts';
import { displayText } from '../../editor/displayText.ts';
import { roles } from '../../contract/roles.ts';
import type { ImportRowLook, ImportRowView, ImportState } from './pageContract.ts';
import { showWarningMessage } from '../../editor/messages.ts';
import { createInputBox } from '../../editor/quickInput.ts';

/** Error message for a file that is not a list of users. */
export function fileErrorText({ kind, detail }: UserFileError): string {
  switch (kind) {
    case 'tooLarge':
      return vscode.l10n.t('The file is larger than 10 MB.');
    case 'empty':
      return vscode.l10n.t('The file is empty.');
    case 'noRows':
      return vscode.l10n.t('The file has a header line but no users.');
    case 'noLoginColumn':
      return vscode.l10n.t('The header line has no LoginName column. Example: {0}', detail);
    case 'columnTwice':
      return vscode.l10n.t('Two columns of the first line have the same meaning: {0}.', displayText(detail));
    case 'noCsv':
      return detail === ''
        ? vscode.l10n.t('Invalid CSV: a quotation mark is not closed.')
        : vscode.l10n.t(
            'Invalid CSV: unexpected quotation mark in line {0}. Enclose the value in quotation marks and double each one inside it.',
            detail,
          );
  }
}

/** A row as displayed on the page. */
export function rowView({ row, status, reason }: ImportRow): ImportRowView {
  const groups = row.memberships.map(({ groupName, roleId }) => {
    return `${displayText(groupName)} (${roleName(roleId)})`;
  });
  const problems = row.problems.map(problemWords);
  return {
    line: row.line,
    loginName: displayText(row.loginName),
    name: displayText(`${row.firstName} ${row.lastName}`.trim()),
    email: displayText(row.email),
    groups: groups.join(', '),
    role: row.application ? `${displayText(row.application.name)}: ${roleName(row.application.roleId)}` : '',
    look: looks[status],
    status: statusWords(status),
    reason: [...problems, displayText(reason)].filter((part) => part !== '').join(' '),
  };
}

function roleName(roleId: string): string {
  return roles.find(({ id }) => id === roleId)?.name ?? roleId;
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
      return vscode.l10n.t('Created, missing a group or role');
    case 'failed':
      return vscode.l10n.t('Refused');
    case 'unknown':
      return vscode.l10n.t('Outcome unknown');
    case 'notTried':
      return vscode.l10n.t('Not tried');
    case 'undone':
      return vscode.l10n.t('Deleted by undo');
  }
}

function problemWords({ kind, text }: RowProblem): string {
  const shown = displayText(text);
  switch (kind) {
    case 'tooManyValues':
      return vscode.l10n.t('The line has {0} values, more than there are columns.', shown);
    case 'noLogin':
      return vscode.l10n.t('LoginName is missing.');
    case 'onServer':
      return vscode.l10n.t('{0} is already on the server.', shown);
    case 'repeated':
      return vscode.l10n.t('{0} is in the file more than once.', shown);
    case 'unseenCharacters':
      return vscode.l10n.t('The LoginName contains invisible characters.');
    case 'noEmailAddress':
      return vscode.l10n.t('"{0}" is not an e-mail address.', shown);
    case 'unknownGroup':
      return vscode.l10n.t('There is no group "{0}".', shown);
    case 'ambiguousGroup':
      return vscode.l10n.t('Several groups are named {0}. Enter the ID of the right one instead.', shown);
    case 'unknownRole':
      return vscode.l10n.t('"{0}" is not a group role. Use Admin, View, Modify, Delete or None.', shown);
    case 'groupTwice':
      return vscode.l10n.t('The group "{0}" is listed more than once. List it once, with the role you want.', shown);
    case 'unknownApplication':
      return vscode.l10n.t('There is no application "{0}", or more than one.', shown);
    case 'hiddenApplications':
      return vscode.l10n.t('The role cannot be assigned: your account cannot read the applications of the server.');
    case 'noApplication':
      return vscode.l10n.t('Application is missing: enter the one in which the user has the role {0}.', shown);
    case 'noRole':
      return vscode.l10n.t('Role is missing: enter Agent, Builder or Architect for {0}.', shown);
    case 'unknownApplicationRole':
      return vscode.l10n.t('"{0}" is not a role in applications. Use Agent, Builder or Architect.', shown);
    case 'noPassword':
      return vscode.l10n.t('The password is in the file, which can no longer be read.');
  }
}

/** What the user should know before the import. */
export interface ImportRemarks {
  readonly ignoredColumns: readonly string[];
  /** Sentences about new users who see all rows of restricted tables, and about seats. */
  readonly rowLines: readonly string[];
}

/** Overall state of the import. */
export function importState(
  job: ImportJob,
  place: { fileName: string; server: string } & ImportRemarks,
  run: { isRunning: boolean; isUndoing: boolean; fault: string },
): ImportState {
  const { rows, waiting, undoable } = job;
  const count = (...of: RowStatus[]) => rows.filter(({ status }) => of.includes(status)).length;
  const left = run.isUndoing ? undoable.length : count('ready', 'creating', 'notTried');
  const ignored = place.ignoredColumns.map(displayText).join(', ');
  const isBegun = count('created', 'partial', 'failed', 'unknown', 'notTried') > 0;
  return {
    title: vscode.l10n.t('{0} into {1}', displayText(place.fileName), displayText(place.server)),
    summary: summaryWords(count),
    remark: [
      ...(ignored === '' ? [] : [vscode.l10n.t('Unknown columns are ignored: {0}.', ignored)]),
      // What will be seen is said of users who are still to come.
      ...(job.waiting.length > 0 ? place.rowLines.map(displayText) : []),
    ].join(' '),
    fault: run.fault,
    progress: rows.length === 0 ? 1 : 1 - left / rows.length,
    isRunning: run.isRunning || run.isUndoing,
    importLabel: importLabel(waiting.length, isBegun),
    undoLabel: undoable.length === 0 ? '' : undoLabel(undoable.length),
    troubleCount: count('invalid', 'partial', 'failed', 'unknown'),
    hasOutcome: isBegun || count('undone') > 0,
  };
}

function importLabel(waiting: number, isBegun: boolean): string {
  if (waiting === 0) return '';
  if (isBegun) return vscode.l10n.t('Continue ({0} Remaining)', waiting);
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
      count('partial') === 1
        ? vscode.l10n.t('1 missing a group or role')
        : vscode.l10n.t('{0} missing a group or role', count('partial')),
    ],
    [count('failed'), vscode.l10n.t('{0} refused', count('failed'))],
    [count('unknown'), vscode.l10n.t('{0} outcome unknown', count('unknown'))],
    [count('notTried'), vscode.l10n.t('{0} not tried', count('notTried'))],
    [count('undone'), vscode.l10n.t('{0} deleted by undo', count('undone'))],
    [count('invalid'), vscode.l10n.t('{0} cannot be created', count('invalid'))],
  ];
  return parts.flatMap(([number, words]) => (number > 0 ? [words] : [])).join(' · ');
}

/**
 * Asks for confirmation before users are created who see rows that policies hide from others.
 * @param lines sentences about these users.
 */
export async function confirmImport(count: number, server: string, lines: readonly string[]): Promise<boolean> {
  const start = vscode.l10n.t('Import');
  const question =
    count === 1
      ? vscode.l10n.t('Import 1 user into {0}?', server)
      : vscode.l10n.t('Import {0} users into {1}?', count, server);
  return (await showWarningMessage(question, { modal: true, detail: lines.join('\n') }, start)) === start;
}

/** Says which applications have fewer seats than the file needs. */
export function seatLines(rows: readonly ImportRow[], applications: readonly ApplicationSeats[]): string[] {
  return applications.flatMap(({ id, name, left }) => {
    const needed = rows.filter(({ row, status }) => status === 'ready' && row.application?.id === id).length;
    if (left === undefined || needed <= left) return [];
    return [vscode.l10n.t('{0} seats in {1} are needed, and {2} left.', needed, name, left)];
  });
}

/** Asks whether to import a file without its unknown columns. */
export async function confirmIgnored(
  columns: readonly string[],
  fileName: string,
): Promise<'import' | 'template' | 'no'> {
  const go = vscode.l10n.t('Import Without Them');
  const template = vscode.l10n.t('Save CSV Template…');
  const names = columns.map(displayText).join(', ');
  const question =
    columns.length === 1
      ? vscode.l10n.t('The column {0} of {1} cannot be imported.', names, displayText(fileName))
      : vscode.l10n.t('These columns of {1} cannot be imported: {0}.', names, displayText(fileName));
  const detail = vscode.l10n.t('Columns that can be imported: {0}', userCsvHeader.replaceAll(',', ', '));
  const answer = await showWarningMessage(question, { modal: true, detail }, go, template);
  return answer === go ? 'import' : answer === template ? 'template' : 'no';
}

/** Asks for confirmation before rows that may have arrived are sent again. */
export async function confirmRepeat(count: number, server: string): Promise<boolean> {
  const again = vscode.l10n.t('Send Again');
  const question =
    count === 1
      ? vscode.l10n.t('Create 1 user again on {0}?', server)
      : vscode.l10n.t('Create {0} users again on {1}?', count, server);
  const detail = vscode.l10n.t(
    'These users were sent before, but the reply was lost. The server does not list them, but a slow server may still create them. They then exist twice, unless the server refuses a second user with the same name.',
  );
  return (await showWarningMessage(question, { modal: true, detail }, again)) === again;
}

/**
 * Asks for the password of users without one in the file, entered twice; undefined if cancelled. Both entries use the
 * same box: between two boxes, the page would regain the focus.
 */
export async function askInitialPassword(server: string): Promise<string | undefined> {
  const box = createInputBox();
  box.title = vscode.l10n.t('Import users into {0}', server);
  box.placeholder = vscode.l10n.t('Initial password');
  box.prompt = vscode.l10n.t(
    'Used for users without a password in the file. They must change it at their first sign-in.',
  );
  box.password = true;
  box.ignoreFocusOut = true;
  let first = '';
  return new Promise<string | undefined>((resolve) => {
    box.onDidHide(() => resolve(undefined));
    box.onDidChangeValue(() => (box.validationMessage = undefined));
    box.onDidAccept(() => {
      if (first !== '') {
        if (box.value === first) resolve(first);
        else box.validationMessage = vscode.l10n.t('The passwords do not match.');
      } else if (box.value === '') box.validationMessage = vscode.l10n.t('Enter a password.');
      else {
        first = box.value;
        box.value = '';
        box.placeholder = vscode.l10n.t('Repeat the password');
        box.prompt = '';
      }
    });
    box.show();
  }).finally(() => box.dispose());
}

/** Asks for confirmation before the created users are deleted. */
export async function askToUndo(count: number, server: string): Promise<boolean> {
  const remove = vscode.l10n.t('Delete');
  const question =
    count === 1
      ? vscode.l10n.t('Delete the user that this import created on {0}?', server)
      : vscode.l10n.t('Delete the {0} users that this import created on {1}?', count, server);
  const detail = vscode.l10n.t(
    'Deleting removes their memberships. Users that existed before are kept. Users with an unknown outcome are looked up first.',
  );
  return (await showWarningMessage(question, { modal: true, detail }, remove)) === remove;
}

/** Reports that an import stopped because its panel was closed. @returns the action chosen by the user, if any. */
export async function showStopped(
  fileName: string,
  server: string,
  { created, all }: { created: number; all: number },
): Promise<'open' | 'undo' | undefined> {
  const again = vscode.l10n.t('Open Again');
  const undo = vscode.l10n.t('Undo…');
  const words = vscode.l10n.t(
    'The import of {0} into {1} stopped when it was closed. {2} of {3} users exist.',
    displayText(fileName),
    server,
    created,
    all,
  );
  const answer = await showWarningMessage(words, again, ...(created > 0 ? [undo] : []));
  return answer === undefined ? undefined : answer === undo ? 'undo' : 'open';
}
