import type { BuilderDocument, BuilderContext, LiveSqlState } from './pageContract.ts';
import type { BuilderCalls } from './builderCalls.ts';
import type { EditQueueOptions, ReportText, UndoGroups } from './edits/editQueue.ts';

/** Receives the events of a session. */
interface BuilderListener {
  documentChanged(document: BuilderDocument): void;
  groundChanged(ground: BuilderContext): void;
  sqlChanged(sql: LiveSqlState): void;
}

type QueueWords = EditQueueOptions['words'];

/** Localized texts for a session, supplied by the caller. */
export interface BuilderTexts extends QueueWords {
  /** Shown if the target of an edit no longer exists. */
  stale(): string;
  /** Why something failed, in one sentence. */
  failure(error: unknown): string;
  /** Why the drill-down target of that name cannot be loaded. */
  linkFailure(name: string, error: unknown): string;
  /** What makes another attempt work. */
  nextStep(error: unknown): 'retry' | 'signIn' | 'changePassword';
  noServer(): string;
  unreadable(error: unknown): string;
  newFormula(): string;
}

/** Options of `BuilderSession`. */
export interface BuilderSessionOptions {
  text: ReportText;
  /** Typing bursts in the text, shared by all builders of a document. */
  bursts: UndoGroups;
  /** Calls to the report's server; undefined while none is chosen. */
  calls: () => BuilderCalls | undefined;
  /** Formats generated SQL. */
  format(sql: string, platform: string): Promise<string>;
  words: BuilderTexts;
  listener: BuilderListener;
  now: () => Date;
  /** Today in the user's time zone, as `YYYY-MM-DD`. */
  today: () => string;
  /** Delay after a change before requesting the SQL, in ms. */
  sqlPauseMs: number;
}
