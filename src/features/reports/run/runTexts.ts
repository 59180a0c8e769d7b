import * as vscode from 'vscode';
import { isClientError, shownMessage, type ClientErrorKind } from '../../../client/clientError.ts';
import { ResultReadError, type ResultErrorCode } from '../../../client/results/resultError.ts';
import type { Failure, FailureKind } from '../../../contract/pages/resultsPage.ts';
import { isNoSuchReport } from './reportCalls.ts';
import type { RunTexts } from './runOptions.ts';
import type { ReportTarget } from '../../../editor/commands/services.ts';
import type { GroupTexts } from '../charts/groupedSource.ts';
import type { ResultColumn } from '../../../client/results/resultColumn.ts';
import { isFieldTypeCode, type FieldTypeCode } from '../../../contract/fieldTypes.ts';
import type { PromptValue } from '../../../contract/pages/promptForm.ts';
import { displayText } from '../../../editor/displayText.ts';
import { zoneTitle } from '../../../contract/zones/zoneNames.ts';
import { type CellLocale, decimalSign } from '../view/format/cellFormat.ts';
import type { FoundChoices } from '../prompts/promptChoices.ts';
import type { Comparison, PromptShape } from '../prompts/promptFields.ts';
import type { PromptTexts, FoundFault } from '../prompts/promptSheet.ts';

/** Maximum number of rows for servers that do not report it, from the sample settings. API description, Limits. */
const usualMaxRecords = 500_000;

/**
 * Localized texts for running `target`.
 * @param server the server's name.
 * @param maxRecords maximum number of rows that the server returns, as reported at sign-in.
 */
export function runTexts(target: ReportTarget, server: () => string, maxRecords: () => number | undefined): RunTexts {
  const title = () => vscode.l10n.t('Could not run "{0}" on {1}.', target.name, server());
  return {
    ...promptTexts(),
    failure: (error) => ({ title: title(), ...causeOf(error) }),
    refused: (message, code) => ({
      kind: 'refused',
      title: title(),
      cause: vscode.l10n.t('The server refused it ({0}): {1}', code, message),
      remedy: vscode.l10n.t('Check the generated SQL, or change the prompt values, then try again.'),
    }),
    otherUser: (bound, user) => ({
      kind: 'other',
      title: vscode.l10n.t(
        '"{0}" was run as {1}, but you are now signed in to {2} as {3}.',
        target.name,
        bound,
        server(),
        user,
      ),
      cause: vscode.l10n.t('Another user may see different rows and values.'),
      remedy: vscode.l10n.t('Try again to run it as {0}, or sign in as {1} first.', user, bound),
    }),
    unprompted: () => vscode.l10n.t('Without Prompts'),
    limitNotice: (rows) => limitNotice(rows, maxRecords() ?? usualMaxRecords),
    output: outputTexts(),
    typeName: typeLabel,
  };
}

const failureKinds: Partial<Record<ClientErrorKind, FailureKind>> = {
  notSignedIn: 'signedOut',
  signInRefused: 'signedOut',
  takenOver: 'takenOver',
  noPermission: 'noPermission',
  unreachable: 'unreachable',
  tls: 'unreachable',
  timeout: 'unreachable',
  refused: 'refused',
};

function causeOf(error: unknown): Omit<Failure, 'title'> {
  if (isClientError(error)) {
    const remedy = isNoSuchReport(error)
      ? vscode.l10n.t('It was deleted or is hidden from this account.')
      : error.remedy;
    const kind = error.reason === 'newPassword' ? 'newPassword' : (failureKinds[error.kind] ?? 'other');
    return { kind, cause: shownMessage(error), remedy };
  }
  if (error instanceof ResultReadError) {
    return {
      kind: error.code === 'source' ? 'unreachable' : 'other',
      cause: error.message,
      remedy: readRemedy(error.code),
    };
  }
  return { kind: 'other', cause: error instanceof Error ? error.message : String(error), remedy: '' };
}

function readRemedy(code: ResultErrorCode): string {
  switch (code) {
    case 'tooLarge':
      return vscode.l10n.t('Reduce the result: add criteria or a row limit.');
    case 'source':
    case 'truncated':
      return vscode.l10n.t('Try again. If the error persists, a proxy or a server limit may truncate the reply.');
    case 'otherReport':
      return vscode.l10n.t('Ask the administrator of the server or its proxy why the wrong object was returned.');
    case 'malformed':
    case 'notAResult':
      return vscode.l10n.t(
        'Try again. If the error persists, the extension may not support the release of the server.',
      );
  }
}

function limitNotice(rows: number, maxRecords: number): string {
  if (rows !== maxRecords) return '';
  const count = rows.toLocaleString(vscode.env.language);
  return vscode.l10n.t('Received exactly {0} rows. The server may have stopped at its row limit.', count);
}

/** Localized texts for charts, pivots and groups. */
export function outputTexts(): GroupTexts {
  const number = (count: number) => count.toLocaleString(vscode.env.language);
  return {
    rows: vscode.l10n.t('Rows'),
    noValue: vscode.l10n.t('(no value)'),
    emptyText: vscode.l10n.t('(empty text)'),
    others: vscode.l10n.t('All others'),
    added: vscode.l10n.t('Adds up rows of the same category.'),
    averaged: vscode.l10n.t('Adds up rows of the same category; averages percentages.'),
    cut: (shown, all) => vscode.l10n.t('Shows {0} of {1}.', number(shown), number(all)),
    onlyMeasure: (name) => vscode.l10n.t('Shows only {0}: the second category makes the series.', name),
    notPositive: (count) =>
      count === 1
        ? vscode.l10n.t('One value of zero or less has no area and is left out.')
        : vscode.l10n.t('{0} values of zero or less have no area and are left out.', number(count)),
    all: vscode.l10n.t('Total'),
    group: (value, rows) => `${value}  (${number(rows)})`,
    noTotals: vscode.l10n.t('Filtered: server totals cover all rows and are hidden.'),
  };
}

/** Localized column type: by field type code, or the server's own name for it. */
export function typeLabel(
  { fieldType, dataType }: Pick<ResultColumn, 'fieldType' | 'dataType'>,
  locale: CellLocale,
): string {
  return isFieldTypeCode(fieldType) ? fieldTypeName(fieldType, locale) : (dataType ?? vscode.l10n.t('text'));
}

function fieldTypeName(code: FieldTypeCode, { timeZone, storedZone }: CellLocale): string {
  const zone = displayText(zoneTitle(timeZone));
  const names: Record<FieldTypeCode, string> = {
    cha: vscode.l10n.t('text'),
    num: vscode.l10n.t('number'),
    dat:
      storedZone === undefined
        ? vscode.l10n.t('date and time, taken as UTC, shown in {0}', zone)
        : vscode.l10n.t('date and time, stored in {0}, shown in {1}', displayText(zoneTitle(storedZone)), zone),
    dtz: vscode.l10n.t('date and time, as stored'),
    doz: vscode.l10n.t('date, as stored'),
    udt: vscode.l10n.t('Unix time, shown in {0}', zone),
    tsp: vscode.l10n.t('timestamp, as stored'),
    ddn: vscode.l10n.t('drill-down'),
    lnk: vscode.l10n.t('link'),
    flk: vscode.l10n.t('file'),
    for: vscode.l10n.t('formula'),
    cur: vscode.l10n.t('currency'),
    per: vscode.l10n.t('percentage'),
  };
  return names[code];
}

/** Localized texts for the prompt form. */
function promptTexts(): PromptTexts {
  return {
    help: (shape) =>
      [comparisonHelp(shape), zoneHelp(shape), numberHelp(shape)].filter((text) => text !== '').join(' '),
    decimalSign: decimalSign(vscode.env.language) ?? '.',
    fault,
    choicesNotice,
    choicesFailure: (error) =>
      vscode.l10n.t(
        'The values could not be read: {0}',
        displayText(error instanceof Error ? error.message : String(error)),
      ),
    chip,
  };
}

function help(comparison: Comparison): string {
  const words: Record<Comparison, string> = {
    equals: '',
    differs: vscode.l10n.t('Excludes rows with this value.'),
    between: vscode.l10n.t('Both ends are included.'),
    notBetween: vscode.l10n.t('Excludes rows between these two values.'),
    inList: vscode.l10n.t('Press Enter after each value. Matches rows with any of the values.'),
    notInList: vscode.l10n.t('Press Enter after each value. Excludes rows with any of the values.'),
    like: vscode.l10n.t('% matches any text, _ matches one character.'),
    notLike: vscode.l10n.t('Excludes rows that match; % matches any text, _ matches one character.'),
    contains: vscode.l10n.t('Text that the field contains.'),
    notContains: vscode.l10n.t('Excludes rows whose field contains this text.'),
    startsWith: vscode.l10n.t('Text that the field starts with.'),
    endsWith: vscode.l10n.t('Text that the field ends with.'),
    greater: vscode.l10n.t('Rows above this value.'),
    atLeast: vscode.l10n.t('Rows with this value or above.'),
    less: vscode.l10n.t('Rows below this value.'),
    atMost: vscode.l10n.t('Rows with this value or below.'),
    isEmpty: vscode.l10n.t('Rows without a value.'),
    isNotEmpty: vscode.l10n.t('Rows with any value.'),
  };
  return words[comparison];
}

/** Help on what a date without a time means in a date and time column, unless it means the whole day. */
function momentHelp(comparison: Comparison): string | undefined {
  switch (comparison) {
    case 'equals':
      return vscode.l10n.t('A date without a time means midnight.');
    case 'differs':
      return vscode.l10n.t('Excludes rows with this value; a date without a time means midnight.');
    default:
      return undefined;
  }
}

function comparisonHelp(shape: PromptShape): string {
  return (isMoment(shape) ? momentHelp(shape.comparison) : undefined) ?? help(shape.comparison);
}

/** Names the time zone of the values if the server compares in another one. */
function zoneHelp({ zones }: PromptShape): string {
  return zones === undefined ? '' : vscode.l10n.t('Time in {0}, as in the rows.', displayText(zoneTitle(zones.shown)));
}

/**
 * Help on number input for languages with a point as the thousands separator: 1.500 would be read as one and a half.
 */
function numberHelp({ input, mode }: PromptShape): string {
  if (input !== 'number' || mode === 'none' || decimalSign(vscode.env.language) === undefined) return '';
  return vscode.l10n.t('Use a comma or point as the decimal separator, and no thousands separators.');
}

function isMoment({ input }: PromptShape): boolean {
  return input === 'datetime';
}

function fault({ fault: kind, part, text }: FoundFault): string {
  switch (kind) {
    case 'missing':
      return part === 'list' ? vscode.l10n.t('Add at least one value.') : vscode.l10n.t('Enter a value.');
    case 'notANumber':
      return vscode.l10n.t('"{0}" is not a number.', displayText(text));
    case 'notADate':
      return vscode.l10n.t('Enter a complete date.');
    case 'reversed':
      return vscode.l10n.t('The end is before the start.');
  }
}

function choicesNotice({ choices, matches, listed, isLimited, isRound }: FoundChoices): string {
  const most = listed.toLocaleString(vscode.env.language);
  if (listed === 0) return vscode.l10n.t('The server lists no values; enter one.');
  if (matches === 0) {
    return isLimited || isRound
      ? vscode.l10n.t('Not among the first {0} values that the server lists. It may still exist.', most)
      : vscode.l10n.t('No value in the list matches.');
  }
  if (isLimited) {
    return vscode.l10n.t('The server lists only the first {0} values; you can enter others.', most);
  }
  if (isRound) {
    return vscode.l10n.t('The server lists {0} values and may have more; you can enter others.', most);
  }
  return matches > choices.length
    ? vscode.l10n.t('Showing the first {0} of {1} values. Type to filter.', choices.length, matches)
    : '';
}

function chip(shape: PromptShape, value: PromptValue): string {
  const signs: Record<Comparison, string> = {
    equals: '=',
    differs: '≠',
    between: '',
    notBetween: '≠',
    inList: '=',
    notInList: '≠',
    like: '~',
    notLike: '≁',
    contains: '~',
    notContains: '≁',
    startsWith: '~',
    endsWith: '~',
    greater: '>',
    atLeast: '≥',
    less: '<',
    atMost: '≤',
    isEmpty: vscode.l10n.t('is empty'),
    isNotEmpty: vscode.l10n.t('is not empty'),
  };
  const { low, high, list } = value;
  const text = shape.mode === 'between' ? `${low} – ${high}` : shape.mode === 'inList' ? list.join(', ') : low;
  return displayText(`${signs[shape.comparison]} ${text}`.trim());
}
