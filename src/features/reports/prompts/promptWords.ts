import * as vscode from 'vscode';
import type { PromptValue } from '../../../contract/pages/promptForm.ts';
import { displayText } from '../../../editor/displayText.ts';
import { decimalSign } from '../view/format/cellFormat.ts';
import type { FoundChoices } from './promptChoices.ts';
import type { Comparison, PromptShape } from './promptFields.ts';
import type { PromptWords, FoundFault } from './promptSheet.ts';

/** Words of the prompt form in the editor's language. */
export function promptWords(): PromptWords {
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
    differs: vscode.l10n.t('Leaves out rows with this value.'),
    between: vscode.l10n.t('Both ends are included.'),
    notBetween: vscode.l10n.t('Leaves out rows between these two.'),
    inList: vscode.l10n.t('Press Enter after each value; any of them matches.'),
    notInList: vscode.l10n.t('Press Enter after each value; leaves out rows with any of them.'),
    like: vscode.l10n.t('% stands for any text, _ for one character.'),
    notLike: vscode.l10n.t('Leaves out rows that match; % stands for any text, _ for one character.'),
    contains: vscode.l10n.t('Text that the field contains.'),
    notContains: vscode.l10n.t('Leaves out rows whose field contains this text.'),
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

/** What a day without a time means for a column of moments, where that is not its whole day. */
function momentHelp(comparison: Comparison): string | undefined {
  switch (comparison) {
    case 'equals':
      return vscode.l10n.t('A day without a time means midnight.');
    case 'differs':
      return vscode.l10n.t('Leaves out rows with this value; a day without a time means midnight.');
    default:
      return undefined;
  }
}

function comparisonHelp(shape: PromptShape): string {
  return (isMoment(shape) ? momentHelp(shape.comparison) : undefined) ?? help(shape.comparison);
}

/** Says that what is entered is UTC, where the rows show another time. */
function zoneHelp({ isUtc }: PromptShape): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!isUtc || ['UTC', 'Etc/UTC', 'GMT', 'Etc/GMT'].includes(zone)) return '';
  return vscode.l10n.t('In UTC; the rows show the time in {0}.', zone);
}

/** Says how numbers are written where a point usually stands between thousands: 1.500 would be one and a half. */
function numberHelp({ input, mode }: PromptShape): string {
  if (input !== 'number' || mode === 'none' || decimalSign(vscode.env.language) === undefined) return '';
  return vscode.l10n.t('A comma or a point stands before decimals, and nothing between thousands.');
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
      return vscode.l10n.t('The end lies before the start.');
  }
}

function choicesNotice({ choices, matches, listed, isLimited, isRound }: FoundChoices): string {
  const most = listed.toLocaleString(vscode.env.language);
  if (listed === 0) return vscode.l10n.t('The server lists no values; type one.');
  if (matches === 0) {
    return isLimited || isRound
      ? vscode.l10n.t('Not among the first {0} values that the server lists; it may exist all the same.', most)
      : vscode.l10n.t('No value in the list matches.');
  }
  if (isLimited) {
    return vscode.l10n.t('The server lists only the first {0} values; others can be typed.', most);
  }
  if (isRound) {
    return vscode.l10n.t('The server lists {0} values and may have more; others can be typed.', most);
  }
  return matches > choices.length
    ? vscode.l10n.t('First {0} of {1} values; type to narrow them down.', choices.length, matches)
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
