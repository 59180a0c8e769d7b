/** Log entry of a request. Never contains a token, a password or a document. */
export interface RequestLogEntry {
  id: number;
  server: string;
  endpoint: string;
  ms: number;
  bytes: number;
  /** `ok` or the kind of failure. */
  outcome: string;
}

/** Receives a log entry for each request. */
export interface RequestLogger {
  request(entry: RequestLogEntry): void;
}

/** Logs nothing. */
export const silentLogger: RequestLogger = { request: () => undefined };
