import type { BuilderDocument, BuilderContext, LiveSqlState } from './pageContract.ts';
import type { BuilderCalls } from './builderCalls.ts';
import type { EditQueueOptions, ReportText, UndoGroups } from './edits/editQueue.ts';

/** What a session tells whoever shows it. */
interface BuilderListener {
  documentChanged(document: BuilderDocument): void;
  groundChanged(ground: BuilderContext): void;
  sqlChanged(sql: LiveSqlState): void;
}

type QueueWords = EditQueueOptions['words'];

/** Words that a session needs, translated by whoever shows it. */
export interface BuilderTexts extends QueueWords {
  /** Said when what an edit names is gone. */
  stale(): string;
  /** Why something failed, in one sentence. */
  failure(error: unknown): string;
  /** Why a report to drill down to, of that name, cannot be read. */
  linkFailure(name: string, error: unknown): string;
  needsSignIn(error: unknown): boolean;
  noServer(): string;
  unreadable(error: unknown): string;
  newFormula(): string;
}

/** What `BuilderSession` works with. */
export interface BuilderSessionOptions {
  text: ReportText;
  /** What is known of typing into the text; one for all builders of a document. */
  bursts: UndoGroups;
  /** Calls to the report's server; undefined while none is chosen. */
  calls: () => BuilderCalls | undefined;
  /** Lays out generated SQL. */
  format(sql: string, platform: string): Promise<string>;
  words: BuilderTexts;
  listener: BuilderListener;
  now: () => Date;
  /** Pause after a change before the SQL is asked for, in ms. */
  sqlPauseMs: number;
}
