/** What is written down about one request: never a token, a password or a document. */
export interface RequestLogEntry {
  id: number;
  server: string;
  endpoint: string;
  ms: number;
  bytes: number;
  /** `ok`, or the kind of failure. */
  outcome: string;
}

/** Where the client reports its requests. */
export interface RequestLogger {
  request(entry: RequestLogEntry): void;
}

/** Keeps nothing. */
export const silentLogger: RequestLogger = { request: () => undefined };
