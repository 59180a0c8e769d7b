import type { Readable } from 'node:stream';

/**
 * How long ago a connection must have answered to carry a request that is not repeated if it breaks, in ms: the server,
 * or a router on the way, may have given up a connection that has been idle for longer.
 */
export const recentMs = 4_000;

/** What a request demands of its connection. */
export interface ConnectionNeed {
  /** Identifies the request. */
  readonly request: string;
  /**
   * `read`: may be repeated; `once`: a write, or a read that must not be repeated automatically; `new`: takes a new
   * connection; `alone`: the same, and closes it after the reply; `stream`: the same, unless the server names the request
   * in each reply. Over HTTP/2, where each reply carries the number of its request, all but `read` are the same.
   */
  readonly manner: 'read' | 'once' | 'new' | 'alone' | 'stream';
}

/** A POST request, ready to be sent. */
export interface HttpRequest {
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** Cancels it, also while its reply arrives. */
  readonly signal: AbortSignal;
  /** Called when it is passed to its connection; until then nothing has been sent. */
  readonly began: () => void;
}

/** A reply whose body is still arriving. A body that is cut off ends with an error. */
export interface HttpReply {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

/** A place for one request on a connection, which must be ended by `release` or `drop`. */
export interface PooledConnection {
  request(request: HttpRequest): Promise<HttpReply>;
  /** Whether the connection was opened ahead and carries its first request. */
  readonly wasOpenedAhead: boolean;
  /** Whether each reply so far named its request: one that does not is another's. */
  readonly isEchoing: boolean;
  /**
   * Notes a complete reply.
   * @param digest of its content and the server's time in it.
   * @param isDated whether it gives the server's time; `isEchoed` whether it names the request.
   * @returns whether it may be a copy of an earlier reply on this connection.
   */
  answered(digest: string, { isDated, isEchoed }: { isDated: boolean; isEchoed: boolean }): boolean;
  /** Ends the request: the next one may follow. */
  release(): void;
  /** Ends the request, of which more bytes may arrive. */
  drop(): void;
}
