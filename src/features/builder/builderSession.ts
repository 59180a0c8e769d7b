import type { Edit } from 'jsonc-parser';
import * as z from 'zod';
import { report as reportSchema, type Report, type ReportField } from '../../contract/resources/report.ts';
import type { BuilderDocument, BuilderEdit, BuilderContext, LiveSqlState, TargetChoice } from './pageContract.ts';
import { linkName, targetName } from '../../objects/language/problems/linkProblems.ts';
import { type FoundChoices, PromptChoicesSource } from '../reports/prompts/promptChoices.ts';
import { addCriterionEdits, addFieldEdits, addTotalEdits, sortEdits } from './edits/addEntries.ts';
import { type BuilderCalls, loadContext, type BuildContext } from './builderCalls.ts';
import { valuePrompt } from './draftReport.ts';
import type { BuilderSessionOptions } from './builderSessionOptions.ts';
import { EditQueue, typedBox } from './edits/editQueue.ts';
import { LiveSql } from './liveSql.ts';
import { readReport } from './readReport.ts';
import { reportEdits } from './edits/reportEdits.ts';
import { ReportPlaces } from './edits/reportPlaces.ts';

/**
 * A report being built: converts the document to what the page shows, and the page's requests to text edits, one after
 * the other. Does not depend on VS Code.
 */
export class BuilderSession {
  readonly #options: BuilderSessionOptions;
  readonly #sql: LiveSql;
  #document: BuilderDocument = { version: 0, report: null, problem: '' };
  readonly #places = new ReportPlaces();
  #ground: BuilderContext = { kind: 'loading' };
  #loaded: BuildContext | undefined;
  #groundKey = '';
  #loading = 0;
  readonly #queue: EditQueue;
  #choices: PromptChoicesSource;
  readonly #choiceKeys: string[] = [];

  constructor(options: BuilderSessionOptions) {
    this.#options = options;
    this.#choices = this.#newChoices();
    const { text, bursts, now, words } = options;
    this.#queue = new EditQueue({ text, bursts, now, words, problem: () => this.#document.problem });
    this.#sql = new LiveSql({
      generate: async (report, signal) =>
        options.format(await this.#calls.sql(report, signal), this.#loaded?.platform ?? ''),
      explain: (error) => options.words.failure(error),
      changed: (state) => options.listener.sqlChanged(state),
      pauseMs: options.sqlPauseMs,
    });
    this.#read();
  }

  get document(): BuilderDocument {
    return this.#document;
  }

  get ground(): BuilderContext {
    return this.#ground;
  }

  get sql(): LiveSqlState {
    return this.#sql.state;
  }

  /** The report from the text, ready to be sent. @throws {Error} if the text is not a report. */
  get report(): Report {
    const parsed = reportSchema.safeParse(JSON.parse(this.#options.text.read()));
    if (!parsed.success) throw new Error(z.prettifyError(parsed.error));
    // The server's credentials are not part of the document, and are empty in replies too.
    return { DbLogin: '', DbPass: '', DbName: '', DbDriver: '', ...parsed.data };
  }

  /** Call when the text has changed: by this session, another editor or undo. */
  textChanged(): void {
    this.#read();
    this.#options.listener.documentChanged(this.#document);
    this.#follow();
  }

  /** Loads the report type's fields. Also retries after a failure. */
  async load(): Promise<void> {
    const { report } = this.#document;
    const { words, listener } = this.#options;
    const mine = ++this.#loading;
    const set = (ground: BuilderContext) => {
      if (mine !== this.#loading) return;
      this.#ground = ground;
      listener.groundChanged(ground);
    };
    if (report === null) return;
    this.#groundKey = groundKeyOf(report);
    if (this.#options.calls() === undefined) {
      return set({ kind: 'failed', message: words.noServer(), nextStep: 'chooseServer' });
    }
    set({ kind: 'loading' });
    try {
      const ground = await loadContext(this.#calls, report);
      if (mine !== this.#loading) return;
      this.#loaded = ground;
      this.#choices = this.#newChoices();
      const { entries: tree, functions, platform, folders } = ground;
      const outputTypes = ground.outputTypes.map(({ id, name }) => ({ id, name }));
      set({ kind: 'ready', tree, functions, platform, outputTypes, folders });
      this.#askSql(true);
    } catch (error) {
      set({ kind: 'failed', message: words.failure(error), nextStep: words.nextStep(error) });
      if (mine === this.#loading) this.#sql.outdate();
    }
  }

  /**
   * Applies an edit that was made in `version`, at the current positions of its entries.
   * @throws {Error} if the entries no longer exist.
   */
  edit(version: number, edit: BuilderEdit): Promise<void> {
    const outputClass = (id: number) => this.#loaded?.outputTypes.find((type) => type.id === id)?.uiclass;
    const make = (text: string) => reportEdits(text, this.#now(this.#places.edit(version, edit)), { outputClass });
    return this.#queue.edit(make, typedBox(edit));
  }

  /**
   * Runs undo or redo once all pending edits are applied, up to the point where typing stopped.
   * @param step performs a single undo or redo.
   */
  travel(step: () => PromiseLike<unknown>): Promise<void> {
    const { text, bursts } = this.#options;
    const arrive = bursts.travel();
    return this.#queue
      .after(async () => {
        for (let before = ''; before !== text.read() && (before === '' || this.#queue.isInsideTyping);) {
          before = text.read();
          await step();
        }
      })
      .finally(arrive);
  }

  /** Whether an undo or redo from elsewhere stopped between two keystrokes of a typing burst. */
  get isLeftInsideTyping(): boolean {
    return !this.#options.bursts.isTravelled && this.#queue.isInsideTyping;
  }

  /** Requests the SQL again, for example after a failure. */
  retrySql(): void {
    this.#askSql(true);
  }

  /** Runs `work` once all pending edits are applied. */
  afterEdits(work: () => Promise<void>): Promise<void> {
    return this.#queue.after(work);
  }

  /** Queues a change that is computed from the text at that time. */
  change(edits: (text: string) => Edit[]): Promise<void> {
    return this.#queue.edit(edits);
  }

  /** Adds fields of the tree, by their index in it. */
  addFields(version: number, entries: readonly number[], place: number | null): Promise<void> {
    return this.#queue.edit(async () => {
      const nodes = entries.flatMap((entry) => {
        const node = this.#loaded?.nodes[entry];
        return node && this.#loaded?.entries[entry]?.isFolder === false ? [node] : [];
      });
      const fields = await Promise.all(nodes.map((node) => this.#calls.newField(node)));
      const before = place === null ? null : this.#now(this.#places.shown(version, place));
      return addFieldEdits(this.#options.text.read(), fields, before);
    });
  }

  /** Adds a formula field. */
  addFormula(): Promise<void> {
    return this.#queue.edit(async () => {
      const taken = new Set(this.#document.report?.fields.map(({ name }) => name));
      const word = this.#options.words.newFormula();
      let name = word;
      for (let count = 2; taken.has(name); count += 1) name = `${word} ${count}`;
      const field = await this.#calls.newField({ ...formulaNode, text: name, ReportFieldName: name });
      return addFieldEdits(this.#options.text.read(), [field], null);
    });
  }

  sortField(version: number, field: number, direction: 'asc' | 'desc' | null): Promise<void> {
    return this.#queue.edit(async () => {
      const { index, row } = await this.#newRow(version, field);
      return sortEdits(this.#options.text.read(), index, direction, row);
    });
  }

  addCriterion(version: number, field: number): Promise<void> {
    return this.#queue.edit(async () => {
      const { index, row } = await this.#newRow(version, field);
      return addCriterionEdits(this.#options.text.read(), index, row);
    });
  }

  addTotal(type: 'total' | 'calc'): Promise<void> {
    return this.#queue.edit(async () => {
      const row = await this.#calls.newTotals(type);
      return addTotalEdits(this.#options.text.read(), row);
    });
  }

  /** Values of a field that match the typed text. @throws {ClientError} */
  fieldValues(field: number, search: string): Promise<FoundChoices> {
    const asked = this.#fieldAt(field);
    const key = JSON.stringify([asked.DbTableAlias, asked.DbFieldName, asked.Formula, asked.strGroup]);
    if (!this.#choiceKeys.includes(key)) this.#choiceKeys.push(key);
    return this.#choices.find(this.#choiceKeys.indexOf(key), valuePrompt(asked), search);
  }

  /**
   * Fields of a drill-down target that can receive values, its prompts first.
   * @throws {Error} with a localized message.
   */
  async targetFields(reportId: string): Promise<TargetChoice[]> {
    const link = this.#document.report?.links.find((one) => one.reportId === reportId);
    const { Prompts, Report: target } = await this.#calls.target(reportId).catch((error: unknown) => {
      throw new Error(this.#options.words.linkFailure(link?.name || reportId, error), { cause: error });
    });
    const asked = (Prompts ?? []).map(({ PromptField }) => PromptField);
    const choices = [...asked, ...(target?.FieldList ?? [])].flatMap((field) => {
      const named = linkName(field ?? {});
      return named.header === '' ? [] : [[targetName(named), named.header] as const];
    });
    return [...new Map(choices)].map(([value, label]) => ({ value, label }));
  }

  dispose(): void {
    this.#loading += 1;
    this.#sql.stop();
  }

  get #calls(): BuilderCalls {
    const calls = this.#options.calls();
    if (calls === undefined) throw new Error(this.#options.words.noServer());
    return calls;
  }

  #newChoices(): PromptChoicesSource {
    return new PromptChoicesSource((prompt) => this.#calls.fieldValues(this.report, prompt), this.#options.today);
  }

  /** A criteria row for a field, and the field's index afterwards: the text may change during the request. */
  async #newRow(version: number, field: number) {
    const asked = this.#fieldAt(this.#now(this.#places.field(version, field)));
    const row = await this.#calls.newCriteria(asked);
    return { index: this.#now(this.#places.field(version, field)), row };
  }

  /** The current position of an earlier one. @throws {Error} if it is no longer known. */
  #now<T>(found: T | undefined): T {
    if (found === undefined) throw new Error(this.#options.words.stale());
    return found;
  }

  #fieldAt(index: number): ReportField {
    const field = this.report.FieldList?.[index];
    if (field === undefined) throw new Error(this.#options.words.stale());
    return field;
  }

  #read(): void {
    try {
      const report = readReport(this.#options.text.read());
      this.#document = { version: this.#places.changed(report), report, problem: '' };
    } catch (error) {
      this.#document = { ...this.#document, problem: this.#options.words.unreadable(error) };
    }
  }

  /** Updates the SQL after every valid change, and the fields when the report type changes. */
  #follow(): void {
    const { report, problem } = this.#document;
    if (report === null || problem !== '') return this.#sql.outdate();
    if (groundKeyOf(report) !== this.#groundKey) void this.load();
    else this.#askSql(false);
  }

  #askSql(again: boolean): void {
    if (this.#ground.kind !== 'ready' || this.#document.problem !== '') return this.#sql.outdate();
    let report: Report;
    try {
      report = this.report;
    } catch {
      // The text is incomplete in another editor. The document's validation reports the problem.
      return this.#sql.outdate();
    }
    if (again) this.#sql.askAgain(report);
    else this.#sql.ask(report);
  }
}

/** A node without a column, as in a field tree. */
const formulaNode = {
  id: 0,
  type: 'Field',
  Tag: null,
  children: [],
  dbfieldname: '',
  dbtablealias: '',
  dbparenttablealias: '',
  fieldtype: 'for',
};

function groundKeyOf({ reportType, application, server }: NonNullable<BuilderDocument['report']>): string {
  return JSON.stringify([reportType, application, server]);
}
