import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { EndpointRow } from '../../contract/endpointRow.ts';
import { endpoints, type EndpointPath } from '../../contract/endpoints.ts';
import { errorCodes } from '../../contract/errorCodes.ts';
import type { Caller } from '../calls/caller.ts';
import {
  CallFailure,
  noContent,
  StreamedJson,
  type HandlerReply,
  type Handlers,
  type SignedInContext,
} from '../calls/handlers.ts';
import type { Sessions } from '../identity/sessions.ts';
import { recordAudit } from '../store/auditTrail.ts';
import { NumberTooLarge, type Store } from '../store/store.ts';
import { failureReply, rejectedToken } from './failures.ts';
import { jsonReply, textReply, type Reply } from './reply.ts';
import { parseBody } from './requestBody.ts';
import type { RunningCall } from './runningCall.ts';
import { startStream } from './startedStream.ts';

/** What calls are answered with. */
export interface DispatcherParts {
  store: Store;
  sessions: Sessions;
  handlers: Handlers;
  /** The server's own log; hears of unexpected errors. */
  log(message: string): void;
}

/** Answers one call; never throws. */
export type Dispatch = (path: EndpointPath, body: Buffer, call: RunningCall) => Promise<Reply>;

type AnyHandler = (body: object, context: SignedInContext) => HandlerReply;

/**
 * Takes a call from its bytes to its reply: body checked against the contract, token exchanged for the caller, handler
 * run, outcome written in the endpoint's form. API description, Errors.
 */
export function createDispatcher(parts: DispatcherParts): Dispatch {
  return async (path, bytes, call) => {
    const row: EndpointRow = endpoints[path];
    try {
      const sent = parsedBody(bytes);
      if ('refusal' in sent) return sent.refusal;
      const checked = checkedBody(row, sent.value);
      if ('refusal' in checked) return checked.refusal;
      const now = new Date();
      const token = sessionTokenOf(checked.body);
      const session = row.needsToken ? parts.sessions.use(token, now) : undefined;
      if (row.needsToken && !session) return rejectedToken(path, row);
      // The table pairs every path with its handler; the compiler cannot follow a path that is only known at run time.
      const handler = parts.handlers[path] as AnyHandler | undefined;
      if (!handler) return failureReply(row, errorCodes.notCompleted, `This server does not offer ${path} yet.`);
      // One without a token has no caller, and its handler's type says so.
      const context = new CallScope(parts.store, call, now, token, session?.caller) as SignedInContext;
      const answer = handler(checked.body, context);
      const value = answer instanceof Promise ? await (answer as Promise<unknown>) : answer;
      return replyOf(row, value instanceof StreamedJson ? await startStream(value) : value);
    } catch (error) {
      return failedReply(parts, path, row, error, call);
    }
  };
}

/** The context of a call. Its signal is made when first asked for. */
class CallScope {
  readonly store: Store;
  readonly now: Date;
  readonly sessionToken: string;
  readonly caller: Caller | undefined;
  readonly #call: RunningCall;

  constructor(store: Store, call: RunningCall, now: Date, sessionToken: string, caller: Caller | undefined) {
    this.store = store;
    this.#call = call;
    this.now = now;
    this.sessionToken = sessionToken;
    this.caller = caller;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  readonly audit = (symbol: string, detail: string, userId?: string): void =>
    recordAudit(this.store, { symbol, detail, userId: this.caller?.userId ?? userId ?? null }, this.now);
}

type Parsed = { value: unknown } | { refusal: Reply };

function parsedBody(bytes: Buffer): Parsed {
  try {
    return { value: parseBody(bytes) };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The body cannot be read.';
    return { refusal: jsonReply({ ErrorCode: errorCodes.unexpected, ErrorMessage: message }) };
  }
}

type Checked = { body: object } | { refusal: Reply };

/** Checks a body against the contract: 500 for a missing field, 9000 for one of the wrong kind. */
function checkedBody(row: EndpointRow, value: unknown): Checked {
  // The same in a fraction of the time, for calls that every client makes again and again.
  if (asksForTokenAlone(row) && isObjectWithToken(value)) return { body: value };
  const parsed = row.request.safeParse(value);
  if (parsed.success && typeof parsed.data === 'object' && parsed.data !== null) return { body: parsed.data };
  const issues = parsed.error?.issues ?? [];
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  const sent = isObject ? (value as Record<string, unknown>) : {};
  const missing = isObject && issues.find(({ path }) => path.length === 1 && sent[String(path[0])] === undefined);
  if (missing) {
    const ErrorMessage = `The required field ${String(missing.path[0])} is missing.`;
    return { refusal: jsonReply({ ErrorCode: errorCodes.unexpected, ErrorMessage }, 500) };
  }
  const [issue] = issues;
  const where = issue && issue.path.length > 0 ? issue.path.join('.') : 'the body';
  const message = `Malformed request: ${where}: ${issue?.message ?? 'not an object'}.`;
  return { refusal: failureReply(row, errorCodes.unexpected, message) };
}

const tokenAlone = new WeakMap<EndpointRow, boolean>();

/** Whether the body need hold nothing but the token. */
function asksForTokenAlone(row: EndpointRow): boolean {
  let isAlone = tokenAlone.get(row);
  if (isAlone === undefined) {
    const fields = row.request instanceof z.ZodObject ? Object.keys(row.request.shape) : [];
    isAlone = row.needsToken && fields.length === 1;
    tokenAlone.set(row, isAlone);
  }
  return isAlone;
}

function isObjectWithToken(value: unknown): value is { sessionToken: string } {
  return (
    typeof value === 'object' && value !== null && 'sessionToken' in value && typeof value.sessionToken === 'string'
  );
}

function sessionTokenOf(body: object): string {
  return 'sessionToken' in body && typeof body.sessionToken === 'string' ? body.sessionToken : '';
}

function replyOf(row: EndpointRow, value: unknown): Reply {
  if (value === noContent) return { status: 204 };
  if (row.form.kind === 'json') {
    if (value === undefined) throw new Error('A handler answered nothing');
    return jsonReply(value);
  }
  if (typeof value !== (row.form.kind === 'text' ? 'string' : 'number')) {
    throw new Error(`A handler answered ${typeof value} instead of ${row.form.kind}`);
  }
  return textReply(String(value));
}

/**
 * Answers an error. A refusal says its reason; anything else is told to the log alone, under a reference that the client
 * gets, since its words may hold data or secrets.
 */
function failedReply(
  parts: DispatcherParts,
  path: EndpointPath,
  row: EndpointRow,
  error: unknown,
  call: RunningCall,
): Reply {
  if (error instanceof CallFailure) return failureReply(row, error.code, error.message);
  if (error instanceof NumberTooLarge) {
    return failureReply(row, errorCodes.unexpected, `Malformed request: ${error.message}.`);
  }
  // Nobody is there any more to read the reply.
  if (call.isCutOff) return { status: 204 };
  const reference = randomBytes(4).toString('hex');
  parts.log(`${path} failed unexpectedly (${reference}): ${error instanceof Error ? error.stack : String(error)}`);
  const message = `The server could not complete ${path}; its log says more under ${reference}.`;
  return failureReply(row, errorCodes.unexpected, message);
}
