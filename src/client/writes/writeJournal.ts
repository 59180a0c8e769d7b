/** What is written down about one write: what it was about, never a document, a password or a token. */
export interface JournalledWrite {
  kind: 'create' | 'change' | 'delete';
  /** What is written, for messages, for example `the data tag Region`. */
  object: string;
}

/** One write under way. */
export interface OpenWrite {
  /** The server has decided, or was never asked. */
  settled(): Promise<void>;
  /**
   * Nobody knows what became of it.
   * @param look whether the server shows it now.
   */
  unknown(reason: string, look: () => Promise<boolean>): Promise<void>;
}

/** Keeps what was sent to one server until its outcome is known, also if the program ends before that. */
export interface WriteJournal {
  /** To be awaited before the write goes out. */
  begin(write: JournalledWrite): Promise<OpenWrite>;
}
