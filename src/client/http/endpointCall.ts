import { endpoints, type EndpointPath, type ReplyOf, type RequestOf } from '../../contract/endpoints.ts';
import { otherObject, type OtherObject } from '../../contract/echo.ts';
import type { EndpointRow } from '../../contract/endpointRow.ts';
import { isClientError, ClientError, type ClientErrorDetails } from '../clientError.ts';
import { Dialect } from '../dialect/dialect.ts';
import { decodeInSlices } from './reply/decode.ts';
import { emptyReply } from './reply/rawReply.ts';
import { writeExactJson } from './reply/exactJson.ts';
import type { ConnectionNeed } from './pooledConnection.ts';
import type { RequestLogger } from './logger.ts';
import type { ServerTarget } from './target.ts';
import { hideSecrets, hiderOf, withoutSecret } from './reply/secretFilter.ts';
import type { IncomingReply, SendOptions, Transport } from './transport.ts';
import * as l10n from '../../l10n/l10n.ts';

/** A decoded reply, with the server's time when it answered. */
export interface CallResult<P extends EndpointPath> {
  value: ReplyOf<P> | typeof emptyReply;
  /** The raw reply text. */
  text: string;
  serverTime: Date | undefined;
}

/** Default limits. */
export const defaultLimits: SendOptions = { deadlineMs: 60_000, maxBytes: 256 * 1024 * 1024 };

/**
 * Sends one request to one endpoint and decodes the reply, without session or retries. Logs the endpoint, size, time
 * and outcome.
 */
export class EndpointCaller {
  readonly target: ServerTarget;
  readonly #transport: Transport;
  readonly #logger: RequestLogger;
  readonly #dialect: Dialect;
  static #count = 0;

  constructor(target: ServerTarget, transport: Transport, logger: RequestLogger, dialect = new Dialect()) {
    this.#dialect = dialect;
    this.target = target;
    this.#transport = transport;
    this.#logger = logger;
  }

  /**
   * Calls `path`; adds `token` to the body if given.
   * @throws {ClientError} for every failure.
   */
  async call<P extends EndpointPath>(
    path: P,
    body: RequestOf<P>,
    token: string | undefined,
    limits: Partial<SendOptions> = {},
  ): Promise<CallResult<P>> {
    const log = this.#start(path);
    const facts = { server: this.target.name, endpoint: path };
    try {
      const manner = mannerOf(path);
      let reply = await this.#send(path, body, token, limits, manner);
      // For any other status the body is irrelevant and may have any size or encoding.
      let text = reply.status === 200 ? await readText(reply, facts) : '';
      if (reply.isRepeated()) {
        if (manner === 'once') throw repeatedReply(facts);
        reply = await this.#send(path, body, token, limits, 'new');
        text = reply.status === 200 ? await readText(reply, facts) : '';
      }
      log.bytes = Buffer.byteLength(text);
      text = this.#dialect.readReply(path, text);
      const decoding = { ...defaultLimits, ...limits, hide: hiderOf(token, body) };
      const value = await decodeInSlices(path, { ...reply, text }, this.target.name, decoding);
      this.#throwIfAnother(path, body, value);
      log.end(value === emptyReply ? 'empty' : 'ok');
      return { value, text, serverTime: reply.serverTime };
    } catch (error) {
      log.end(isClientError(error) ? error.kind : 'failed');
      hideSecrets(error, hiderOf(token, body));
      throw error;
    }
  }

  /**
   * Calls `path` and returns the reply while its body is still arriving, with the token removed in case the server
   * quotes it. Writes the log entry when the body ends.
   */
  async stream<P extends EndpointPath>(
    path: P,
    body: RequestOf<P>,
    token: string | undefined,
    limits: Partial<SendOptions> = {},
  ): Promise<IncomingReply> {
    const log = this.#start(path);
    const facts = { server: this.target.name, endpoint: path };
    try {
      const reply = await this.#send(path, body, token, limits, 'stream');
      const bytes = inUtf8(reply.body, reply.contentType, facts);
      return { ...reply, body: logged(withoutSecret(bytes, token), log) };
    } catch (error) {
      log.end(isClientError(error) ? error.kind : 'failed');
      hideSecrets(error, hiderOf(token, body));
      throw error;
    }
  }

  #send(
    path: EndpointPath,
    body: object,
    token: string | undefined,
    limits: Partial<SendOptions>,
    manner: ConnectionNeed['manner'],
  ) {
    const own = this.#dialect.writeBody(path, body);
    const json = writeExactJson(token === undefined ? own : { ...own, sessionToken: token });
    return this.#transport.send(path, json, { ...defaultLimits, ...limits, manner });
  }

  /**
   * @throws {ClientError} when the reply describes another object than requested: later writes would go to that object.
   */
  #throwIfAnother(path: EndpointPath, body: object, value: unknown): void {
    const { echo }: EndpointRow = endpoints[path];
    const other = echo && value !== emptyReply ? otherObject(echo, body, value) : undefined;
    if (other) throw otherObjectError(this.target.name, path, other);
  }

  #start(endpoint: string): RunningEntry {
    return new RunningEntry(++EndpointCaller.#count, this.target.name, endpoint, this.#logger);
  }
}

/** Log entry of a running request. */
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

/**
 * Reads the whole reply text, in its declared charset or UTF-8.
 * @throws {ClientError} of kind malformed for invalid bytes: replacement characters would be saved back.
 */
async function readText({ body, contentType }: IncomingReply, facts: ClientErrorDetails): Promise<string> {
  let text = '';
  for await (const part of textOf(body, contentType, facts)) text += part;
  return text;
}

/** The reply in UTF-8, as results require. UTF-8 input passes through unchanged. */
function inUtf8(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  facts: ClientErrorDetails,
): AsyncIterable<Uint8Array> {
  return ['utf-8', 'utf8', 'us-ascii'].includes(charsetOf(contentType))
    ? body
    : encoded(textOf(body, contentType, facts));
}

async function* encoded(parts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const part of parts) if (part !== '') yield Buffer.from(part);
}

async function* textOf(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  facts: ClientErrorDetails,
): AsyncGenerator<string> {
  const charset = charsetOf(contentType);
  const decoder = decoderOf(charset, facts);
  const decode = (chunk?: Uint8Array) => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch (cause) {
      throw new ClientError('malformed', l10n.t('The reply of {0} is not valid {1} text.', facts.server, charset), {
        ...facts,
        cause,
      });
    }
  };
  for await (const chunk of body) yield decode(chunk);
  yield decode();
}

function decoderOf(charset: string, facts: ClientErrorDetails) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch (cause) {
    const message = l10n.t('{0} uses the charset {1}, which is not supported.', facts.server, charset);
    throw new ClientError('malformed', message, { ...facts, cause });
  }
}

function charsetOf(contentType: string): string {
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'utf-8';
}

function mannerOf(path: EndpointPath): ConnectionNeed['manner'] {
  const { isSafe, isTriedOnce }: EndpointRow = endpoints[path];
  // Whether a sign-in or sign-out worked cannot be looked up afterwards.
  if (path.startsWith('login/')) return 'new';
  return isSafe && !isTriedOnce ? 'read' : 'once';
}

/** The error for a reply that may be a copy of an earlier one. The outcome of a write is then looked up. */
function repeatedReply(facts: ClientErrorDetails): ClientError {
  return new ClientError('unreachable', l10n.t('{0} repeated an earlier reply.', facts.server), facts);
}

/** The error for a reply that describes another object than requested, or none. */
export function otherObjectError(server: string, endpoint: string, { asked, answered }: OtherObject): ClientError {
  const message =
    answered === ''
      ? l10n.t(
          '{0} answered {1} for the object {2} with an object that has no ID. It may have been deleted.',
          server,
          endpoint,
          asked,
        )
      : l10n.t('{0} answered {1} for the object {2} with the object {3}.', server, endpoint, asked, answered);
  const remedy =
    answered === ''
      ? l10n.t('Refresh and check whether it still exists.')
      : l10n.t('Ask the administrator of the server or its proxy why the wrong object was returned.');
  return new ClientError('malformed', message, { server, endpoint, remedy });
}
