import * as vscode from 'vscode';
import type { ImportJob } from './importJob.ts';
import type { ImportRow, RowStatus } from './importRows.ts';
import type { RowProblem, UserFileError } from './userCsv.ts';
import { displayText } from '../../editor/displayText.ts';
import { roles } from '../../contract/roles.ts';
import type { ImportRowLook, ImportRowView, ImportState, ImportStrings } from './pageContract.ts';
import { showWarningMessage } from '../../editor/messages.ts';
import { createInputBox } from '../../editor/quickInput.ts';

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

/** Asks before rows are sent again that may have arrived. */
export async function askToRepeat(count: number, server: string): Promise<boolean> {
  const again = vscode.l10n.t('Send Again');
  const question =
    count === 1
      ? vscode.l10n.t('Create 1 user once more on {0}?', server)
      : vscode.l10n.t('Create {0} users once more on {1}?', count, server);
  const detail = vscode.l10n.t(
    'They were sent before and the answer was lost. The server does not show them, but one that is slow may still create them: then they are there twice, unless the server refuses a second user of the same name.',
  );
  return (await showWarningMessage(question, { modal: true, detail }, again)) === again;
}

/**
 * The password of users who have none in the file, asked for twice; undefined when the user gave up. Both times in one box:
 * between two, the page would take the focus back.
 */
export async function askInitialPassword(server: string): Promise<string | undefined> {
  const box = createInputBox();
  box.title = vscode.l10n.t('Import users into {0}', server);
  box.placeholder = vscode.l10n.t('First password');
  box.prompt = vscode.l10n.t('For users without one in the file. They have to change it when they first sign in.');
  box.password = true;
  box.ignoreFocusOut = true;
  let first = '';
  return new Promise<string | undefined>((resolve) => {
    box.onDidHide(() => resolve(undefined));
    box.onDidChangeValue(() => (box.validationMessage = undefined));
    box.onDidAccept(() => {
      if (first !== '') {
        if (box.value === first) resolve(first);
        else box.validationMessage = vscode.l10n.t('The two passwords differ.');
      } else if (box.value === '') box.validationMessage = vscode.l10n.t('Enter a password.');
      else {
        first = box.value;
        box.value = '';
        box.placeholder = vscode.l10n.t('The same password again');
        box.prompt = '';
      }
    });
    box.show();
  }).finally(() => box.dispose());
}

/** Asks before what an import created is deleted again. */
export async function askToUndo(count: number, server: string): Promise<boolean> {
  const remove = vscode.l10n.t('Delete');
  const question =
    count === 1
      ? vscode.l10n.t('Delete the user that this import created on {0}?', server)
      : vscode.l10n.t('Delete the {0} users that this import created on {1}?', count, server);
  const detail = vscode.l10n.t(
    'Their memberships go with them. Users that were there before stay. Users of unknown outcome are looked for first.',
  );
  return (await showWarningMessage(question, { modal: true, detail }, remove)) === remove;
}

/** Tells that an import stopped because its panel was closed. @returns what is to become of it, if the user says so. */
export async function tellStopped(
  fileName: string,
  server: string,
  { created, all }: { created: number; all: number },
): Promise<'open' | 'undo' | undefined> {
  const again = vscode.l10n.t('Open Again');
  const undo = vscode.l10n.t('Undo…');
  const words = vscode.l10n.t(
    'The import of {0} into {1} stopped when it was closed: {2} of {3} users are there.',
    displayText(fileName),
    server,
    created,
    all,
  );
  const answer = await showWarningMessage(words, again, ...(created > 0 ? [undo] : []));
  return answer === undefined ? undefined : answer === undo ? 'undo' : 'open';
}
