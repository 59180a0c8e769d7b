import type { PromptChoice } from '../../../contract/pages/promptForm.ts';
import type { Comparison, PromptShape } from './promptFields.ts';

/** Which end of a span of days a prompt takes that asks for one value; for others only single days do. */
const ends: Partial<Record<Comparison, 'low' | 'high'>> = {
  greater: 'high',
  atMost: 'high',
  atLeast: 'low',
  less: 'low',
};

/**
 * Entries of a value list as a prompt for dates offers them: relative dates and dates, each with the days that it puts into
 * the controls. After last month is after its last day. What the prompt has no use for is left out: months where a single
 * day is asked for, and entries that are no date.
 */
export function dateChoices(choices: readonly PromptChoice[], shape: PromptShape): PromptChoice[] {
  return choices.flatMap((choice) => {
    const dates = choice.dates ?? dateIn(choice.value, shape.input === 'datetime');
    if (dates === undefined) return [];
    if (shape.mode === 'between') return [{ ...choice, dates }];
    const end = ends[shape.comparison];
    if (end === undefined) return dates.low === dates.high ? [{ ...choice, dates }] : [];
    return [{ ...choice, dates: { low: dates[end], high: dates[end] } }];
  });
}

/** A date that a server lists; its time only where the prompt takes one, and it is not midnight. */
function dateIn(text: string, hasTime: boolean): PromptChoice['dates'] {
  const parts = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?Z?)?$/.exec(text.trim());
  if (parts === null) return undefined;
  const [, day = '', time = '00:00', seconds = ':00'] = parts;
  const isMidnight = time === '00:00' && seconds === ':00';
  const date = hasTime && !isMidnight ? `${day} ${time}${seconds}` : day;
  return { low: date, high: date };
}
