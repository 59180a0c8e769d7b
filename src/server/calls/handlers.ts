import type { z } from 'zod';
import type { EndpointPath, endpoints } from '../../contract/endpoints.ts';
import type { AuditSymbol } from '../store/auditTrail.ts';
import type { Store } from '../store/store.ts';
import { type Caller, isAdministrator } from './caller.ts';

/** Answered with status 204: the token is rejected, or the caller lacks permission for the object. */
export const noContent = Symbol('204 No Content');

/**
 * A JSON body written piece by piece; the pieces together form one JSON document. A piece of bytes may be overwritten when
 * the next one is asked for.
 */
export class StreamedJson {
  readonly chunks: AsyncIterable<Uint8Array | string>;

  constructor(chunks: AsyncIterable<Uint8Array | string>) {
    this.chunks = chunks;
  }
}

/** What a handler answers, at once or as a promise: the reply's value, {@link noContent}, or a {@link StreamedJson}. */
export type HandlerReply = unknown;

/** What every handler is given beside the request's body. */
export interface CallContext {
  store: Store;
  /** The moment of the call; the one clock of a request. */
  now: Date;
  /** Aborts when the client goes away or the server stops. */
  signal: AbortSignal;
  /** Whether a web page of another origin makes the call, as its browser says. */
  isFromWebPage: boolean;
  /**
   * Writes an audit entry, in the running transaction, if its audit type is recorded; see `auditSymbols`. It names the
   * caller, or in calls without one the user given.
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
 * Answers one endpoint. Writes go through one `store.transaction` so that they and their audit row commit together;
 * whatever must be awaited is awaited before it.
 * @throws {CallFailure} to answer an error code in the endpoint's own envelope.
 */
type Handler<P extends EndpointPath> = (body: BodyOf<P>, context: ContextOf<P>) => HandlerReply;

/** Handlers by endpoint; every room exports its own part. */
export type Handlers = { [P in EndpointPath]?: Handler<P> };

/** Refusal with an application error code, written in the envelope variant of the endpoint called. */
export class CallFailure extends Error {
  readonly code: number;

  constructor(code: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CallFailure';
    this.code = code;
  }
}

/** Answers 204 to everybody but administrators. API description, Errors (HTTP status). */
export function adminOnly<Body>(handler: (body: Body, context: SignedInContext) => HandlerReply) {
  return (body: Body, context: SignedInContext): HandlerReply =>
    isAdministrator(context.caller) ? handler(body, context) : noContent;
}
