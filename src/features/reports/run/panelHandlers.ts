import * as vscode from 'vscode';
import { showErrorMessage, showWarningMessage } from '../../../editor/messages.ts';
import { showQuickPick, showInputBox } from '../../../editor/quickInput.ts';
import type { RequestHandlers } from '../../../contract/pages/channel.ts';
import type { ResultsContract, ResultsSnapshot } from '../../../contract/pages/resultsPage.ts';
import { displayText } from '../../../editor/displayText.ts';
import { derivedLines, resultRow, tableSource } from '../view/displayedRows.ts';
import { drillLinks, hasUnreadLinks, type DrillLink } from '../view/drillLinks.ts';
import { exportResult } from '../export/exportResult.ts';
import { readMapShapes, savePicture } from '../export/panelFiles.ts';
import type { ReportRun } from './reportRun.ts';
import { isUnderWay } from './runState.ts';
import { viewHandlers } from '../view/viewHandlers.ts';
import type { ConnectionStore } from '../../../connections/connectionStore.ts';
import type { ReportMetadata } from '../../../contract/resources/report.ts';
import type { PromptMemory } from '../prompts/promptMemory.ts';
import type { RunHistory } from '../history/runHistory.ts';
import { auditTrailId, type ReportTarget } from '../../../editor/commands/services.ts';
import type { SqlPreview } from '../sql/sqlPreview.ts';
import type { PromptPresets, PromptValue } from '../../../contract/pages/promptForm.ts';

/** Data and services for answering a page's requests. */
interface PanelContext {
  run: ReportRun;
  services: PanelServices;
  snapshot(): ResultsSnapshot;
  signIn(): Promise<null>;
  changePassword(): Promise<null>;
  close(): void;
  takePicture(format: 'png' | 'svg'): void;
  drill(link: DrillLink, criteria: Record<string, unknown>): Promise<void>;
  openAuditObject(row: Record<string, unknown>): Promise<void>;
  back(level: number): void;
}

/** Handles the requests of a results page. */
export function resultsHandlers(panel: PanelContext): RequestHandlers<ResultsContract> {
  const { run, services } = panel;
  // Relates to the displayed report, which may be a drill-down target.
  const { target } = run;
  return {
    ready: () => panel.snapshot(),
    run: () => start(run.lastRun === undefined ? run.start() : run.run()),
    runOptions: async () => {
      await chooseRun(run);
      return null;
    },
    cancel: () => start(run.cancel()),
    drill: async ({ view, row, column }) => {
      await drill(panel, view, row, column);
      return null;
    },
    back: ({ level }) => {
      panel.back(level);
      return null;
    },
    signIn: () => panel.signIn(),
    changePassword: () => panel.changePassword(),
    showSql: async () => {
      await services.sql.show(target, run.report);
      return null;
    },
    openPrompts: () => start(run.openPrompts()),
    closePrompts: () => {
      if (run.closePrompts()) return null;
      // There are no rows behind the form, but the rows of the report that it was opened from may still exist.
      const { trail } = run.state;
      if (trail.length > 1) panel.back(trail.length - 2);
      else panel.close();
      return null;
    },
    submitPrompts: (values) => run.submit(values),
    choosePreset: ({ name }) => run.prompts.presets.choose(name),
    savePreset: ({ values, name }) => savePreset(run, values, name),
    removePreset: ({ name }) => removePreset(run, name),
    present: async ({ isTable }) => {
      await run.present(isTable);
      return null;
    },
    chart: async ({ view }) => (await run.view?.chart(view)) ?? null,
    mapShapes: () => readMapShapes(services.extensionUri),
    savePicture: ({ format, bytes }) => savePicture(target.name, format, bytes),
    promptChoices: ({ index, search }) => run.prompts.choices(index, search),
    ...viewHandlers(run, target.name),
    exportRows: async ({ hasPicture, columns }) => {
      const picture = await exportRun(run, hasPicture, columns).catch(tellFailure);
      if (picture !== undefined) panel.takePicture(picture);
      return null;
    },
  };
}

/** Starts work without waiting for it. The page's state shows the result. */
function start(work: Promise<void> | void): null {
  void work;
  return null;
}

/** Exports what is shown, unless a run is active: the file would contain only some of its rows. */
async function exportRun(
  run: ReportRun,
  hasPicture: boolean,
  columns: readonly number[] | undefined,
): Promise<'png' | 'svg' | undefined> {
  const { view } = run;
  if (view === undefined) return undefined;
  if (isUnderWay(run.state.phase)) throw new Error(vscode.l10n.t('Wait for the report to finish, then export.'));
  const { name } = run.target;
  const source = tableSource(view.displayed, name, columns);
  const derived = derivedLines(view.displayed, name);
  return exportResult({ source, derived, hasPicture, details: () => run.details() });
}

/** Shows a failed export as a message that stays open and can be read in full. */
function tellFailure(error: unknown): undefined {
  void showErrorMessage(displayText(error instanceof Error ? error.message : String(error)));
}

/** Opens the report that a row links to. If there are several, the user picks one. */
async function drill(panel: PanelContext, view: number, row: number, column: number): Promise<void> {
  const { run } = panel;
  const shown = run.view?.at(view);
  const criteria = shown && resultRow(shown, row);
  if (criteria === undefined) return;
  if (run.target.reportId === auditTrailId) return panel.openAuditObject(criteria);
  if (run.report === undefined) {
    throw new Error(vscode.l10n.t('These rows come from an earlier run. Run the report again to drill down.'));
  }
  const key = shown?.arranged.columns[column]?.source.key.toLowerCase();
  const links = drillLinks(run.report);
  const own = links.filter(({ fields }) => fields.some((field) => field.toLowerCase() === key));
  const [first, ...others] = own.length > 0 ? own : links;
  if (first === undefined) {
    if (hasUnreadLinks(run.report)) {
      throw new Error(vscode.l10n.t('The server returned linked reports in an unknown format.'));
    }
    throw new Error(vscode.l10n.t('This row opens no report. Add a report under Linked Reports.'));
  }
  if (others.length === 0) return panel.drill(first, criteria);
  const items = [first, ...others].map((link) => ({ label: displayText(link.name), link }));
  const chosen = await showQuickPick(items, { title: vscode.l10n.t('Drill Down') });
  if (chosen !== undefined) await panel.drill(chosen.link, criteria);
}

/** Asks how to run the report again, and runs it. */
async function chooseRun(run: ReportRun): Promise<void> {
  const { hasPrompts } = run.state;
  const items = [
    { label: vscode.l10n.t('Run Without Cache'), work: () => run.run() },
    { label: vscode.l10n.t('Allow Cache'), work: () => run.run(true) },
    ...(hasPrompts
      ? [
          { label: vscode.l10n.t('With Other Prompt Values…'), work: () => run.openPrompts() },
          { label: vscode.l10n.t('Without Prompts'), work: () => run.runUnprompted() },
        ]
      : []),
  ];
  const chosen = await showQuickPick(items, { title: vscode.l10n.t('Run Again') });
  if (chosen !== undefined) start(chosen.work());
}

/** Services for panels. */
export interface PanelServices {
  connections: ConnectionStore;
  memory: PromptMemory;
  /** Records the runs. */
  history: RunHistory;
  sql: SqlPreview;
  extensionUri: vscode.Uri;
  /** The unsaved report of a target; undefined if the target is a report on the server. */
  draft(target: ReportTarget): ReportMetadata | undefined;
}

const longestName = 80;

/** Asks for a name and saves the prompt values of a report as a preset; null if the user cancels. */
async function savePreset(run: ReportRun, values: PromptValue[], name: string): Promise<PromptPresets | null> {
  const chosen = await showInputBox({
    title: vscode.l10n.t('Save Prompt Values'),
    prompt: vscode.l10n.t('Name for these values. An existing name is overwritten.'),
    value: name,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const length = text.trim().length;
      if (length === 0) return vscode.l10n.t('Enter a name.');
      return length > longestName ? vscode.l10n.t('At most {0} characters.', longestName) : '';
    },
  });
  if (chosen === undefined) return null;
  const isKnown = run.prompts.presets.names.includes(chosen.trim()) && chosen.trim() !== name;
  if (isKnown && !(await confirm(vscode.l10n.t('Overwrite'), overwriteQuestion(chosen.trim())))) return null;
  return { names: await run.prompts.presets.keep(chosen.trim(), values), chosen: chosen.trim() };
}

/** Deletes a preset after confirmation; null if the user cancels. */
async function removePreset(run: ReportRun, name: string): Promise<PromptPresets | null> {
  const question = vscode.l10n.t('Delete the prompt values saved as "{0}"?', displayText(name));
  if (!(await confirm(vscode.l10n.t('Delete'), question))) return null;
  return { names: await run.prompts.presets.remove(name), chosen: '' };
}

function overwriteQuestion(name: string): string {
  return vscode.l10n.t('Prompt values named "{0}" already exist. Overwrite them?', displayText(name));
}

async function confirm(verb: string, question: string): Promise<boolean> {
  return (await showWarningMessage(question, { modal: true }, verb)) === verb;
}
