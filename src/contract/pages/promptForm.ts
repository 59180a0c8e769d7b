/** Data that the prompt form shows and sends back. The host converts between this and the server's prompts. */

/** What a prompt compares with: one value, a range, a list, a pattern, a limit on one side, or nothing. */
export type PromptMode = 'equals' | 'between' | 'inList' | 'like' | 'greaterThan' | 'lessThan' | 'none';

/** Control for entering a prompt's value. */
export type PromptInput = 'text' | 'number' | 'date' | 'datetime';

/** One prompt in the form; its index in the form is its index among the report's prompts. */
export interface PromptField {
  label: string;
  /** One line under the control that explains how the value is used. */
  help: string;
  mode: PromptMode;
  input: PromptInput;
  isSkipable: boolean;
  /** Whether values can be looked up on the server. */
  hasChoices: boolean;
}

/** A selected relative date, such as last month, and the days that it set in the controls. */
export interface RelativeDate {
  /** As listed by the server: `[Last Month]`. */
  expression: string;
  label: string;
  low: string;
  high: string;
}

/**
 * The value entered for one prompt. `low` is the value, or the lower end when the mode is between; `high` the upper
 * end; `list` the values of a list. Dates are `YYYY-MM-DD`, with ` HH:mm:ss` if a time was entered.
 */
export interface PromptValue {
  low: string;
  high: string;
  list: string[];
  isSkipped: boolean;
  /** The relative dates that days were selected with; see {@link fixedDates}. */
  relative?: RelativeDate[];
}

/** A problem with one prompt, as text to show under its control. */
export interface PromptProblem {
  /** Index of the prompt in the form. */
  index: number;
  /** The control that the text belongs to. */
  part: 'low' | 'high' | 'list';
  message: string;
}

/** One value offered for a prompt. */
export interface PromptChoice {
  /** Value to send when it is selected. */
  value: string;
  /** Text to show. */
  label: string;
  /** For a date, the days that it sets in the controls; for a relative date, the days it means today. */
  dates?: { low: string; high: string };
  isRelative?: boolean;
}

/** Values offered for a prompt that match the typed text. */
export interface PromptChoices {
  choices: PromptChoice[];
  /** Text to show below the list: that it was shortened, that nothing matches, or why there is none. */
  notice: string;
}

/** Whether a prompt needs input: one that compares with nothing can only be skipped. */
export function isAsked({ mode, isSkipable }: Pick<PromptField, 'mode' | 'isSkipable'>): boolean {
  return mode !== 'none' || isSkipable;
}

/** The form: its prompts and their current values. */
export interface PromptForm {
  /** Identifies this form; a form with another number starts with new values. */
  number: number;
  fields: PromptField[];
  values: PromptValue[];
  /** Problems that the server reported with the values, which must be fixed before running again. */
  problems: PromptProblem[];
  /** Names of the saved values of this report, in alphabetical order. */
  presets: string[];
}

/** The names after one was added or removed, and the one selected in the form now. */
export interface PromptPresets {
  names: string[];
  chosen: string;
}

/** Value of a prompt without input. */
export const emptyPromptValue: PromptValue = { low: '', high: '', list: [], isSkipped: false };

/** The relative dates whose days are still in a value; those edited by hand since are dropped. */
export function fixedDates(mode: PromptMode, { low, high, list, relative = [] }: PromptValue): RelativeDate[] {
  return relative.filter((date) => {
    if (mode === 'inList') return list.includes(date.low);
    return date.low === low && (mode !== 'between' || date.high === high);
  });
}
