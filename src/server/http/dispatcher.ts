import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { EndpointRow } from '../../contract/endpointRow.ts';
import { endpoints, type EndpointPath } from '../../contract/endpoints.ts';
import { errorCodes } from '../../contract/errorCodes.ts';
import { type Caller, isAdministrator } from '../calls/caller.ts';
import {
  CallFailure,
  noContent,
  StreamedJson,
  type HandlerReply,
  type Handlers,
  type SignedInContext,
} from '../calls/handlers.ts';
import { SlicedWork } from '../calls/turns.ts';
import { passwordChangeDue, waitsForPasswordChange } from '../identity/passwords.ts';
import type { Sessions } from '../identity/sessions.ts';
import { recordAudit, type AuditSymbol } from '../store/auditTrail.ts';
import { DiskFull } from '../store/fullDisk.ts';
import { NumberTooLarge, type Store } from '../store/store.ts';
import { failureReply, jsonReply, rejectedToken, type Reply, stoppingReply, textReply } from './reply.ts';
import { type BodyIssue, checkLargeBody, parseLargeBody } from './largeBody.ts';
import { fromOtherDialect, toOtherDialect } from './otherDialect.ts';
import { parseBody } from './requestBody.ts';
import type { RunningCall } from './runningCall.ts';
import { startStream } from './replyWriter.ts';

/** Dependencies of the dispatcher. */
interface DispatcherParts {
  store: Store;
  sessions: Sessions;
  handlers: Handlers;
  /** Speaks a second dialect of lists without a described form, for tests of clients. */
  speaksOther?: boolean | undefined;
  /** Logs unexpected errors to the server's own log. */
  log(message: string): void;
}

/** Handles one call, synchronously if its handler is synchronous; never throws. */
export type Dispatch = (path: EndpointPath, body: Buffer, call: RunningCall) => Reply | Promise<Reply>;

type AnyHandler = (body: object, context: SignedInContext) => HandlerReply;

/**
 * Handles a call from its bytes to its reply: checks the body against the contract, resolves the token to the caller,
 * runs the handler, and writes the result in the endpoint's form. API description, Errors.
 */
export function createDispatcher(parts: DispatcherParts): Dispatch {
  return (path, bytes, call) => {
    const running: Running = { parts, path, row: endpoints[path], call };
    const failed = (error: unknown) => failedReply(running, error);
    try {
      const answer = bytes.length > smallBody ? answerLarge(running, bytes) : answerSmall(running, bytes);
      return answer instanceof Promise ? answer.catch(failed) : answer;
    } catch (error) {
      return failed(error);
    }
  };
}

/** Maximum bytes of a body parsed in one go; a longer one would block other calls. */
const smallBody = 64 * 1024;

/** A call and the dependencies to handle it. */
interface Running {
  parts: DispatcherParts;
  path: EndpointPath;
  row: EndpointRow;
  call: RunningCall;
  /** Once the token is resolved. */
  caller?: Caller | undefined;
}

function answerSmall(running: Running, bytes: Buffer): Reply | Promise<Reply> {
  let value: unknown;
  try {
    value = parseBody(bytes);
  } catch (error) {
    return unreadableReply(error);
  }
  const admitted = admit(running, value);
  if ('refusal' in admitted) return admitted.refusal;
  const checked = checkedBody(running.row, value);
  return 'refusal' in checked ? checked.refusal : handled(running, checked.body, admitted);
}

/** Handles a body that takes long to parse, in slices of a few milliseconds. */
async function answerLarge(running: Running, bytes: Buffer): Promise<Reply> {
  let value: unknown;
  try {
    value = await inSlices(parseLargeBody(bytes));
  } catch (error) {
    return unreadableReply(error);
  }
  const admitted = admit(running, value);
  if ('refusal' in admitted) return admitted.refusal;
  if (!isFields(value)) return malformedReply(running.row, noObject);
  const issue = await inSlices(checkLargeBody(running.row.request, value));
  if (issue) return malformedReply(running.row, issue);
  // The session may have ended or its permissions changed in the meantime.
  const still = admit(running, value);
  return 'refusal' in still ? still.refusal : handled(running, value, still);
}

/** An admitted call: its caller and its date and time. */
interface Admitted {
  now: Date;
  token: string;
  caller: Caller | undefined;
}

function admit({ parts, path, row }: Running, value: unknown): Admitted | { refusal: Reply } {
  const missing = missingField(row, value);
  if (missing) return { refusal: missing };
  const now = new Date();
  const token = sessionTokenOf(value);
  const session = row.needsToken ? parts.sessions.use(token ?? '', now) : undefined;
  // Checked first, so that callers without access cannot make the server do any work.
  if (row.needsToken && token !== undefined && !session) return { refusal: rejectedToken(path, row) };
  return { now, token: token ?? '', caller: session?.caller };
}

function handled(running: Running, body: object, { now, token, caller }: Admitted): Reply | Promise<Reply> {
  const { parts, path, row, call } = running;
  running.caller = caller;
  if (caller && waitsForPasswordChange(path, body, caller)) {
    return failureReply(row, errorCodes.notCompleted, passwordChangeDue);
  }
  // The table pairs every path with its handler, but the compiler cannot follow a path known only at run time.
  const handler = parts.handlers[path] as AnyHandler | undefined;
  if (!handler) return failureReply(row, errorCodes.notCompleted, `This server does not offer ${path} yet.`);
  // Calls without a token have no caller, as their handlers' types state.
  const run = (own: object) => handler(own, new CallScope(parts.store, call, now, token, caller) as SignedInContext);
  const answer = parts.speaksOther ? inOtherDialect(running, body, run) : run(body);
  return answer instanceof Promise || answer instanceof StreamedJson ? laterReply(row, answer) : replyOf(row, answer);
}

/** Runs a handler for a client that speaks the other dialect. */
function inOtherDialect({ path }: Running, body: object, run: (own: object) => HandlerReply): HandlerReply {
  let own: object;
  try {
    own = fromOtherDialect(path, body) as object;
  } catch (error) {
    throw new CallFailure(errorCodes.notCompleted, error instanceof Error ? error.message : String(error));
  }
  const answer = run(own);
  if (answer instanceof StreamedJson) return answer;
  if (!(answer instanceof Promise)) return toOtherDialect(path, answer);
  return answer.then((value) => (value instanceof StreamedJson ? value : toOtherDialect(path, value)));
}

/** Builds the reply of a handler that is asynchronous or streams. */
async function laterReply(row: EndpointRow, answer: Promise<unknown> | StreamedJson): Promise<Reply> {
  const value = await answer;
  return replyOf(row, value instanceof StreamedJson ? await startStream(value) : value);
}

/** The context of a call. Creates its signal on first access. */
class CallScope {
  readonly store: Store;
  readonly now: Date;
  readonly sessionToken: string;
  readonly caller: Caller | undefined;
  readonly isFromWebPage: boolean;
  readonly source: string | undefined;
  readonly #call: RunningCall;

  constructor(store: Store, call: RunningCall, now: Date, sessionToken: string, caller: Caller | undefined) {
    this.store = store;
    this.#call = call;
    this.now = now;
    this.sessionToken = sessionToken;
    this.caller = caller;
    this.isFromWebPage = call.origin.isFromWebPage;
    this.source = call.origin.source;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  readonly audit = (symbol: AuditSymbol, detail: string, userId?: string): void => {
    const entry = { symbol, detail, userId: this.caller?.userId ?? userId ?? null };
    this.store.transactionOrLater(() => recordAudit(this.store, entry, this.now));
  };
}

/** Error for a body that is not valid JSON or cannot be stored unchanged. */
function unreadableReply(error: unknown): Reply {
  if (error instanceof NumberTooLarge) throw error;
  const ErrorMessage = error instanceof Error ? error.message : 'The body cannot be read.';
  return { ...jsonReply({ ErrorCode: errorCodes.unexpected, ErrorMessage }), outcome: 'malformed' };
}

/** Error for a body that lacks a field: 500, regardless of the caller. */
function missingField(row: EndpointRow, value: unknown): Reply | undefined {
  if (!isFields(value)) return undefined;
  const missing = requiredFields(row).find((name) => value[name] === undefined);
  if (missing === undefined) return undefined;
  const ErrorMessage = `The required field ${missing} is missing.`;
  return { ...jsonReply({ ErrorCode: errorCodes.unexpected, ErrorMessage }, 500), outcome: 'malformed' };
}

const required = new WeakMap<EndpointRow, readonly string[]>();

function requiredFields(row: EndpointRow): readonly string[] {
  let names = required.get(row);
  if (!names) {
    const fields = row.request instanceof z.ZodObject ? Object.entries<z.ZodType>(row.request.shape) : [];
    names = fields.filter(([, schema]) => !schema.safeParse(undefined).success).map(([name]) => name);
    required.set(row, names);
  }
  return names;
}

type Checked = { body: object } | { refusal: Reply };

/** Checks a body against the contract: 9000 for a field of the wrong type. */
function checkedBody(row: EndpointRow, value: unknown): Checked {
  // Fast path with the same result, for calls that every client repeats often.
  if (asksForTokenAlone(row) && sessionTokenOf(value) !== undefined) return { body: value as object };
  const parsed = row.request.safeParse(value);
  if (parsed.success && typeof parsed.data === 'object' && parsed.data !== null) return { body: parsed.data };
  return { refusal: malformedReply(row, parsed.error?.issues[0] ?? noObject) };
}

const noObject: BodyIssue = { path: [], message: 'not an object' };

function malformedReply(row: EndpointRow, { path, message }: BodyIssue): Reply {
  const where = path.length > 0 ? path.join('.') : 'the body';
  return failureReply(row, errorCodes.unexpected, `Malformed request: ${where}: ${message}.`, 'malformed');
}

const tokenAlone = new WeakMap<EndpointRow, boolean>();

/** Whether the body requires nothing but the token. */
function asksForTokenAlone(row: EndpointRow): boolean {
  let isAlone = tokenAlone.get(row);
  if (isAlone === undefined) {
    const fields = row.request instanceof z.ZodObject ? Object.keys(row.request.shape) : [];
    isAlone = row.needsToken && fields.length === 1;
    tokenAlone.set(row, isAlone);
  }
  return isAlone;
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined if there is no token or it is not text. */
function sessionTokenOf(value: unknown): string | undefined {
  const token = isFields(value) ? value.sessionToken : undefined;
  return typeof token === 'string' ? token : undefined;
}

function replyOf(row: EndpointRow, value: unknown): Reply {
  if (value === noContent) return { status: 204, outcome: 'no_permission' };
  if (row.form.kind === 'json') {
    if (value === undefined) throw new Error('A handler answered nothing');
    return hasFailed(value) ? { ...jsonReply(value), outcome: 'refused' } : jsonReply(value);
  }
  if (typeof value !== (row.form.kind === 'text' ? 'string' : 'number')) {
    throw new Error(`A handler answered ${typeof value} instead of ${row.form.kind}`);
  }
  return textReply(String(value));
}

/** Whether a handler answers an error in the fields of its result. */
function hasFailed(value: unknown): boolean {
  if (!isFields(value)) return false;
  return value.HasError === true || (typeof value.ErrorCode === 'number' && value.ErrorCode !== errorCodes.success);
}

/**
 * Builds the reply for an error. A CallFailure shows its message; any other error is only logged, because its message
 * may contain data or secrets, and the client gets a reference to the log entry.
 */
function failedReply(running: Running, error: unknown): Reply {
  const { parts, path, row, call } = running;
  // What the handler says is a consequence.
  if (call.isStopped) return stoppingReply(row);
  if (error instanceof CallFailure) return failureReply(row, error.code, error.message);
  if (error instanceof NumberTooLarge) {
    return failureReply(row, errorCodes.unexpected, `Malformed request: ${error.message}.`, 'malformed');
  }
  if (error instanceof DiskFull) return diskFullReply(running, error);
  // The client has disconnected.
  if (call.isCutOff) return { status: 204, outcome: 'cut_off' };
  const reference = randomBytes(4).toString('hex');
  parts.log(`${path} failed unexpectedly (${reference}): ${error instanceof Error ? error.stack : String(error)}`);
  const message = `The server could not complete ${path}. See the server log for ${reference}.`;
  return failureReply(row, errorCodes.unexpected, message, 'failed');
}

/** Nothing was stored, and the call succeeds when there is space. Only administrators learn the folder. */
function diskFullReply({ parts, path, row, caller }: Running, error: DiskFull): Reply {
  parts.log(`${path} was refused. ${error.message}`);
  const what = caller && isAdministrator(caller) ? error.message : `The server's disk is ${error.what}.`;
  return failureReply(row, errorCodes.unexpected, `${what} Nothing was saved.`, 'failed');
}

/** Large bodies that are being read, in slices. */
let bodies = 0;

/** How many large bodies are being read. */
export function waitingBodies(): number {
  return bodies;
}

/** Runs a generator in slices; it yields wherever it may be interrupted. */
async function inSlices<T>(generator: Generator<undefined, T, undefined>): Promise<T> {
  const work = new SlicedWork();
  bodies += 1;
  try {
    for (;;) {
      const pause = work.pause();
      if (pause) await pause;
      const step = generator.next();
      if (step.done) return step.value;
    }
  } finally {
    bodies -= 1;
  }
}
