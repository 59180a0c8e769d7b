import type { Prompt, ReportMetadata } from '../../../contract/resources/report.ts';
import {
  emptyPromptValue,
  isAsked,
  type PromptChoices,
  type PromptForm,
  type PromptProblem,
  type PromptValue,
} from '../../../contract/pages/promptForm.ts';
import type { PromptChip } from '../../../contract/pages/resultsPage.ts';
import { PromptChoicesSource, type FoundChoices } from './promptChoices.ts';
import { answerPrompts, isLeftOut, listOf, promptDefault, promptShape, type PromptShape } from './promptFields.ts';
import { resolvedToday, dateDefault, withoutChanged } from './relativeDates.ts';
import type { ReportCalls } from '../run/reportCalls.ts';
import type { Zones } from '../../../contract/zones/zoneNames.ts';
import { dayIn } from '../../../contract/zones/zonedTimes.ts';

/** Localized texts for the form, supplied by the caller. */
export interface PromptTexts {
  help(shape: PromptShape): string;
  fault(fault: FoundFault): string;
  /** Notice below a value list. */
  choicesNotice(found: FoundChoices): string;
  choicesFailure(error: unknown): string;
  /**
   * The decimal separator of the user's language, which is accepted in numbers. A point is accepted in every language.
   */
  decimalSign: string;
  /** Short description of a prompt's value. */
  chip(shape: PromptShape, value: PromptValue): string;
}

/** The prompts of a report as last read: the form, the value lists, and the answers to send. */
export class PromptSheet {
  readonly shapes: readonly PromptShape[];
  readonly #prompts: readonly Prompt[];
  readonly #words: PromptTexts;
  readonly #source: PromptChoicesSource;
  readonly #zones: Zones;
  readonly #today: () => string;

  /** @param zones those of the report's `dat` columns; relative dates are days of the one that is shown. */
  constructor(
    metadata: ReportMetadata,
    { calls, words, now }: { now: () => Date; calls: Pick<ReportCalls, 'fieldValues'>; words: PromptTexts },
    zones: Zones,
  ) {
    this.#prompts = metadata.Prompts ?? [];
    this.#words = words;
    this.#zones = zones;
    this.#today = () => dayIn(zones.shown, now().getTime());
    this.#source = new PromptChoicesSource((prompt) => calls.fieldValues(metadata, prompt), this.#today);
    this.shapes = this.#prompts.map((prompt) => promptShape(prompt, zones));
  }

  /** Whether the report has no prompts. */
  get isEmpty(): boolean {
    return !this.shapes.some(isAsked);
  }

  /** Values by prompt index, with relative dates as of today and the server's defaults for missing values. */
  filled(values: readonly (PromptValue | undefined)[]): PromptValue[] {
    return this.#prompts.map((prompt, index) => {
      const value = values[index];
      const shape = promptShape(prompt, this.#zones);
      return value === undefined
        ? dateDefault(shape, promptDefault(prompt), this.#today())
        : resolvedToday(shape, value, this.#today());
    });
  }

  /** The form with `values`, the server's defaults for missing values, and the names of the presets. */
  form(values: readonly (PromptValue | undefined)[], presets: string[]): Omit<PromptForm, 'number' | 'problems'> {
    return {
      fields: this.shapes.map((shape) => ({
        label: shape.name,
        help: this.#words.help(shape),
        mode: shape.mode,
        input: shape.input,
        isSkipable: shape.isSkipable,
        hasChoices: shape.hasChoices,
      })),
      values: this.filled(values),
      presets,
    };
  }

  /** Localized descriptions of the problems with `values`. */
  problems(values: readonly PromptValue[]): PromptProblem[] {
    const written = values.map((value, index) => this.#pointed(this.shapes[index], value));
    return validatePrompts(this.shapes, written).map((found) => ({
      index: found.index,
      part: found.part,
      message: this.#words.fault(found),
    }));
  }

  /** Adds typed but unconfirmed list text to `values`, and writes numbers as servers read them. */
  settled(values: readonly PromptValue[]): PromptValue[] {
    return this.shapes.map((shape, index) => {
      const value = this.#pointed(shape, values[index] ?? emptyPromptValue);
      return withoutChanged(shape, shape.mode === 'inList' ? { ...value, low: '', list: listOf(value) } : value);
    });
  }

  answers(values: readonly PromptValue[]): Prompt[] {
    return answerPrompts(this.#prompts, values, this.#zones);
  }

  /** Short descriptions of the values used for the rows. Omits prompts that were skipped or take no value. */
  chips(values: readonly PromptValue[]): PromptChip[] {
    return this.shapes.flatMap((shape, index) => {
      const value = values[index] ?? emptyPromptValue;
      return isLeftOut(shape, value) || !isAsked(shape)
        ? []
        : [{ label: shape.name, text: this.#words.chip(shape, value) }];
    });
  }

  /** Matching values of the prompt at `index`. A failure becomes the notice below the list. */
  async choices(index: number, search: string): Promise<PromptChoices> {
    const prompt = this.#prompts[index];
    if (prompt === undefined) return { choices: [], notice: '' };
    try {
      const found = await this.#source.find(index, prompt, search, this.shapes[index]);
      return { choices: found.choices, notice: this.#words.choicesNotice(found) };
    } catch (error) {
      return { choices: [], notice: this.#words.choicesFailure(error) };
    }
  }

  /** Replaces the decimal separator in a value's numbers with a point. */
  #pointed(shape: PromptShape | undefined, value: PromptValue): PromptValue {
    const { decimalSign } = this.#words;
    if (shape?.input !== 'number' || decimalSign === '.') return value;
    const pointed = (text: string) => {
      const [whole = '', decimals = '', ...rest] = text.trim().split(decimalSign);
      const isDecimal = rest.length === 0 && /^[+-]?\d*$/.test(whole) && /^\d+$/.test(decimals);
      return isDecimal ? `${whole}.${decimals}` : text;
    };
    return { ...value, low: pointed(value.low), high: pointed(value.high), list: value.list.map(pointed) };
  }
}

/** Problem with a value. */
type PromptFault = 'missing' | 'notANumber' | 'notADate' | 'reversed';

/** A fault and its location: the prompt's index and the control. */
export interface FoundFault {
  index: number;
  part: 'low' | 'high' | 'list';
  fault: PromptFault;
  /** The text that cannot be parsed, if any. */
  text: string;
}

/** Validates the values of a form; empty if they can be sent. */
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

/** Whether the upper bound is below the lower one. Not checked for texts, whose order depends on the database. */
function isReversed(shape: PromptShape, { low, high }: PromptValue): boolean {
  if (shape.input === 'number') return Number(high) < Number(low);
  if (shape.input === 'text') return false;
  const day = 'YYYY-MM-DD'.length;
  // An upper bound without a time includes the whole day.
  return high.length === day ? high < low.slice(0, day) : high < low;
}

function isDecimal(text: string): boolean {
  return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());
}

/** Whether `text` is a valid date, with or without a time, as {@link PromptValue} writes it. */
function isMoment(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})(?: ([01]\d|2[0-3]):[0-5]\d:[0-5]\d)?$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1, 4).map(Number);
  const moment = new Date(0);
  moment.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day ?? 0);
  return moment.getUTCMonth() + 1 === month && moment.getUTCDate() === day;
}
