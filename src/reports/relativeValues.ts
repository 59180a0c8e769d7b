import { standingDates } from '../protocol/promptForm.ts';
import type { PromptValue, RelativeDate } from '../protocol/promptForm.ts';
import { dateChoices } from './dateChoices.ts';
import type { PromptShape } from './promptFields.ts';
import { resolveRelativeDate } from './relativeDates.ts';

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
