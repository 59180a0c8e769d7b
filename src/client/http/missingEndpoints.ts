import { endpoints, type EndpointPath } from '../../contract/endpoints.ts';
import { ClientError } from '../clientError.ts';
import * as l10n from '../../l10n/l10n.ts';

/** A gateway may answer a single call with 404. */
const enough = 3;

/**
 * Endpoints that a server's release lacks: it always answers 404 to them, although the same address answers other calls.
 * Reads are not sent again in the same session.
 */
export class MissingEndpoints {
  readonly #server: string;
  readonly #answered = new Set<EndpointPath>();
  #token = '';
  /** Replies 404 in the session of `#token`. */
  readonly #counts = new Map<EndpointPath, number>();

  constructor(server: string) {
    this.#server = server;
  }

  /** @throws {ClientError} of kind notFound if the session with this token knows that the endpoint is missing. */
  check(path: EndpointPath, token: string): void {
    const isMissing = this.#token === token && (this.#counts.get(path) ?? 0) >= enough;
    if (isMissing && endpoints[path].isSafe) throw this.#error(path, { isUnsent: true });
  }

  answered(path: EndpointPath): void {
    this.#answered.add(path);
    this.#counts.delete(path);
  }

  /** Counts a reply 404. @returns the error to throw: that the release lacks the endpoint, unless it once answered. */
  notFound(path: EndpointPath, token: string, cause: ClientError): ClientError {
    if (this.#answered.has(path)) return cause;
    if (this.#token !== token) this.#counts.clear();
    this.#token = token;
    this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
    return this.#error(path, { cause });
  }

  #error(endpoint: EndpointPath, more: { isUnsent?: boolean; cause?: unknown }): ClientError {
    return new ClientError('notFound', l10n.t('This release of {0} does not have {1}.', this.#server, endpoint), {
      ...{ server: this.#server, endpoint, status: 404, ...more },
      remedy: l10n.t('A newer release of the server may have it.'),
    });
  }
}
