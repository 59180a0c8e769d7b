import type { ReportTarget } from '../../../editor/commands/services.ts';
import type { ReportMetadata } from '../../../contract/resources/report.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { PromptValue } from '../../../contract/pages/promptForm.ts';
import type { Failure, PromptChip, RunPhase } from '../../../contract/pages/resultsPage.ts';
import type { RequestedValues, PromptMemory } from '../prompts/promptMemory.ts';
import type { CellLocale } from '../view/format/cellFormat.ts';
import type { KeyedArrangement } from '../view/resultView.ts';
import type { PromptTexts } from '../prompts/promptSheet.ts';
import type { DrillOrigin, ReportCalls } from './reportCalls.ts';
import type { ViewTexts } from '../view/followedView.ts';

/** Words that the run needs, translated by whoever shows them. */
export interface RunTexts extends PromptTexts, ViewTexts {
  failure(error: unknown): Failure;
  /** The server's own refusal, from a reply that was read whole. */
  refused(message: string, code: number): Failure;
  /** The run is bound to one user, and another one is signed in now. */
  otherUser(bound: string, user: string): Failure;
  /** Said in the place of values where the prompts were left out. */
  unprompted(): string;
  /** Said when as many rows came as servers usually allow; else empty. */
  limitNotice(rows: number): string;
}

/** What is kept of a run across reloads of the window. */
export interface LastRun {
  values: PromptValue[];
  /** What the values were entered for, by place; absent where that was not kept. */
  asked?: RequestedValues[];
  chips: PromptChip[];
  /** Whether the prompts were left out, so that none of them filtered. */
  isUnprompted?: boolean;
  /** How its rows were sorted and filtered. */
  arrangement?: KeyedArrangement;
  /** Name of the user who ran it. */
  user?: string;
}

/** Rows of an earlier run that are still there, to be shown without running it again. */
export interface StoredResult {
  store: ResultStore;
  /** The report as it was run: how its rows are shown, and where they lead. */
  prepared: ReportMetadata | undefined;
  /** How the run ended. */
  phase: RunPhase;
  startedAt: Date;
}

/** Name of the server and of the user that a run is bound to. */
export interface RunPlace {
  server: string;
  user: string;
}

/** What a run works with. */
export interface RunOptions {
  target: ReportTarget;
  calls: ReportCalls;
  memory: PromptMemory;
  words: RunTexts;
  locale: CellLocale;
  /** Where the next run would go. */
  place: () => RunPlace;
  /** The clock that relative dates count from. */
  now: () => Date;
  listener: RunListener;
  /** The row that this report was opened from, when it is the target of a drill-down. */
  drill?: DrillOrigin;
  /** Name of the user whom the run is bound to from the start, as the report before it is. */
  user?: string;
  /** Names of the reports before this one, when it is such a target. */
  trail?: readonly string[];
}

/** What a run tells whoever shows it. */
export interface RunListener {
  stateChanged(): void;
  gridChanged(): void;
  gridGrew(): void;
  formChanged(): void;
  /** The values to keep for the next reload of the window have changed. */
  valuesChanged(): void;
}
