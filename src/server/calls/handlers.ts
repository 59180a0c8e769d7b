import type { z } from 'zod';
import type { EndpointPath, endpoints } from '../../contract/endpoints.ts';
import type { AuditSymbol } from '../store/auditTrail.ts';
import type { Store } from '../store/store.ts';
import { type Caller, isAdministrator } from './caller.ts';

/** Replies with status 204: the token is rejected, or the caller lacks permission for the object. */
export const noContent = Symbol('204 No Content');

/** A JSON document written in chunks. A chunk of bytes may be overwritten once the next one is requested. */
export class StreamedJson {
  readonly chunks: AsyncIterable<Uint8Array | string>;

  constructor(chunks: AsyncIterable<Uint8Array | string>) {
    this.chunks = chunks;
  }
}

/** Result of a handler, or a promise of it: the reply's value, {@link noContent}, or a {@link StreamedJson}. */
export type HandlerReply = unknown;

/** Arguments of every handler in addition to the request's body. */
export interface CallContext {
  store: Store;
  /** Date and time of the call; the only clock that a request uses. */
  now: Date;
  /** Aborts when the client disconnects or the server stops. */
  signal: AbortSignal;
  /** Whether the browser reports the call as coming from a web page of another origin. */
  isFromWebPage: boolean;
  /** The network that sent the call; undefined on a server that listens on loopback only. */
  source: string | undefined;
  /**
   * Writes an audit entry in the running transaction if its audit type is recorded; see `auditSymbols`. The entry names
   * the caller, or `userId` in calls without one.
   */
  audit(symbol: AuditSymbol, detail: string, userId?: string): void;
}

/** Context of a call that carries a valid token. */
export interface SignedInContext extends CallContext {
  caller: Caller;
  sessionToken: string;
}

type BodyOf<P extends EndpointPath> = z.output<(typeof endpoints)[P]['request']>;
type ContextOf<P extends EndpointPath> = (typeof endpoints)[P]['needsToken'] extends false
  ? CallContext
  : SignedInContext;

/**
 * Handles one endpoint. Makes all writes in one `store.transaction` so that they commit together with their audit row,
 * and awaits everything asynchronous before it.
 * @throws {CallFailure} to return an error code in the endpoint's own envelope.
 */
type Handler<P extends EndpointPath> = (body: BodyOf<P>, context: ContextOf<P>) => HandlerReply;

/** Handlers by endpoint; each feature exports its own part. */
export type Handlers = { [P in EndpointPath]?: Handler<P> };

/** Fails a call with an application error code, written in the envelope variant of the endpoint. */
export class CallFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CallFailure';
    this.code = code;
  }
}

/** Returns 204 to everyone except administrators. API description, Errors (HTTP status). */
export function adminOnly<Body>(handler: (body: Body, context: SignedInContext) => HandlerReply) {
  return (body: Body, context: SignedInContext): HandlerReply =>
    isAdministrator(context.caller) ? handler(body, context) : noContent;
}
