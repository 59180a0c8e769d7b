import type { PromptValue } from '../../../contract/pages/promptForm.ts';
import { isLeftOut, listOf } from './promptFields.ts';
import type { PromptShape } from './promptFields.ts';

/** What can be wrong with a value. */
export type PromptFault = 'missing' | 'notANumber' | 'notADate' | 'reversed';

/** A fault and where it is: the prompt's place and which of its controls. */
export interface FoundFault {
  index: number;
  part: 'low' | 'high' | 'list';
  fault: PromptFault;
  /** The text that cannot be read, where there is one. */
  text: string;
}

/** What is wrong with the values of a form; empty when they can be sent. */
export function validatePrompts(shapes: readonly PromptShape[], values: readonly PromptValue[]): FoundFault[] {
  return shapes.flatMap((shape, index) => {
    const value = values[index];
    if (value === undefined) return [{ index, part: 'low' as const, fault: 'missing' as const, text: '' }];
    if (isLeftOut(shape, value)) return [];
    return faultsOf(shape, value).map((found) => ({ index, ...found }));
  });
}

type Found = Omit<FoundFault, 'index'>;

function faultsOf(shape: PromptShape, value: PromptValue): Found[] {
  if (shape.mode === 'none') return [];
  if (shape.mode === 'inList') return listFaults(shape, listOf(value));
  const parts = shape.mode === 'between' ? (['low', 'high'] as const) : (['low'] as const);
  const faults = parts.flatMap((part): Found[] => {
    const text = value[part];
    const fault = faultOf(shape, text);
    return fault === undefined ? [] : [{ part, fault, text }];
  });
  if (faults.length > 0 || shape.mode !== 'between' || !isReversed(shape, value)) return faults;
  return [{ part: 'high', fault: 'reversed', text: value.high }];
}

function listFaults(shape: PromptShape, list: readonly string[]): Found[] {
  if (list.length === 0) return [{ part: 'list', fault: 'missing', text: '' }];
  const bad = list.find((text) => faultOf(shape, text) !== undefined);
  if (bad === undefined) return [];
  return [{ part: 'list', fault: faultOf(shape, bad) ?? 'missing', text: bad }];
}

function faultOf(shape: PromptShape, text: string): PromptFault | undefined {
  if (text.trim() === '') return 'missing';
  if (shape.input === 'number') return isDecimal(text) ? undefined : 'notANumber';
  if (shape.input === 'text') return undefined;
  return isMoment(text) ? undefined : 'notADate';
}

/** Whether the upper end lies below the lower one. Texts are left to the database, whose order is its own. */
function isReversed(shape: PromptShape, { low, high }: PromptValue): boolean {
  if (shape.input === 'number') return Number(high) < Number(low);
  if (shape.input === 'text') return false;
  const day = 'YYYY-MM-DD'.length;
  // An upper end without a time is the whole day.
  return high.length === day ? high < low.slice(0, day) : high < low;
}

function isDecimal(text: string): boolean {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());
}

/** Whether `text` is a day of the calendar, with or without a time, as {@link PromptValue} writes them. */
function isMoment(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?: ([01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1, 4).map(Number);
  const moment = new Date(0);
  moment.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day ?? 0);
  return moment.getUTCMonth() + 1 === month && moment.getUTCDate() === day;
}
