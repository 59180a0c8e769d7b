import { isDeepStrictEqual } from 'node:util';
import { isClientError } from '../../../client/clientError.ts';
import type { Prompt, ReportMetadata } from '../../../contract/resources/report.ts';
import {
  isAsked,
  type PromptChoices,
  type PromptForm,
  type PromptProblem,
  type PromptValue,
} from '../../../contract/pages/promptForm.ts';
import type { PromptChip } from '../../../contract/pages/resultsPage.ts';
import { requestedValues, placesOfValues, type RequestedValues } from './promptMemory.ts';
import { PromptSheet } from './promptSheet.ts';
import type { LastRun, RunOptions } from '../run/runOptions.ts';
import type { ReportReader } from '../run/reportCalls.ts';
import type { Zones } from '../../../contract/zones/zoneNames.ts';
import type { ReportTarget } from '../../../editor/commands/services.ts';

type PromptedRun = Pick<LastRun, 'values' | 'asked' | 'chips' | 'isUnprompted'>;
type PromptOptions = Pick<RunOptions, 'target' | 'calls' | 'memory' | 'words' | 'now' | 'listener'>;

/** Gives the report with its answers if they were sent for this report before it was read again. */
type AnsweredAhead = (metadata: ReportMetadata, answers: readonly Prompt[]) => Promise<ReportMetadata> | undefined;

let lastForm = 0;

/** The prompts of a report and the values for its runs, across runs. */
export class RunPrompts {
  readonly #options: PromptOptions;
  #sheet: PromptSheet | undefined;
  /** The open form: its number and its prompts, which stay the same when the report is reloaded. */
  #openForm: { number: number; sheet: PromptSheet } | undefined;
  #values: PromptValue[] | undefined;
  /** What the values were entered for; undefined if unknown. */
  #asked: RequestedValues[] | undefined;
  /** Problems that the server reported for the values. */
  #refused: PromptProblem[] = [];
  #chips: PromptChip[] = [];
  #isLeftOut = false;

  constructor(options: PromptOptions) {
    this.#options = options;
  }

  /** Whether the report has been read. */
  get isRead(): boolean {
    return this.#sheet !== undefined;
  }

  /** Whether the report has prompts, as far as known. */
  get isAsking(): boolean {
    return this.#sheet?.isEmpty === false || (this.#values?.length ?? 0) > 0;
  }

  /** Whether all prompts are skipped, so that none of them filters. */
  get isLeftOut(): boolean {
    return this.#isLeftOut;
  }

  get values(): PromptValue[] | undefined {
    return this.#values;
  }

  /** Short descriptions of the values. */
  get chips(): PromptChip[] {
    return this.#chips;
  }

  /** The open form. */
  get form(): PromptForm | null {
    if (this.#openForm === undefined) return null;
    const { number, sheet } = this.#openForm;
    const { memory, target } = this.#options;
    const values = this.#valuesFor(sheet) ?? memory.recall(target.connectionId, target.reportId, sheet.shapes);
    return { ...sheet.form(values, memory.presetNames(target)), number, problems: this.#refused };
  }

  /** The presets, for the form. */
  get presets(): RunPresets {
    const { memory, target } = this.#options;
    return new RunPresets(memory, target, this.#formSheet);
  }

  /** The values for another run; undefined before the first. */
  get last(): PromptedRun | undefined {
    if (this.#isLeftOut) return { values: [], chips: this.#chips, isUnprompted: true };
    return this.#values && { values: this.#values, asked: this.#asked, chips: this.#chips };
  }

  /** Applies the values of an earlier run. */
  take({ values, asked, chips, isUnprompted = false }: PromptedRun): void {
    this.#isLeftOut = isUnprompted;
    this.#values = isUnprompted ? undefined : values;
    this.#asked = asked;
    this.#chips = chips;
  }

  /** Clears the values. */
  forget(): void {
    this.#isLeftOut = false;
    this.#values = undefined;
    this.#chips = [];
  }

  /** Skips all prompts from now on. */
  leaveOut(): void {
    this.take({ values: [], chips: [{ label: '', text: this.#options.words.unprompted() }], isUnprompted: true });
  }

  /** Applies the prompts of the report as last read, whose `dat` columns have these zones. */
  read(metadata: ReportMetadata, zones: Zones): void {
    this.#sheet = new PromptSheet(metadata, this.#options, zones);
  }

  /** Applies the values of the form unless they have problems, and returns the problems. */
  submit(values: PromptValue[]): PromptProblem[] {
    const sheet = this.#formSheet;
    const problems = sheet?.problems(values) ?? [];
    if (problems.length > 0) return problems;
    this.#isLeftOut = false;
    this.#values = sheet?.settled(values) ?? values;
    this.#asked = sheet && requestedValues(sheet.shapes);
    this.#chips = sheet?.chips(this.#values) ?? [];
    return [];
  }

  /** The answers to send; undefined if the user must be asked. Stores the values that they are based on. */
  async answers(hasValues: boolean): Promise<Prompt[] | undefined> {
    const sheet = this.#sheet;
    if (sheet === undefined) return undefined;
    const values = sheet.isEmpty ? [] : hasValues ? this.#fitting(sheet) : undefined;
    if (values === undefined) return undefined;
    this.#values = values;
    this.#asked = requestedValues(sheet.shapes);
    this.#chips = sheet.chips(values);
    const { memory, target } = this.#options;
    if (!sheet.isEmpty) await memory.keep(target.connectionId, target.reportId, sheet.shapes, values);
    // A prompt whose operator takes no value still filters.
    return sheet.answers(values);
  }

  /** Answers the prompts of the report as last read with the values, while it is read again. */
  answeredAhead(reader: ReportReader, signal: AbortSignal): AnsweredAhead | undefined {
    const sheet = this.#sheet;
    const values = sheet && !sheet.isEmpty ? this.#fitting(sheet) : undefined;
    const answers = values && sheet?.answers(values);
    if (answers === undefined || answers.length === 0) return undefined;
    const beside = reader.beside((last) => this.#options.calls.answer(last, answers, signal));
    return (metadata, now) => (isDeepStrictEqual(now, answers) ? beside?.(metadata) : undefined);
  }

  /**
   * The report with its answers; undefined if the server rejects one, which the form then shows.
   * @param early gives it if the answers were sent before.
   */
  async answered(
    metadata: ReportMetadata,
    answers: readonly Prompt[],
    signal: AbortSignal,
    early?: AnsweredAhead,
  ): Promise<ReportMetadata | undefined> {
    try {
      return await (early?.(metadata, answers) ?? this.#options.calls.answer(metadata, answers, signal));
    } catch (error) {
      if (signal.aborted || !isClientError(error, 'refused') || error.prompt === undefined) throw error;
      if (!this.#openRefused(error.prompt, error.message)) throw error;
      return undefined;
    }
  }

  /** Values that a prompt offers. */
  choices(index: number, search: string): Promise<PromptChoices> {
    return this.#formSheet?.choices(index, search) ?? Promise.resolve({ choices: [], notice: '' });
  }

  open(): void {
    if (this.#sheet === undefined) return;
    this.#openForm = { number: ++lastForm, sheet: this.#sheet };
    this.#options.listener.formChanged();
  }

  /** Reopens the form with the server's message about a prompt; false if the form does not show that prompt. */
  #openRefused(index: number, message: string): boolean {
    const shape = this.#sheet?.shapes[index];
    if (shape === undefined || !isAsked(shape)) return false;
    this.#refused = [{ index, part: shape.mode === 'inList' ? 'list' : 'low', message }];
    this.open();
    return true;
  }

  close(): void {
    this.#refused = [];
    if (this.#openForm === undefined) return;
    this.#openForm = undefined;
    this.#options.listener.formChanged();
  }

  /** The prompts that the form shows, or would show. */
  get #formSheet(): PromptSheet | undefined {
    return this.#openForm?.sheet ?? this.#sheet;
  }

  /** The values by index of the current prompts; undefined if there are none. */
  #valuesFor({ shapes }: PromptSheet): (PromptValue | undefined)[] | undefined {
    const values = this.#values;
    if (values === undefined || this.#asked === undefined) return values;
    return placesOfValues(this.#asked, shapes).map((place) => (place === undefined ? undefined : values[place]));
  }

  /** The values if they match the report's prompts exactly; undefined if the user must be asked. */
  #fitting(sheet: PromptSheet): PromptValue[] | undefined {
    const values = this.#valuesFor(sheet)?.flatMap((value) => value ?? []);
    const isWhole = values?.length === sheet.shapes.length && this.#values?.length === values.length;
    return isWhole && sheet.problems(values).length === 0 ? values : undefined;
  }
}

/** The presets for the prompts of a report, as the form of `sheet` takes them. */
class RunPresets {
  readonly #memory: RunOptions['memory'];
  readonly #target: ReportTarget;
  readonly #sheet: PromptSheet | undefined;

  /** @param sheet the prompts; undefined before they are read, when no preset fits. */
  constructor(memory: RunOptions['memory'], target: ReportTarget, sheet: PromptSheet | undefined) {
    this.#memory = memory;
    this.#target = target;
    this.#sheet = sheet;
  }

  /** Names of the presets. */
  get names(): string[] {
    return this.#memory.presetNames(this.#target);
  }

  /** Values of a preset, with the server's defaults where they no longer fit; null if there are none. */
  choose(name: string): PromptValue[] | null {
    if (this.#sheet === undefined) return null;
    const values = this.#memory.recallPreset(this.#target, name, this.#sheet.shapes);
    return values === undefined ? null : this.#sheet.filled(values);
  }

  /** Saves a preset and returns all preset names. */
  async keep(name: string, values: readonly PromptValue[]): Promise<string[]> {
    const sheet = this.#sheet;
    if (sheet !== undefined) {
      await this.#memory.keepPreset(this.#target, name, sheet.shapes, sheet.settled(values));
    }
    return this.names;
  }

  /** Deletes a preset and returns the remaining names. */
  async remove(name: string): Promise<string[]> {
    await this.#memory.removePreset(this.#target, name);
    return this.names;
  }
}
