import type { PageContract } from '../../contract/pages/channel.ts';

/** How a row of the import stands, for its icon and colour. */
export type ImportRowLook = 'ready' | 'invalid' | 'working' | 'done' | 'partial' | 'failed' | 'idle' | 'undone';

/** One row of the file as the page shows it. */
export interface ImportRowView {
  line: number;
  loginName: string;
  name: string;
  email: string;
  groups: string;
  look: ImportRowLook;
  /** How it stands, in words. */
  status: string;
  /** Why, where something is wrong. */
  reason: string;
}

/** Everything that the page shows but the rows. */
export interface ImportState {
  /** What is imported and where to, for example `users.csv into Local Server`. */
  title: string;
  /** What stands out now, for example `498 users can be created, 2 rows cannot`. */
  summary: string;
  /** Remark about the file, such as columns that mean nothing here. */
  remark: string;
  /** What went wrong as a whole, with the server's words. */
  fault: string;
  /** Share of the rows that are settled while it runs, 0 to 1. */
  progress: number;
  isRunning: boolean;
  /** Words of the main button; empty where there is nothing to send. */
  importLabel: string;
  /** Words of the button that deletes what was created; empty where there is nothing. */
  undoLabel: string;
  /** Rows with a problem or a failure. */
  troubleCount: number;
}

/** Words of the page that do not change. */
export interface ImportStrings {
  line: string;
  login: string;
  name: string;
  email: string;
  groups: string;
  status: string;
  stop: string;
  onlyTrouble: string;
  saveOutcome: string;
  table: string;
}

/** What the page gets when it opens. */
export interface ImportSnapshot {
  strings: ImportStrings;
  state: ImportState;
  rows: readonly ImportRowView[];
}

/** The page that shows an import of users. */
export interface ImportContract extends PageContract {
  requests: {
    ready: { params: null; answer: ImportSnapshot };
    /** Creates what is not there yet. */
    import: { params: null; answer: null };
    stop: { params: null; answer: null };
    /** Deletes the users that this import created. */
    undo: { params: null; answer: null };
    /** Saves what became of each row as a file. */
    saveOutcome: { params: null; answer: null };
  };
  events: {
    state: ImportState;
    /** Rows that changed, by their place in the list. */
    rows: readonly { index: number; row: ImportRowView }[];
  };
}
