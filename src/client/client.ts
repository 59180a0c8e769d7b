import type { EndpointRow } from '../contract/endpointRow.ts';
import { endpoints, type EndpointPath, type ReplyOf, type RequestOf } from '../contract/endpoints.ts';
import { ClientError, isClientError, forConnection } from './clientError.ts';
import { writeExactJson } from './http/reply/exactJson.ts';
import { emptyReply } from './http/reply/rawReply.ts';
import { defaultLimits, EndpointCaller, type CallResult } from './http/endpointCall.ts';
import { silentLogger, type RequestLogger } from './http/logger.ts';
import { Dialect } from './dialect/dialect.ts';
import type { ListName } from './dialect/lists.ts';
import { FormSearch } from './dialect/formSearch.ts';
import { withInstanceFacts } from './session/instanceFacts.ts';
import { PasswordDemand } from './session/passwordDemand.ts';
import { Session } from './session/session.ts';
import { JoinedReads } from './http/joinedReads.ts';
import { RetryBudget } from './http/retryBudget.ts';
import { MissingEndpoints } from './http/missingEndpoints.ts';
import { awaitServer } from './http/cancelScope.ts';
import { pause, realDeadlines, waitFor, type Deadlines } from './http/waitFor.ts';
import type { Credentials, CredentialSource, SessionVault } from './session/sessionState.ts';
import type { ServerTarget } from './http/target.ts';
import { Transport, type SendOptions } from './http/transport.ts';
import type { WriteJournal } from './writes/writeJournal.ts';
import * as l10n from '../l10n/l10n.ts';

/** Dependencies of a client. */
export interface ClientOptions {
  target: ServerTarget;
  vault: SessionVault;
  credentials: CredentialSource;
  /** Deletes stored credentials that the server rejected. */
  forgetRejected?: (credentials: Credentials) => Promise<void>;
  logger?: RequestLogger;
  /** Stores writes until their outcome is known. */
  journal?: WriteJournal;
  /** Whether equal reads at the same time are one request. */
  joinsReads?: boolean;
  /** Whether the server is known to write lists without a described form as the embedded server does. */
  speaksOurs?: boolean;
  /** Called when a write sends a list in our form to a server that has not shown that it takes it. */
  onUnseenForm?: (name: ListName) => void;
  /** Replaceable by tests. Default: the real clock. */
  deadlines?: Deadlines;
}

/** Limits for one call. */
export type CallOptions = Partial<SendOptions>;

/** Limits of a call and, for writes, its guard. */
export type GuardedCall = CallOptions & { guard?: WriteGuard | undefined };

/** Observes a write in progress and decides whether it may be sent again. */
export interface WriteGuard {
  /** The reply was empty: rejected token, missing permission, or a proxy dropped the body. */
  answeredEmpty(): void;
  /** Called before the request is sent again after a rejected token. Throws to prevent that. */
  beforeResend(): Promise<void>;
}

const attempts = 3;
const firstPauseMs = 100;
/** Calls whose reply is a user, who may be the signed-in one. */
const userPaths: ReadonlySet<EndpointPath> = new Set([
  'Contact/GetContactById',
  'Contact/SaveContact',
  'Contact/SaveMYContact',
]);

/**
 * Typed calls to one server as one account. Signs in when needed, once for all concurrent calls. Retries reads that
 * never reached the server. Never sends a write twice.
 */
export class AnalyticsClient {
  readonly target: ServerTarget;
  readonly session: Session;
  readonly journal: WriteJournal | undefined;
  readonly #transport: Transport;
  readonly #caller: EndpointCaller;
  readonly #budget = new RetryBudget();
  readonly #deadlines: Deadlines;
  readonly #missing: MissingEndpoints;
  readonly #forms: FormSearch;
  readonly #reads: JoinedReads | undefined;
  readonly #demand: PasswordDemand;
  /** The client that replaces this one and takes its further calls. */
  #successor: AnalyticsClient | undefined;

  constructor(options: ClientOptions) {
    this.target = options.target;
    this.journal = options.journal;
    this.#deadlines = options.deadlines ?? realDeadlines;
    this.#reads = options.joinsReads ? new JoinedReads() : undefined;
    this.#missing = new MissingEndpoints(options.target.name);
    this.#transport = new Transport(options.target, this.#deadlines);
    const dialect = new Dialect(options.speaksOurs);
    this.#forms = new FormSearch({
      ...{ server: options.target.name, dialect, onUnseen: options.onUnseenForm },
      read: (path, body) => this.call(path, body),
    });
    this.#caller = new EndpointCaller(options.target, this.#transport, options.logger ?? silentLogger, dialect);
    const { vault, credentials, forgetRejected } = options;
    this.session = new Session({ caller: this.#caller, vault, credentials, forgetRejected });
    this.#demand = new PasswordDemand(this.session, this.#caller);
  }

  /**
   * Calls `path` with `body` and adds the token.
   * @throws {ClientError} for every failure; an empty reply becomes noPermission once the session is known to be valid.
   */
  async call<P extends EndpointPath>(path: P, body: RequestOf<P>, options: GuardedCall = {}): Promise<ReplyOf<P>> {
    return (await this.exchange(path, body, options)).value;
  }

  /** Connects for calls that will follow soon, without sending any; a failure is left to them. */
  async openAhead(): Promise<void> {
    await this.#transport.openAhead();
  }

  /** Like {@link call}, but also returns the text of the reply, for callers that need exact numbers. */
  async exchange<P extends EndpointPath>(
    path: P,
    body: RequestOf<P>,
    options: GuardedCall = {},
  ): Promise<{ value: ReplyOf<P>; text: string }> {
    if (!endpoints[path].isSafe && !options.guard) {
      // A direct call would lose a write whose reply never arrives.
      throw new Error(`${path} writes: it is sent by settleWrite only, which follows it until its outcome is known.`);
    }
    if (this.#successor) return this.#successor.exchange(path, body, options);
    return this.#explained(() =>
      awaitServer(this.target.name, options.signal, async (signal) => {
        await this.#forms.before(path, body, signal);
        return this.#joinedExchange(path, body, { ...options, signal });
      }),
    );
  }

  /**
   * Runs `work`; a failure names the connection, and a refusal the new password that the server waits for, or what the
   * sign-in said of the server.
   */
  async #explained<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await forConnection(this.target.connectionId, work);
    } catch (error) {
      throw withInstanceFacts(await this.#demand.explain(error), this.session.state);
    }
  }

  async #joinedExchange<P extends EndpointPath>(
    path: P,
    body: RequestOf<P>,
    options: GuardedCall,
  ): Promise<{ value: ReplyOf<P>; text: string }> {
    const { isSafe, isTriedOnce }: EndpointRow = endpoints[path];
    const send = (signal: AbortSignal | undefined) => this.#exchange(path, body, { ...options, signal });
    if (!this.#reads) return send(options.signal);
    if (!isSafe) return this.#reads.write(() => send(options.signal));
    if (isTriedOnce) return send(options.signal);
    const { deadlineMs, maxBytes } = options;
    // Written as it is sent: integers may be beyond the range of numbers.
    const request = [path, writeExactJson(body), this.session.shared?.token, deadlineMs, maxBytes].join('\n');
    const facts = { server: this.target.name, endpoint: path };
    return this.#reads.read(request, { signal: options.signal, facts }, send);
  }

  async #exchange<P extends EndpointPath>(
    path: P,
    body: RequestOf<P>,
    options: GuardedCall,
  ): Promise<{ value: ReplyOf<P>; text: string }> {
    // One deadline covers sign-in, all attempts and the pauses between them.
    const { deadlineMs, maxBytes, guard } = { ...defaultLimits, ...options };
    const deadline = this.#deadlines(deadlineMs);
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
    const limits = { deadlineMs, maxBytes, signal };
    let isResend = false;
    const send = async (token: string | undefined) => {
      if (isResend) await guard?.beforeResend();
      isResend = true;
      const result = await this.#attemptOffered(path, body, token, limits);
      if (result.value === emptyReply) guard?.answeredEmpty();
      return result;
    };
    if (!endpoints[path].needsToken) return this.#accept(path, await send(undefined));
    const result = await this.withToken(path, send, signal, (reply) => isInconclusive(reply.value), deadlineMs);
    const accepted = this.#accept(path, result);
    if (userPaths.has(path)) await this.session.noteUser(accepted.value);
    return accepted;
  }

  /**
   * Runs `send` with a token and the client that the token belongs to; repeats it once with a new token if the server
   * rejected the first. If `provesNothing` returns true for a reply, the session is checked before the reply is used.
   */
  withToken<T>(
    endpoint: EndpointPath,
    send: (token: string, client: AnalyticsClient) => Promise<T>,
    signal: AbortSignal | undefined,
    provesNothing: (reply: T) => boolean,
    deadlineMs = defaultLimits.deadlineMs,
  ): Promise<T> {
    if (this.#successor) return this.#successor.withToken(endpoint, send, signal, provesNothing, deadlineMs);
    const work = () => this.#withToken(endpoint, send, signal, provesNothing, deadlineMs);
    return this.#explained(work);
  }

  async #withToken<T>(
    endpoint: EndpointPath,
    send: (token: string, client: AnalyticsClient) => Promise<T>,
    signal: AbortSignal | undefined,
    provesNothing: (reply: T) => boolean,
    deadlineMs: number,
  ): Promise<T> {
    // A sign-in in progress serves all calls, so cancelling one call does not stop it.
    const facts = { server: this.target.name, endpoint, isUnsent: true };
    const wait = (work: Promise<string>) => waitFor(work, { signal, deadlineMs }, facts);
    // Without a token nothing is sent, so every sign-in failure counts as unsent.
    let token = await wait(this.session.token()).catch((error: unknown) => {
      throw isClientError(error) ? error.asUnsent() : error;
    });
    const { signIns } = this.session;
    const fresh = await this.#tryToken(token, send, signal, provesNothing);
    if (fresh) return fresh.reply;
    try {
      token = await wait(this.session.rejected(token, signIns));
      const again = await this.#tryToken(token, send, signal, provesNothing);
      if (again) return again.reply;
      const words = l10n.t('{0} rejected a new session.', this.target.name);
      throw new ClientError('notSignedIn', words, { server: this.target.name, endpoint });
    } catch (error) {
      // The request was already sent with the first token, even if getting the second one failed.
      throw isClientError(error) ? error.asSent() : error;
    }
  }

  /** Sends with one token. @returns undefined if the token was rejected. */
  async #tryToken<T>(
    token: string,
    send: (token: string, client: AnalyticsClient) => Promise<T>,
    signal: AbortSignal | undefined,
    provesNothing: (reply: T) => boolean,
  ): Promise<{ reply: T } | undefined> {
    const sentAt = this.session.now;
    try {
      const reply = await send(token, this);
      if (provesNothing(reply) && !(await this.session.isValid(token, signal))) return undefined;
      this.session.succeeded(token, sentAt);
      return { reply };
    } catch (error) {
      if (!isClientError(error, 'notSignedIn')) throw error;
      return undefined;
    }
  }

  /**
   * Sends `path` once, without retries, and returns the reply while it is still arriving. Used for results.
   * @param token must belong to this client; it is never sent to another server.
   */
  async stream<P extends EndpointPath>(
    path: P,
    body: RequestOf<P>,
    token: string,
    options: CallOptions,
  ): ReturnType<EndpointCaller['stream']> {
    await this.#forms.before(path, body, options.signal);
    return this.#caller.stream(path, body, token, options);
  }

  /**
   * Redirects further calls to `successor`, which serves the same account over another route or under another name.
   * Calls in progress finish here; code that still holds this client, such as a check for a write of unknown outcome,
   * uses the successor.
   */
  async giveWayTo(successor: AnalyticsClient): Promise<void> {
    this.#successor = successor;
    // A token is valid for one address only, so calls in progress never continue at another one.
    const isSameServer = successor.target.apiBase === this.target.apiBase;
    await this.#transport.drain(isSameServer ? successor.#transport : undefined);
  }

  /** Closes all connections; calls in progress fail. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  /** One call, unless the server's release is known to lack the endpoint. */
  async #attemptOffered<P extends EndpointPath>(
    path: P,
    body: RequestOf<P>,
    token: string | undefined,
    limits: SendOptions,
  ): Promise<CallResult<P>> {
    if (token === undefined) return this.#attempt(path, body, token, limits);
    this.#missing.check(path, token);
    try {
      const result = await this.#attempt(path, body, token, limits);
      this.#missing.answered(path);
      return result;
    } catch (error) {
      if (!isClientError(error, 'notFound')) throw error;
      const isThere = await this.session.isValid(token, limits.signal).catch(() => false);
      throw isThere ? this.#missing.notFound(path, token, error) : error;
    }
  }

  /** One call. A read that never reached the server is retried within the budget. */
  async #attempt<P extends EndpointPath>(
    path: P,
    body: RequestOf<P>,
    token: string | undefined,
    limits: SendOptions,
  ): Promise<CallResult<P>> {
    this.#budget.called();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#caller.call(path, body, token, limits);
      } catch (error) {
        const { isSafe, isTriedOnce } = endpoints[path];
        const mayRetry = isSafe && !isTriedOnce && attempt < attempts && isClientError(error, 'unreachable');
        if (!mayRetry || !this.#budget.take()) throw error;
        const facts = { server: this.target.name, endpoint: path, cause: error };
        await pause(firstPauseMs * 2 ** (attempt - 1), limits, facts);
      }
    }
  }

  #accept<P extends EndpointPath>(path: P, { value, text }: CallResult<P>): { value: ReplyOf<P>; text: string } {
    if (value !== emptyReply) return { value, text };
    throw new ClientError(
      'noPermission',
      l10n.t('{0} did not answer {1}: the account has no permission.', this.target.name, path),
      {
        server: this.target.name,
        endpoint: path,
        status: 204,
      },
    );
  }
}

/** An empty reply or an empty list can mean a rejected token. API description, Errors. */
function isInconclusive(value: unknown): boolean {
  return value === emptyReply || (Array.isArray(value) && value.length === 0);
}
