import { standingDates } from '../../../contract/pages/promptForm.ts';
import type { PromptValue, RelativeDate } from '../../../contract/pages/promptForm.ts';
import { dateChoices } from './dateChoices.ts';
import type { PromptShape } from './promptFields.ts';
import { resolveRelativeDate } from './relativeDates.ts';
import type { DaySpan } from './relativeDates.ts';

/**
 * A value that was kept, as it reads today: last month is another one than when it was chosen. Days that were entered stay.
 * @param today in the user's calendar.
 */
export function asOfToday(shape: PromptShape, value: PromptValue, today: Date): PromptValue {
  return withoutChanged(shape, standingDates(shape.mode, value).reduce(moved(shape, today), value));
}

/** A value without the relative dates whose days were changed since. */
export function withoutChanged({ mode }: PromptShape, { relative, ...value }: PromptValue): PromptValue {
  const standing = standingDates(mode, { ...value, relative });
  return standing.length === 0 ? value : { ...value, relative: standing };
}

/** Puts today's days of a relative date in the place of those that it stood for. */
function moved(shape: PromptShape, today: Date): (value: PromptValue, date: RelativeDate) => PromptValue {
  return (value, date) => {
    const { expression, label } = date;
    const dates = resolveRelativeDate(expression, today);
    const [choice] = dateChoices(dates === undefined ? [] : [{ value: expression, label, dates }], shape);
    // One that can be read no longer keeps its days.
    if (choice?.dates === undefined) return value;
    const { low, high } = choice.dates;
    const relative = value.relative?.map((each) => (each === date ? { ...date, low, high } : each));
    if (shape.mode === 'inList') {
      const list = [...new Set(value.list.map((text) => (text === date.low ? low : text)))];
      return { ...value, list, relative };
    }
    return shape.mode === 'between' ? { ...value, low, high, relative } : { ...value, low, relative };
  };
}

/**
 * A default that the server gives, as a prompt for dates is filled in: relative dates with today's days, others as
 * {@link PromptValue} writes them. What is no date that the prompt takes stays as it came.
 * @param today in the user's calendar.
 */
export function datedDefault(shape: PromptShape, value: PromptValue, today: Date): PromptValue {
  if (shape.input !== 'date' && shape.input !== 'datetime') return value;
  const read = (text: string) => relativeIn(shape, text, today) ?? { ...dayIn(shape, text), expression: undefined };
  if (shape.mode === 'inList') {
    const found = value.list.map(read);
    return withRelative({ ...value, list: found.map(({ low }) => low) }, found);
  }
  const low = read(value.low);
  if (shape.mode !== 'between') return withRelative({ ...value, low: low.low }, [low]);
  // A relative range may be given by its one expression.
  const isOne = low.expression !== undefined && (value.high === '' || value.high === value.low);
  const high = isOne ? low : read(value.high);
  return withRelative({ ...value, low: low.low, high: high.high }, isOne ? [low] : []);
}

type FoundDate = Omit<RelativeDate, 'expression' | 'label'> & { expression: string | undefined; label?: string };

function withRelative(value: PromptValue, found: readonly FoundDate[]): PromptValue {
  const relative = found.flatMap(({ expression, label = '', low, high }) =>
    expression === undefined ? [] : [{ expression, label, low, high }],
  );
  return relative.length === 0 ? value : { ...value, relative };
}

/** The days that a relative date puts into the controls; undefined for every other text. */
function relativeIn(shape: PromptShape, text: string, today: Date): FoundDate | undefined {
  const [, label] = /^\[(.*)\]$/.exec(text.trim()) ?? [];
  const dates = label === undefined ? undefined : resolveRelativeDate(text, today);
  if (label === undefined || dates === undefined) return undefined;
  const [choice] = dateChoices([{ value: text, label, dates }], shape);
  return choice?.dates && { expression: text.trim(), label, ...choice.dates };
}

/** A day, or a moment where the prompt takes one, without the letters that some servers write. */
function dayIn({ input }: PromptShape, text: string): DaySpan {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?Z?)?$/.exec(text.trim());
  const [, day = text, time, seconds = ':00'] = parts ?? [];
  const written = input === 'datetime' && time !== undefined ? `${day} ${time}${seconds}` : day;
  return { low: written, high: written };
}
