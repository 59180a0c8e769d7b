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
import type { ReportTarget } from '../../../editor/commands/services.ts';

type PromptedRun = Pick<LastRun, 'values' | 'asked' | 'chips' | 'isUnprompted'>;
type PromptOptions = Pick<RunOptions, 'target' | 'calls' | 'memory' | 'words' | 'now' | 'listener'>;

let lastForm = 0;

/** What one report asks for, and the values that its runs are made with, from one run to the next. */
export class RunPrompts {
  readonly #options: PromptOptions;
  #sheet: PromptSheet | undefined;
  /** The form while it is open: its number, and the prompts that it shows, which stay when the report is read anew. */
  #openForm: { number: number; sheet: PromptSheet } | undefined;
  #values: PromptValue[] | undefined;
  /** What the values were entered for; undefined where nobody knows. */
  #asked: RequestedValues[] | undefined;
  /** What the server said of the values. */
  #refused: PromptProblem[] = [];
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
    if (this.#openForm === undefined) return null;
    const { number, sheet } = this.#openForm;
    const { memory, target } = this.#options;
    const values = this.#valuesFor(sheet) ?? memory.recall(target.connectionId, target.reportId, sheet.shapes);
    return { ...sheet.form(values, memory.presetNames(target)), number, problems: this.#refused };
  }

  /** Values kept under names, for the form. */
  get presets(): RunPresets {
    const { memory, target } = this.#options;
    return new RunPresets(memory, target, this.#formSheet);
  }

  /** What to make another run with; undefined before the first. */
  get last(): PromptedRun | undefined {
    if (this.#isLeftOut) return { values: [], chips: this.#chips, isUnprompted: true };
    return this.#values && { values: this.#values, asked: this.#asked, chips: this.#chips };
  }

  /** Takes over what an earlier run was made with. */
  take({ values, asked, chips, isUnprompted = false }: PromptedRun): void {
    this.#isLeftOut = isUnprompted;
    this.#values = isUnprompted ? undefined : values;
    this.#asked = asked;
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
    const sheet = this.#formSheet;
    const problems = sheet?.problems(values) ?? [];
    if (problems.length > 0) return problems;
    this.#isLeftOut = false;
    this.#values = sheet?.settled(values) ?? values;
    this.#asked = sheet && requestedValues(sheet.shapes);
    this.#chips = sheet?.chips(this.#values) ?? [];
    return [];
  }

  /** The answers to send; undefined where the user has to be asked. Remembers what they are made of. */
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
    // What compares with nothing asks for nothing, and filters all the same.
    return sheet.answers(values);
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

  /** Asks again, with what the server says of one prompt; false where the form does not show it. */
  openRefused(index: number, message: string): boolean {
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

  /** The prompts that a form shows, or would. */
  get #formSheet(): PromptSheet | undefined {
    return this.#openForm?.sheet ?? this.#sheet;
  }

  /** The values by place of the prompts that ask for them by now; undefined where there are none. */
  #valuesFor({ shapes }: PromptSheet): (PromptValue | undefined)[] | undefined {
    const values = this.#values;
    if (values === undefined || this.#asked === undefined) return values;
    return placesOfValues(this.#asked, shapes).map((place) => (place === undefined ? undefined : values[place]));
  }

  /** The values where the report asks for all of them, and for nothing else; undefined where the user has to say. */
  #fitting(sheet: PromptSheet): PromptValue[] | undefined {
    const values = this.#valuesFor(sheet)?.flatMap((value) => value ?? []);
    const isWhole = values?.length === sheet.shapes.length && this.#values?.length === values.length;
    return isWhole && sheet.problems(values).length === 0 ? values : undefined;
  }
}

/** The values kept under names for the prompts of one report, as the form that `sheet` makes takes them. */
class RunPresets {
  readonly #memory: RunOptions['memory'];
  readonly #target: ReportTarget;
  readonly #sheet: PromptSheet | undefined;

  /** @param sheet the prompts; undefined before they were read, and then nothing fits. */
  constructor(memory: RunOptions['memory'], target: ReportTarget, sheet: PromptSheet | undefined) {
    this.#memory = memory;
    this.#target = target;
    this.#sheet = sheet;
  }

  /** Names under which values are kept. */
  get names(): string[] {
    return this.#memory.presetNames(this.#target);
  }

  /** Values kept under a name, with the server's defaults where they no longer fit; null where there are none. */
  choose(name: string): PromptValue[] | null {
    if (this.#sheet === undefined) return null;
    const values = this.#memory.recallPreset(this.#target, name, this.#sheet.shapes);
    return values === undefined ? null : this.#sheet.filled(values);
  }

  /** Keeps values under a name; answers the names there are. */
  async keep(name: string, values: readonly PromptValue[]): Promise<string[]> {
    const sheet = this.#sheet;
    if (sheet !== undefined) {
      await this.#memory.keepPreset(this.#target, name, sheet.shapes, sheet.settled(values));
    }
    return this.names;
  }

  /** Forgets what was kept under a name; answers the names there are. */
  async remove(name: string): Promise<string[]> {
    await this.#memory.removePreset(this.#target, name);
    return this.names;
  }
}
