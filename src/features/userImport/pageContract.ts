import type { PageContract } from '../../contract/pages/channel.ts';

/** Status of a row, for its icon and colour. */
export type ImportRowLook = 'ready' | 'invalid' | 'working' | 'done' | 'partial' | 'failed' | 'idle' | 'undone';

/** A row of the file as displayed on the page. */
export interface ImportRowView {
  line: number;
  loginName: string;
  name: string;
  email: string;
  groups: string;
  /** Application and role on it; empty if none. */
  role: string;
  look: ImportRowLook;
  /** Localized status. */
  status: string;
  /** The reason, if there is a problem. */
  reason: string;
}

/** Everything the page shows except the rows. */
export interface ImportState {
  /** Source and destination of the import, for example `users.csv into Local Server`. */
  title: string;
  /** Summary of the current state, for example `498 users can be created, 2 rows cannot`. */
  summary: string;
  /** Remark about the file, such as ignored columns. */
  remark: string;
  /** Error of the whole import, with the server's message. */
  fault: string;
  /** Fraction of finished rows while it runs, 0 to 1. */
  progress: number;
  isRunning: boolean;
  /** Label of the main button; empty if there is nothing to send. */
  importLabel: string;
  /** Label of the undo button; empty if no users were created. */
  undoLabel: string;
  /** Number of rows with a problem or a failure. */
  troubleCount: number;
  /** Whether there is an outcome to save. */
  hasOutcome: boolean;
}

/** Initial state of the page. */
export interface ImportSnapshot {
  state: ImportState;
  rows: readonly ImportRowView[];
}

/** The page that shows an import of users. */
export interface ImportContract extends PageContract {
  requests: {
    ready: { params: null; answer: ImportSnapshot };
    /** Creates the missing users. */
    import: { params: null; answer: null };
    stop: { params: null; answer: null };
    /** Deletes the users created by this import. */
    undo: { params: null; answer: null };
    /** Saves the outcome of each row to a file. */
    saveOutcome: { params: null; answer: null };
  };
  events: {
    state: ImportState;
    /** Changed rows by index in the list. */
    rows: readonly { index: number; row: ImportRowView }[];
  };
}
