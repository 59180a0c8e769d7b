import { endpoints, type EndpointPath, type ReplyOf, type RequestOf } from '../contract/endpoints.ts';
import { isClientError } from './clientError.ts';
import { decodeReply, emptyReply } from './decode.ts';
import { writeExactJson } from './exactJson.ts';
import type { RequestLogger } from './logger.ts';
import type { ServerTarget } from './target.ts';
import { hideSecrets, withoutSecret } from './secretFilter.ts';
import type { IncomingReply, SendOptions, Transport } from './transport.ts';

/** A decoded reply, with the server's clock when it answered. */
export interface CallResult<P extends EndpointPath> {
  value: ReplyOf<P> | typeof emptyReply;
  /** The reply as it came. */
  text: string;
  serverTime: Date | undefined;
}

/** Limits used where a caller gives none. */
export const defaultLimits: SendOptions = { deadlineMs: 60_000, maxBytes: 256 * 1024 * 1024 };

/**
 * Sends one request to one endpoint and decodes its reply: no session, no retry. What came is written to the log by
 * endpoint, size, time and outcome.
 */
export class EndpointCaller {
  readonly target: ServerTarget;
  readonly #transport: Transport;
  readonly #logger: RequestLogger;
  static #count = 0;

  constructor(target: ServerTarget, transport: Transport, logger: RequestLogger) {
    this.target = target;
    this.#transport = transport;
    this.#logger = logger;
  }

  /**
   * Calls `path`; `token` is added to the body when given.
   * @throws {ClientError} for every failure.
   */
  async call<P extends EndpointPath>(
    path: P,
    body: RequestOf<P>,
    token: string | undefined,
    limits: Partial<SendOptions> = {},
  ): Promise<CallResult<P>> {
    const log = this.#start(path);
    try {
      const reply = await this.#send(path, body, token, limits);
      const text = await readText(reply);
      log.bytes = Buffer.byteLength(text);
      const value = decodeReply(path, { ...reply, text }, this.target.name);
      log.end(value === emptyReply ? 'empty' : 'ok');
      return { value, text, serverTime: reply.serverTime };
    } catch (error) {
      log.end(isClientError(error) ? error.kind : 'failed');
      hideSecrets(error, [token, 'UserPassword' in body ? body.UserPassword : undefined]);
      throw error;
    }
  }

  /**
   * Calls `path` and hands over the reply while its body still arrives, without the token, should the server quote it. The
   * log entry is written when the body ends.
   */
  async stream<P extends EndpointPath>(
    path: P,
    body: RequestOf<P>,
    token: string | undefined,
    limits: Partial<SendOptions> = {},
  ): Promise<IncomingReply> {
    const log = this.#start(path);
    try {
      const reply = await this.#send(path, body, token, limits);
      return { ...reply, body: logged(withoutSecret(reply.body, token), log) };
    } catch (error) {
      log.end(isClientError(error) ? error.kind : 'failed');
      hideSecrets(error, [token]);
      throw error;
    }
  }

  #send(path: EndpointPath, body: object, token: string | undefined, limits: Partial<SendOptions>) {
    const json = writeExactJson(token === undefined ? body : { ...body, sessionToken: token });
    const onFreshConnection = !endpoints[path].isSafe;
    return this.#transport.send(path, json, { ...defaultLimits, ...limits, onFreshConnection });
  }

  #start(endpoint: string): RunningEntry {
    return new RunningEntry(++EndpointCaller.#count, this.target.name, endpoint, this.#logger);
  }
}

/** A log entry of a request under way. */
class RunningEntry {
  bytes = 0;
  readonly #id: number;
  readonly #server: string;
  readonly #endpoint: string;
  readonly #logger: RequestLogger;
  readonly #startedAt = performance.now();

  constructor(id: number, server: string, endpoint: string, logger: RequestLogger) {
    this.#id = id;
    this.#server = server;
    this.#endpoint = endpoint;
    this.#logger = logger;
  }

  end(outcome: string): void {
    const ms = Math.round(performance.now() - this.#startedAt);
    this.#logger.request({
      id: this.#id,
      server: this.#server,
      endpoint: this.#endpoint,
      ms,
      bytes: this.bytes,
      outcome,
    });
  }
}

async function* logged(body: AsyncIterable<Uint8Array>, log: RunningEntry): AsyncGenerator<Uint8Array> {
  let outcome = 'abandoned';
  try {
    for await (const chunk of body) {
      log.bytes += chunk.byteLength;
      yield chunk;
    }
    outcome = 'ok';
  } catch (error) {
    outcome = isClientError(error) ? error.kind : 'failed';
    throw error;
  } finally {
    log.end(outcome);
  }
}

async function readText(reply: IncomingReply): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of reply.body) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
