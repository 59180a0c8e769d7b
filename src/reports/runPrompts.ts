import type { Prompt, ReportMetadata } from '../contract/resources/report.ts';
import type { PromptChoices, PromptForm, PromptProblem, PromptValue } from '../protocol/promptForm.ts';
import type { PromptChip } from '../protocol/resultsPage.ts';
import { PromptSheet } from './promptSheet.ts';
import type { LastRun, RunOptions } from './runOptions.ts';
import { RunPresets } from './runPresets.ts';

type PromptOptions = Pick<RunOptions, 'target' | 'calls' | 'memory' | 'words' | 'now' | 'listener'>;

let lastForm = 0;

/** What one report asks for, and the values that its runs are made with, from one run to the next. */
export class RunPrompts {
  readonly #options: PromptOptions;
  #sheet: PromptSheet | undefined;
  /** Number of the form while it is open. */
  #openForm: number | undefined;
  #values: PromptValue[] | undefined;
  #chips: PromptChip[] = [];
  #isLeftOut = false;

  constructor(options: PromptOptions) {
    this.#options = options;
  }

  /** Whether the report was ever read. */
  get isRead(): boolean {
    return this.#sheet !== undefined;
  }

  /** Whether the report asks for something, as far as that is known. */
  get isAsking(): boolean {
    return this.#sheet?.isEmpty === false || (this.#values?.length ?? 0) > 0;
  }

  /** Whether all prompts are left out: none of them filters. */
  get isLeftOut(): boolean {
    return this.#isLeftOut;
  }

  get values(): PromptValue[] | undefined {
    return this.#values;
  }

  /** The values in few words. */
  get chips(): PromptChip[] {
    return this.#chips;
  }

  /** The form while it is open. */
  get form(): PromptForm | null {
    if (this.#openForm === undefined || this.#sheet === undefined) return null;
    const { memory, target } = this.#options;
    const remembered = memory.recall(target.connectionId, target.reportId, this.#sheet.shapes);
    const form = this.#sheet.form(this.#values ?? remembered, memory.presetNames(target));
    return { ...form, number: this.#openForm };
  }

  /** Values kept under names, for the form. */
  get presets(): RunPresets {
    const { memory, target } = this.#options;
    return new RunPresets(memory, target, this.#sheet);
  }

  /** What to make another run with; undefined before the first. */
  get last(): Pick<LastRun, 'values' | 'chips' | 'isUnprompted'> | undefined {
    if (this.#isLeftOut) return { values: [], chips: this.#chips, isUnprompted: true };
    return this.#values && { values: this.#values, chips: this.#chips };
  }

  /** Takes over what an earlier run was made with. */
  take({ values, chips, isUnprompted = false }: Pick<LastRun, 'values' | 'chips' | 'isUnprompted'>): void {
    this.#isLeftOut = isUnprompted;
    this.#values = isUnprompted ? undefined : values;
    this.#chips = chips;
  }

  /** Forgets the values. */
  forget(): void {
    this.#isLeftOut = false;
    this.#values = undefined;
    this.#chips = [];
  }

  /** Leaves out all prompts from now on. */
  leaveOut(): void {
    this.take({ values: [], chips: [{ label: '', text: this.#options.words.unprompted() }], isUnprompted: true });
  }

  /** Takes over the prompts of the report as it was just read. */
  read(metadata: ReportMetadata): void {
    const { calls, words, now } = this.#options;
    this.#sheet = new PromptSheet(metadata, calls, words, now);
  }

  /** Takes the values of the form; answers what is wrong with them, and then takes none. */
  submit(values: PromptValue[]): PromptProblem[] {
    const problems = this.#sheet?.problems(values) ?? [];
    if (problems.length > 0) return problems;
    this.#isLeftOut = false;
    this.#values = this.#sheet?.settled(values) ?? values;
    return [];
  }

  /** The answers to send; undefined where the user has to be asked. Remembers what they are made of. */
  async answers(hasValues: boolean): Promise<Prompt[] | undefined> {
    const sheet = this.#sheet;
    const values = sheet?.isEmpty === true ? [] : hasValues ? this.#values : undefined;
    if (sheet === undefined || values === undefined) return undefined;
    // The report may ask for something else than when these values were entered.
    const isFitting = values.length === sheet.shapes.length && sheet.problems(values).length === 0;
    if (!sheet.isEmpty && !isFitting) return undefined;
    this.#values = values;
    this.#chips = sheet.chips(values);
    const { memory, target } = this.#options;
    if (!sheet.isEmpty) await memory.keep(target.connectionId, target.reportId, sheet.shapes, values);
    // What compares with nothing asks for nothing, and filters all the same.
    return sheet.answers(values);
  }

  /** Values that a prompt offers. */
  choices(index: number, search: string): Promise<PromptChoices> {
    return this.#sheet?.choices(index, search) ?? Promise.resolve({ choices: [], notice: '' });
  }

  open(): void {
    this.#openForm = ++lastForm;
    this.#options.listener.formChanged();
  }

  close(): void {
    if (this.#openForm === undefined) return;
    this.#openForm = undefined;
    this.#options.listener.formChanged();
  }
}
