import { ClientError, isClientError } from '../clientError.ts';
import { EndpointCaller } from './endpointCall.ts';
import { silentLogger, type RequestLogger } from './logger.ts';
import type { ServerTarget } from './target.ts';
import { Transport } from './transport.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Where the API of a server was found. */
export interface FoundServer {
  apiBase: string;
  /** Six groups of four digits that identify the installation. */
  installationId: string;
}

/** Prefixes of known deployments; the last one is for addresses that already end in the API base. */
const prefixes = ['/api', '/service/api', ''];
const probeDeadlineMs = 15_000;

/**
 * Finds the API below `address` by requesting the installation id, which needs no token, at each known prefix. API
 * description, Transport rules and Licensing.
 * @throws {ClientError} of kind notFound when no prefix answers like the API, or the reason the server was not reached.
 */
export async function probeServer(
  address: string,
  options: { signal?: AbortSignal; logger?: RequestLogger } & Pick<ServerTarget, 'tls' | 'proxy'> = {},
): Promise<FoundServer> {
  const root = parseAddress(address);
  let failure: ClientError | undefined;
  for (const prefix of prefixes) {
    const apiBase = root + prefix;
    const { tls, proxy } = options;
    const target = { connectionId: '', name: new URL(root).host, apiBase, tls, proxy };
    const transport = new Transport(target);
    try {
      const caller = new EndpointCaller(target, transport, options.logger ?? silentLogger);
      const { value } = await caller.call('LicenseManager/GetInstallationID', {}, undefined, {
        signal: options.signal,
        deadlineMs: probeDeadlineMs,
        maxBytes: 1_000_000,
      });
      if (typeof value === 'string') return { apiBase, installationId: value };
    } catch (error) {
      if (!isClientError(error) || !answersWithoutApi(error)) throw error;
      if (failure === undefined || telling(error) > telling(failure)) failure = error;
    } finally {
      await transport.close();
    }
  }
  const nothing = l10n.t('No analytics server found at {0}, or below it at /api or /service/api.', root);
  const facts = { server: root, endpoint: 'LicenseManager/GetInstallationID' };
  if (failure === undefined || telling(failure) === 0) throw new ClientError('notFound', nothing, facts);
  // A prefix that redirects or fails at a gateway says more than "not found".
  const { kind, status, remedy } = failure;
  const message = `${nothing} ${failure.message}`;
  throw new ClientError(kind, message, { ...facts, ...(status !== undefined && { status }), remedy, cause: failure });
}

/** How specific a failure is. A bare 404 or a web page says nothing, since every web server has those. */
function telling(error: ClientError): number {
  const { status = 0 } = error;
  if (status === 404) return 0;
  if (status >= 500) return 2;
  return status >= 300 ? 1 : 0;
}

/** Whether a response arrived that is not from the API, so that the next prefix may be right. */
function answersWithoutApi(error: unknown): boolean {
  return (
    isClientError(error, 'notFound') ||
    isClientError(error, 'notTheApi') ||
    isClientError(error, 'malformed') ||
    isClientError(error, 'refused') ||
    isClientError(error, 'tooLarge')
  );
}

/**
 * The root of an address as typed. Adds a missing scheme (`http` for localhost, else `https`); removes query, fragment,
 * credentials and trailing slashes.
 * @throws {ClientError} of kind notFound when it is not an http(s) address.
 */
export function parseAddress(address: string): string {
  const typed = address.trim();
  const isLocal = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/i.test(typed);
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `${isLocal ? 'http' : 'https'}://${typed}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || !url.hostname) {
    throw new ClientError('notFound', l10n.t('"{0}" is not a server address.', typed), { server: typed });
  }
  return url.origin + url.pathname.replace(/\/+$/, '');
}
