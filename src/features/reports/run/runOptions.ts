import type { ReportTarget } from '../../../editor/commands/services.ts';
import type { ReportMetadata } from '../../../contract/resources/report.ts';
import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { PromptValue } from '../../../contract/pages/promptForm.ts';
import type { Failure, PromptChip, RunPhase } from '../../../contract/pages/resultsPage.ts';
import type { RequestedValues, PromptMemory } from '../prompts/promptMemory.ts';
import type { CellZones } from './reportZones.ts';
import type { KeyedArrangement } from '../view/keyedArrangement.ts';
import type { PromptTexts } from '../prompts/promptSheet.ts';
import type { DrillOrigin, ReportCalls } from './reportCalls.ts';
import type { ViewTexts } from '../view/viewOptions.ts';

/** Localized texts for a run, supplied by the caller. */
export interface RunTexts extends PromptTexts, ViewTexts {
  failure(error: unknown): Failure;
  /** The server's own refusal, from a reply that was read completely. */
  refused(message: string, code: number): Failure;
  /** The run is bound to one user, but another one is signed in. */
  otherUser(bound: string, user: string): Failure;
  /** Shown instead of values if the prompts were skipped. */
  unprompted(): string;
  /** Notice that the row count equals the usual server limit; else empty. */
  limitNotice(rows: number): string;
}

/** Data of a run that is saved across window reloads. */
export interface LastRun {
  values: PromptValue[];
  /** What the values were entered for, by prompt index; absent if it was not saved. */
  asked?: RequestedValues[];
  chips: PromptChip[];
  /** Whether the prompts were skipped, so that none of them filtered. */
  isUnprompted?: boolean;
  /** How its rows were sorted and filtered. */
  arrangement?: KeyedArrangement;
  /** Name of the user who ran it. */
  user?: string;
}

/** Rows of an earlier run that are still available, to be shown without running it again. */
export interface StoredResult {
  store: ResultStore;
  /** The report as it was run, which determines how its rows are shown and where they link to. */
  prepared: ReportMetadata | undefined;
  /** The zones that its dates and times were shown in. */
  zones: CellZones;
  /** How the run ended. */
  phase: RunPhase;
  startedAt: Date;
}

/** Names of the server and the user that a run is bound to. */
export interface RunPlace {
  server: string;
  user: string;
}

/** Options of a run. */
export interface RunOptions {
  target: ReportTarget;
  calls: ReportCalls;
  memory: PromptMemory;
  words: RunTexts;
  /** BCP 47 tag of the language for numbers, such as `en`. */
  language: string;
  /** The server and user of the next run. */
  place: () => RunPlace;
  /** Whether the reports are those of the embedded server. */
  isLocal: () => boolean;
  /** Clock for relative dates. */
  now: () => Date;
  listener: RunListener;
  /** The row that this report was opened from, if it is a drill-down target. */
  drill?: DrillOrigin;
  /** Name of the user that the run is bound to from the start, the same as for the report before it. */
  user?: string;
  /** Names of the reports before this one, if it is a drill-down target. */
  trail?: readonly string[];
}

/** Receives the events of a run. */
export interface RunListener {
  stateChanged(): void;
  gridChanged(): void;
  gridGrew(): void;
  formChanged(): void;
  /** The values to save for the next window reload have changed. */
  valuesChanged(): void;
}
