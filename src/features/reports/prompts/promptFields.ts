import { readOperator, valuesTaken, type Operator } from '../../../contract/operators.ts';
import type { Prompt } from '../../../contract/resources/report.ts';
import type { Zones } from '../../../contract/zones/zoneNames.ts';
import { rezoned } from '../../../contract/zones/zonedTimes.ts';
import {
  emptyPromptValue,
  type PromptInput,
  type PromptMode,
  type PromptValue,
} from '../../../contract/pages/promptForm.ts';

/** How a prompt's value is compared. More specific than its mode if the server sends the operator. */
export type Comparison =
  | 'equals'
  | 'differs'
  | 'between'
  | 'notBetween'
  | 'inList'
  | 'notInList'
  | 'like'
  | 'notLike'
  | 'contains'
  | 'notContains'
  | 'startsWith'
  | 'endsWith'
  | 'greater'
  | 'atLeast'
  | 'less'
  | 'atMost'
  | 'isEmpty'
  | 'isNotEmpty';

/** A prompt as the form needs it, without localized texts. */
export interface PromptShape {
  /** Name of the filtered field. */
  name: string;
  mode: PromptMode;
  input: PromptInput;
  comparison: Comparison;
  isSkipable: boolean;
  hasChoices: boolean;
  /** The zones that the server compares in and that the form and the rows show, if they differ. */
  zones?: Zones;
}

const defaultComparison: Record<PromptMode, Comparison> = {
  equals: 'equals',
  between: 'between',
  inList: 'inList',
  like: 'like',
  greaterThan: 'greater',
  lessThan: 'less',
  none: 'isEmpty',
};

/** Operators of the prompting criteria row that say more than the flags. For others, the flags suffice. */
const comparisons: Partial<Record<Operator, Comparison>> = {
  '<>': 'differs',
  'not between': 'notBetween',
  'not in': 'notInList',
  'not like': 'notLike',
  contains: 'contains',
  'not contains': 'notContains',
  'starts with': 'startsWith',
  'ends with': 'endsWith',
  '>=': 'atLeast',
  '<=': 'atMost',
  'is not null': 'isNotEmpty',
};

/**
 * Properties of a prompt that the form needs. API description, Prompt.
 * @param zones those of the report's `dat` columns; by default the form shows what the server compares.
 */
export function promptShape(prompt: Prompt, zones?: Zones): PromptShape {
  const mode = modeOf(prompt);
  const operator = operatorOf(prompt);
  const input = mode === 'like' || mode === 'none' ? 'text' : inputOf(prompt.PromptField?.Fieldtype);
  return {
    name: promptName(prompt),
    mode,
    input,
    comparison: (operator && comparisons[operator]) ?? defaultComparison[mode],
    isSkipable: prompt.isSkipable === true,
    hasChoices: mode !== 'like' && mode !== 'none',
    ...(input === 'datetime' && zones !== undefined && differentZones(prompt.PromptField?.Fieldtype, zones)),
  };
}

function differentZones(fieldType: string | null | undefined, { stored, shown }: Zones): Pick<PromptShape, 'zones'> {
  const compared = fieldType === 'dat' ? stored : fieldType === 'udt' ? 'UTC' : shown;
  return compared === shown ? {} : { zones: { stored: compared, shown } };
}

/** Name of a prompt's field for display. */
function promptName(prompt: Prompt): string {
  const field = prompt.PromptField;
  const names = [field?.DisplayFieldName, field?.ReportFieldName, field?.RenamedField, field?.DbFieldName];
  return names.find((name) => typeof name === 'string' && name.trim() !== '') ?? '';
}

/** Initial form value of a prompt: its default, if any. */
export function promptDefault(prompt: Prompt): PromptValue {
  const low = prompt.LowValue ?? '';
  const isSkipped = prompt.isSkipped === true && prompt.isSkipable === true;
  const isList = modeOf(prompt) === 'inList';
  return { low: isList ? '' : low, high: prompt.HighValue ?? '', list: isList ? readInList(low) : [], isSkipped };
}

/** Whether a prompt is skipped: by the user, or because it is optional and has no valid value. */
export function isLeftOut(shape: PromptShape, value: PromptValue): boolean {
  if (!shape.isSkipable) return false;
  if (shape.mode === 'none') return value.isSkipped;
  const isEmpty = value.low.trim() === '' && value.high.trim() === '' && value.list.length === 0;
  return value.isSkipped || isEmpty;
}

/** Values of a list, including typed text that is not confirmed yet. */
export function listOf({ list, low }: PromptValue): string[] {
  const typed = low.trim();
  return typed === '' || list.includes(typed) ? list : [...list, typed];
}

/**
 * The prompts with `values` filled in, in the same order and number, otherwise unchanged. Times are converted to the
 * zone that the server compares in. API description, ReplacePromptCollection.
 */
export function answerPrompts(prompts: readonly Prompt[], values: readonly PromptValue[], zones?: Zones): Prompt[] {
  return prompts.map((prompt, index) =>
    answerPrompt(prompt, promptShape(prompt, zones), values[index] ?? emptyPromptValue),
  );
}

function answerPrompt(prompt: Prompt, shape: PromptShape, value: PromptValue): Prompt {
  if (isLeftOut(shape, value)) return { ...prompt, isSkipped: true, LowValue: null, HighValue: null };
  const { mode, input } = shape;
  const answered = { ...prompt, isSkipped: false };
  if (mode === 'none') return { ...answered, LowValue: null, HighValue: null };
  const low = input === 'number' ? value.low.trim() : value.low;
  const high = input === 'number' ? value.high.trim() : value.high;
  if (mode === 'inList') {
    const list = listOf(value).map((text) => comparedDay(shape, text));
    return { ...answered, LowValue: writeInList(list), HighValue: null };
  }
  const end = (text: string) => comparedTime(shape, input === 'datetime' ? endOfDay(text) : text);
  if (mode === 'between') return { ...answered, LowValue: comparedTime(shape, low), HighValue: end(high) };
  return { ...answered, LowValue: singleValue(shape, low, end), HighValue: null };
}

/** The value of a prompt that takes one. `greater` and `atMost` refer to the end of a day. */
function singleValue(shape: PromptShape, low: string, end: (text: string) => string): string {
  switch (shape.comparison) {
    case 'greater':
    case 'atMost':
      return end(low);
    case 'atLeast':
    case 'less':
      return comparedTime(shape, low);
    default:
      return comparedDay(shape, low);
  }
}

/** A date, with or without a time, in the zone that the server compares in. */
function comparedTime({ zones }: PromptShape, text: string): string {
  return zones === undefined ? text : rezoned(text, zones.shown, zones.stored);
}

/** Like {@link comparedTime}, but keeps a date without a time, which may mean the whole day. */
function comparedDay(shape: PromptShape, text: string): string {
  return text.includes(':') ? comparedTime(shape, text) : text;
}

/** A date as the upper bound includes the whole day if the server compares dates with times. */
function endOfDay(text: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} 23:59:59` : text;
}

function modeOf(prompt: Prompt): PromptMode {
  if (prompt.isBetween === true) return 'between';
  if (prompt.isInList === true) return 'inList';
  if (prompt.isLike === true) return 'like';
  if (prompt.isGreaterThan === true) return 'greaterThan';
  if (prompt.isLessThan === true) return 'lessThan';
  const operator = operatorOf(prompt);
  return operator !== undefined && valuesTaken(operator) === 'none' ? 'none' : 'equals';
}

/** Operator of the prompting criteria row; undefined if the server does not send it. */
function operatorOf(prompt: Prompt): Operator | undefined {
  return readOperator(prompt.PromptField?.Criteria?.[0]?.Op ?? '');
}

/** Input control for a field type code. API description, Field type codes. */
function inputOf(fieldType: string | null | undefined): PromptInput {
  switch (fieldType) {
    case 'num':
    case 'cur':
    case 'per':
      return 'number';
    case 'doz':
      return 'date';
    case 'dat':
    case 'dtz':
    case 'udt':
    case 'tsp':
      return 'datetime';
    default:
      return 'text';
  }
}

/**
 * Writes the values of a list prompt as its single LowValue, separated by commas. A value that contains a comma, a
 * quote or leading or trailing whitespace is put in double quotes, with inner quotes doubled. API description, Prompt
 * (isInList).
 */
export function writeInList(values: readonly string[]): string {
  return values.map((value) => (needsQuotes(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',');
}

/** Parses the output of {@link writeInList}, and other lists with either kind of quote. Drops empty values. */
export function readInList(text: string): string[] {
  const item = /\s*(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)'|([^,]*))\s*(?:,|$)/y;
  const values: string[] = [];
  while (item.lastIndex < text.length) {
    const match = item.exec(text);
    if (match === null) return text.split(',').map((part) => part.trim());
    const [, double, single, plain = ''] = match;
    const value = double?.replaceAll('""', '"') ?? single?.replaceAll("''", "'") ?? plain.trim();
    if (value !== '' || double !== undefined || single !== undefined) values.push(value);
  }
  return values;
}

function needsQuotes(value: string): boolean {
  return value === '' || value.trim() !== value || /[,"']/.test(value);
}
