import { endpoints, type EndpointPath } from '../../contract/endpoints.ts';
import { ClientError } from '../clientError.ts';
import * as l10n from '../../l10n/l10n.ts';

/**
 * Endpoints that a server's release lacks: it answers 404 to them, although the same address answers other calls. Reads
 * are not sent again in the same session.
 */
export class MissingEndpoints {
  readonly #server: string;
  readonly #answered = new Set<EndpointPath>();
  #token = '';
  /** Endpoints that replied 404 in the session of `#token`. */
  readonly #lacking = new Set<EndpointPath>();

  constructor(server: string) {
    this.#server = server;
  }

  /** @throws {ClientError} of kind notFound if the session with this token knows that the endpoint is missing. */
  check(path: EndpointPath, token: string): void {
    const isMissing = this.#token === token && this.#lacking.has(path);
    if (isMissing && endpoints[path].isSafe) throw this.#error(path, { isUnsent: true });
  }

  answered(path: EndpointPath): void {
    this.#answered.add(path);
    this.#lacking.delete(path);
  }

  /** Remembers a reply 404. @returns the error to throw: that the release lacks the endpoint, unless it once answered. */
  notFound(path: EndpointPath, token: string, cause: ClientError): ClientError {
    if (this.#answered.has(path)) return cause;
    if (this.#token !== token) this.#lacking.clear();
    this.#token = token;
    this.#lacking.add(path);
    return this.#error(path, { cause });
  }

  #error(endpoint: EndpointPath, more: { isUnsent?: boolean; cause?: unknown }): ClientError {
    return new ClientError('notFound', l10n.t('This release of {0} does not have {1}.', this.#server, endpoint), {
      ...{ server: this.#server, endpoint, status: 404, ...more },
      remedy: l10n.t('A newer release of the server may have it.'),
    });
  }
}
