import { endpoints, type EndpointPath } from '../../contract/endpoints.ts';
import { ClientError } from '../clientError.ts';
import * as l10n from '../../l10n/l10n.ts';

/**
 * Endpoints that a server's release lacks: it answers 404 to them although the same address answers other calls. Reads
 * are remembered until the next session, so that they are not sent again.
 */
export class MissingEndpoints {
  readonly #server: string;
  #token = '';
  readonly #paths = new Set<EndpointPath>();

  constructor(server: string) {
    this.#server = server;
  }

  /** @throws {ClientError} of kind notFound if the session with this token knows that the endpoint is missing. */
  check(path: EndpointPath, token: string): void {
    if (this.#token === token && this.#paths.has(path)) throw this.#error(path, { isUnsent: true });
  }

  /** Remembers a missing endpoint. @returns the error that says so. */
  found(path: EndpointPath, token: string, cause: unknown): ClientError {
    if (this.#token !== token) this.#paths.clear();
    this.#token = token;
    if (endpoints[path].isSafe) this.#paths.add(path);
    return this.#error(path, { cause });
  }

  #error(endpoint: EndpointPath, more: { isUnsent?: boolean; cause?: unknown }): ClientError {
    return new ClientError('notFound', l10n.t('This release of {0} does not have {1}.', this.#server, endpoint), {
      ...{ server: this.#server, endpoint, status: 404, ...more },
      remedy: l10n.t('A newer release of the server may have it.'),
    });
  }
}
