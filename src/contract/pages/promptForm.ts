/** What the prompt form shows and sends back. The host translates between this and the server's prompts. */

/** What a prompt compares with: one value, two ends, a list, a pattern, a limit on one side, or nothing. */
export type PromptMode = 'equals' | 'between' | 'inList' | 'like' | 'greaterThan' | 'lessThan' | 'none';

/** Which control a prompt's value is entered with. */
export type PromptInput = 'text' | 'number' | 'date' | 'datetime';

/** One prompt as the form shows it; its place in the form is its place among the report's prompts. */
export interface PromptField {
  label: string;
  /** One line under the control that says how the value is used. */
  help: string;
  mode: PromptMode;
  input: PromptInput;
  isSkipable: boolean;
  /** Whether values can be looked up on the server. */
  hasChoices: boolean;
}

/** A relative date that was chosen, such as last month, and the days that it put into the controls. */
export interface RelativeDate {
  /** As the server lists it: `[Last Month]`. */
  expression: string;
  label: string;
  low: string;
  high: string;
}

/**
 * What was entered for one prompt. `low` holds the value, or the lower end when the mode is between; `high` the upper
 * end; `list` the values of a list. Dates are `YYYY-MM-DD`, with ` HH:mm:ss` where a time was given.
 */
export interface PromptValue {
  low: string;
  high: string;
  list: string[];
  isSkipped: boolean;
  /** Where days came from that were chosen as relative dates; see {@link fixedDates}. */
  relative?: RelativeDate[];
}

/** What is wrong with one prompt, in words to show under its control. */
export interface PromptProblem {
  /** Place of the prompt in the form. */
  index: number;
  /** Which of its controls the words belong to. */
  part: 'low' | 'high' | 'list';
  message: string;
}

/** One value offered for a prompt. */
export interface PromptChoice {
  /** What is sent when it is chosen. */
  value: string;
  /** What is shown. */
  label: string;
  /** For a date: the days that it puts into the controls; for a relative one those it stands for today. */
  dates?: { low: string; high: string };
  isRelative?: boolean;
}

/** Values offered for a prompt that match what was typed. */
export interface PromptChoices {
  choices: PromptChoice[];
  /** Words to show beneath the list: that it was cut short, that nothing matches, or why there is none. */
  notice: string;
}

/** Whether a prompt has something to ask: one that compares with nothing has only whether it is skipped. */
export function isAsked({ mode, isSkipable }: Pick<PromptField, 'mode' | 'isSkipable'>): boolean {
  return mode !== 'none' || isSkipable;
}

/** The form: its prompts and what stands in them. */
export interface PromptForm {
  /** What names this form: another one is filled in anew. */
  number: number;
  fields: PromptField[];
  values: PromptValue[];
  /** What the server said is wrong with the values, before they can be sent again. */
  problems: PromptProblem[];
  /** Names under which values were kept for this report, in alphabetical order. */
  presets: string[];
}

/** The names there are after one was added or removed, and the one that stands in the form now. */
export interface PromptPresets {
  names: string[];
  chosen: string;
}

/** A prompt that nothing was entered for. */
export const emptyPromptValue: PromptValue = { low: '', high: '', list: [], isSkipped: false };

/** The relative dates whose days still stand in a value: of those that were changed by hand since, nothing is known. */
export function fixedDates(mode: PromptMode, { low, high, list, relative = [] }: PromptValue): RelativeDate[] {
  return relative.filter((date) => {
    if (mode === 'inList') return list.includes(date.low);
    return date.low === low && (mode !== 'between' || date.high === high);
  });
}
