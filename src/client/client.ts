import { endpoints, type EndpointPath, type ReplyOf, type RequestOf } from '../contract/endpoints.ts';
import { ClientError, isClientError, forConnection } from './clientError.ts';
import { emptyReply } from './http/reply/rawReply.ts';
import { defaultLimits, EndpointCaller, type CallResult } from './http/endpointCall.ts';
import { silentLogger, type RequestLogger } from './http/logger.ts';
import { Session } from './session/session.ts';
import { awaitServer } from './http/cancelScope.ts';
import { pause, realDeadlines, waitFor, type Deadlines } from './http/waitFor.ts';
import type { Credentials, CredentialSource, SessionVault } from './session/sessionState.ts';
import type { ServerTarget } from './http/target.ts';
import { Transport, type SendOptions } from './http/transport.ts';
import type { WriteJournal } from './writes/writeJournal.ts';
import { say } from '../l10n/l10n.ts';

/** Retries that may be saved up. */
const capacity = 10;
/** What each call adds, so that retries stay a fraction of the calls. */
const perCall = 0.25;

/**
 * A token bucket that keeps retries a small part of the traffic: a dead server is not hammered by many callers.
 */
export class RetryBudget {
  #tokens = capacity;

  /** Notes a first attempt. */
  called(): void {
    this.#tokens = Math.min(capacity, this.#tokens + perCall);
  }

  /** Takes one retry out of the budget, if there is one. */
  take(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

/** What a client is made of. */
export interface ClientOptions {
  target: ServerTarget;
  vault: SessionVault;
  credentials: CredentialSource;
  /** Forgets credentials that the server rejected, if they are kept. */
  forgetRejected?: (credentials: Credentials) => Promise<void>;
  logger?: RequestLogger;
  /** Keeps writes until their outcome is known. */
  journal?: WriteJournal;
  /** For tests; default: by the clock. */
  deadlines?: Deadlines;
}

/** Limits that a caller may set for one call. */
export type CallOptions = Partial<SendOptions>;

/** Limits of a call, and who watches over it when it writes. */
export type GuardedCall = CallOptions & { guard?: WriteGuard | undefined };

/** What whoever must not write twice hears of a call under way, and decides. */
export interface WriteGuard {
  /** An empty reply came: rejected token, missing permission, or something on the way that swallowed the answer. */
  answeredEmpty(): void;
  /** Called before the request goes out once more after a rejected token; throws to keep that from happening. */
  beforeResend(): Promise<void>;
}

const attempts = 3;
const firstPauseMs = 100;

/**
 * Typed calls to one server as one account. Signs in when needed, at most once for all calls under way; retries reads
 * that never reached the server; never sends a write twice.
 */
export class AnalyticsClient {
  readonly target: ServerTarget;
  readonly session: Session;
  readonly journal: WriteJournal | undefined;
  readonly #transport: Transport;
  readonly #caller: EndpointCaller;
  readonly #budget = new RetryBudget();
  readonly #deadlines: Deadlines;
  /** The client that took this one's place, and takes what still comes. */
  #successor: AnalyticsClient | undefined;

  constructor(options: ClientOptions) {
    this.target = options.target;
    this.journal = options.journal;
    this.#deadlines = options.deadlines ?? realDeadlines;
    this.#transport = new Transport(options.target, this.#deadlines);
    this.#caller = new EndpointCaller(options.target, this.#transport, options.logger ?? silentLogger);
    const { vault, credentials, forgetRejected } = options;
    this.session = new Session({ caller: this.#caller, vault, credentials, forgetRejected });
  }

  /**
   * Calls `path` with `body`; the token is added here.
   * @throws {ClientError} for every failure; an empty reply becomes noPermission once the session is proved valid.
   */
  async call<P extends EndpointPath>(path: P, body: RequestOf<P>, options: GuardedCall = {}): Promise<ReplyOf<P>> {
    return (await this.exchange(path, body, options)).value;
  }

  /** {@link call}, with the text of the reply for whoever needs every digit of it. */
  async exchange<P extends EndpointPath>(
    path: P,
    body: RequestOf<P>,
    options: GuardedCall = {},
  ): Promise<{ value: ReplyOf<P>; text: string }> {
    if (!endpoints[path].isSafe && !options.guard) {
      // A program that forgets it would lose a write whose reply does not come.
      throw new Error(`${path} writes: it is sent by settleWrite only, which follows it until its outcome is known.`);
    }
    if (this.#successor) return this.#successor.exchange(path, body, options);
    return forConnection(this.target.connectionId, () =>
      awaitServer(this.target.name, options.signal, (signal) => this.#exchange(path, body, { ...options, signal })),
    );
  }

  async #exchange<P extends EndpointPath>(
    path: P,
    body: RequestOf<P>,
    options: GuardedCall,
  ): Promise<{ value: ReplyOf<P>; text: string }> {
    // One deadline for signing in, every attempt and the pauses between them.
    const { deadlineMs, maxBytes, guard } = { ...defaultLimits, ...options };
    const deadline = this.#deadlines(deadlineMs);
    const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
    const limits = { deadlineMs, maxBytes, signal };
    let isResend = false;
    const send = async (token: string | undefined) => {
      if (isResend) await guard?.beforeResend();
      isResend = true;
      const result = await this.#attempt(path, body, token, limits);
      if (result.value === emptyReply) guard?.answeredEmpty();
      return result;
    };
    if (!endpoints[path].needsToken) return this.#accept(path, await send(undefined));
    const result = await this.withToken(path, send, signal, (reply) => isInconclusive(reply.value), deadlineMs);
    return this.#accept(path, result);
  }

  /**
   * Runs `send` with a token and the client that it is good for, and once more with a fresh one if the server rejected the
   * first. A reply for which `provesNothing` holds is checked against the session before it is believed.
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
    return forConnection(this.target.connectionId, work);
  }

  async #withToken<T>(
    endpoint: EndpointPath,
    send: (token: string, client: AnalyticsClient) => Promise<T>,
    signal: AbortSignal | undefined,
    provesNothing: (reply: T) => boolean,
    deadlineMs: number,
  ): Promise<T> {
    // A sign-in under way serves every call, so one that gives up leaves it running.
    const facts = { server: this.target.name, endpoint, isUnsent: true };
    const wait = (work: Promise<string>) => waitFor(work, { signal, deadlineMs }, facts);
    // Without a token nothing goes out, whatever became of the sign-in.
    let token = await wait(this.session.token()).catch((error: unknown) => {
      throw isClientError(error) ? error.asUnsent() : error;
    });
    const fresh = await this.#tryToken(token, send, signal, provesNothing);
    if (fresh) return fresh.reply;
    try {
      token = await wait(this.session.rejected(token));
      const again = await this.#tryToken(token, send, signal, provesNothing);
      if (again) return again.reply;
      const words = say('{0} rejected a fresh session.', this.target.name);
      throw new ClientError('notSignedIn', words, { server: this.target.name, endpoint });
    } catch (error) {
      // The request went out with the first token, whatever became of the second.
      throw isClientError(error) ? error.asSent() : error;
    }
  }

  /** Sends with one token. @returns undefined when it was rejected. */
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
   * Sends `path` once, without a retry, and hands over the reply while it arrives. Used for results.
   * @param token of this very client: it goes to no other server.
   */
  stream<P extends EndpointPath>(
    path: P,
    body: RequestOf<P>,
    token: string,
    options: CallOptions,
  ): ReturnType<EndpointCaller['stream']> {
    return this.#caller.stream(path, body, token, options);
  }

  /**
   * Another client serves the same account from now on, by another way or under another name. Calls under way here come to
   * their end; whoever still holds this client, such as a look for a write of unknown outcome, is served by the other.
   */
  async giveWayTo(successor: AnalyticsClient): Promise<void> {
    this.#successor = successor;
    // A token is for one address: steps of a call that is under way go to no other.
    const isSameServer = successor.target.apiBase === this.target.apiBase;
    await this.#transport.drain(isSameServer ? successor.#transport : undefined);
  }

  /** Closes every connection; calls under way fail. */
  async close(): Promise<void> {
    await this.#transport.close();
  }

  /** One call; a read that never reached the server is tried again within the budget. */
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
      say('{0} gave no answer to {1}: no permission for it.', this.target.name, path),
      {
        server: this.target.name,
        endpoint: path,
        status: 204,
      },
    );
  }
}

/** An empty reply or an empty list may mean a rejected token. API description, Errors. */
function isInconclusive(value: unknown): boolean {
  return value === emptyReply || (Array.isArray(value) && value.length === 0);
}
