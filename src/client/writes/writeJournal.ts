/** Journal entry of a write. Never contains a document, a password or a token. */
export interface JournalledWrite {
  kind: 'create' | 'change' | 'delete';
  /** Name of the written object for messages, for example `the data tag Region`. */
  object: string;
}

/** One write in progress. */
export interface OpenWrite {
  /** The outcome is known, or the write was never sent. */
  settled(): Promise<void>;
  /**
   * The outcome is unknown.
   * @param look checks whether the server shows the write now.
   */
  unknown(reason: string, look: () => Promise<boolean>): Promise<void>;
}

/** Stores the writes sent to one server until their outcome is known, also across restarts. */
export interface WriteJournal {
  /** Must be awaited before the write is sent. */
  begin(write: JournalledWrite): Promise<OpenWrite>;
}
