import type { Prompt, ReportMetadata } from '../../../contract/resources/report.ts';
import { emptyPromptValue, isAsked } from '../../../contract/pages/promptForm.ts';
import type { PromptChoices, PromptForm, PromptProblem, PromptValue } from '../../../contract/pages/promptForm.ts';
import type { PromptChip } from '../../../contract/pages/resultsPage.ts';
import { PromptChoicesSource } from './promptChoices.ts';
import type { FoundChoices } from './promptChoices.ts';
import { answerPrompts, isLeftOut, listOf, promptDefault, promptShape } from './promptFields.ts';
import type { PromptShape } from './promptFields.ts';
import { asOfToday, datedDefault, withoutChanged } from './relativeValues.ts';
import { validatePrompts } from './promptValidation.ts';
import type { FoundFault } from './promptValidation.ts';
import type { ReportCalls } from '../run/reportCalls.ts';

/** Words of the form, translated by whoever shows it. */
export interface PromptWords {
  help(shape: PromptShape): string;
  fault(fault: FoundFault): string;
  /** What to say beneath a value list. */
  choicesNotice(found: FoundChoices): string;
  choicesFailure(error: unknown): string;
  /** The sign before decimals in the user's language, which numbers may be typed with; a point is one in every language. */
  decimalSign: string;
  /** One prompt's value in few words. */
  chip(shape: PromptShape, value: PromptValue): string;
}

/** The prompts of one report as it was just read: its form, its value lists, and the answers to send. */
export class PromptSheet {
  readonly shapes: readonly PromptShape[];
  readonly #prompts: readonly Prompt[];
  readonly #words: PromptWords;
  readonly #source: PromptChoicesSource;
  readonly #now: () => Date;

  constructor(metadata: ReportMetadata, calls: Pick<ReportCalls, 'fieldValues'>, words: PromptWords, now: () => Date) {
    this.#prompts = metadata.Prompts ?? [];
    this.#words = words;
    this.#now = now;
    this.#source = new PromptChoicesSource((prompt) => calls.fieldValues(metadata, prompt), now);
    this.shapes = this.#prompts.map(promptShape);
  }

  /** Whether the report asks for nothing. */
  get isEmpty(): boolean {
    return !this.shapes.some(isAsked);
  }

  /** Values by place, relative dates as of today, with the server's defaults where there are none. */
  filled(values: readonly (PromptValue | undefined)[]): PromptValue[] {
    return this.#prompts.map((prompt, index) => {
      const value = values[index];
      const shape = promptShape(prompt);
      return value === undefined
        ? datedDefault(shape, promptDefault(prompt), this.#now())
        : asOfToday(shape, value, this.#now());
    });
  }

  /** The form with `values`, the server's defaults where there are none, and the names under which others are kept. */
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

  /** What is wrong with `values`, in words. */
  problems(values: readonly PromptValue[]): PromptProblem[] {
    const written = values.map((value, index) => this.#pointed(this.shapes[index], value));
    return validatePrompts(this.shapes, written).map((found) => ({
      index: found.index,
      part: found.part,
      message: this.#words.fault(found),
    }));
  }

  /** `values` with what was typed into a list, but not confirmed, taken into it, and numbers as servers read them. */
  settled(values: readonly PromptValue[]): PromptValue[] {
    return this.shapes.map((shape, index) => {
      const value = this.#pointed(shape, values[index] ?? emptyPromptValue);
      return withoutChanged(shape, shape.mode === 'inList' ? { ...value, low: '', list: listOf(value) } : value);
    });
  }

  answers(values: readonly PromptValue[]): Prompt[] {
    return answerPrompts(this.#prompts, values);
  }

  /** What the rows were asked for with, in few words; prompts that were left out, or ask for nothing, say nothing. */
  chips(values: readonly PromptValue[]): PromptChip[] {
    return this.shapes.flatMap((shape, index) => {
      const value = values[index] ?? emptyPromptValue;
      return isLeftOut(shape, value) || !isAsked(shape)
        ? []
        : [{ label: shape.name, text: this.#words.chip(shape, value) }];
    });
  }

  /** Values of the prompt at `index` that match; a failure becomes the notice beneath the list. */
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

  /** A value with a point before the decimals of its numbers. */
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
