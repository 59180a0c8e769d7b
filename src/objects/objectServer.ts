import type { AnalyticsClient, CallOptions, WriteGuard } from '../client/client.ts';
import { ClientError } from '../client/clientError.ts';
import { otherObjectError } from '../client/http/endpointCall.ts';
import type { WriteJournal } from '../client/writes/writeJournal.ts';
import { otherObject } from '../contract/echo.ts';
import type { EndpointRow } from '../contract/endpointRow.ts';
import { endpoints, type EndpointPath } from '../contract/endpoints.ts';
import { isJsonObject, parseExact, type Json, type JsonObject } from './json.ts';
import * as l10n from '../l10n/l10n.ts';

/** Calls to a server whose replies keep exact numbers, so that whole objects can be sent back unchanged. */
export interface ObjectServer {
  /** Display name of the server. */
  readonly name: string;
  /** Stores writes until their outcome is known. */
  readonly journal?: WriteJournal | undefined;
  /** Id of the signed-in account; undefined if signed out. */
  accountId?(): string | undefined;
  /** Id of the current installation, to distinguish servers at the same address. */
  installation(): Promise<string>;
  /**
   * Calls an endpoint; the reply is validated against the contract.
   * @param guard prevents that a write is sent twice.
   * @throws {ClientError} for every failure; an empty reply becomes noPermission.
   */
  call(path: EndpointPath, body: object, guard?: WriteGuard): Promise<Json>;
}

/**
 * Wraps a client as a server.
 * @param limits of each call; default: those of the client.
 */
export function objectServer(client: AnalyticsClient, limits: CallOptions = {}): ObjectServer {
  return {
    name: client.target.name,
    journal: client.journal,
    accountId: () => {
      const { state } = client.session;
      return ('account' in state && state.account.userId) || undefined;
    },
    installation: () => client.call('LicenseManager/GetInstallationID', {}),
    call: async (path, body, guard) => {
      const { value, text } = await client.exchange(path, body, { ...limits, guard });
      return typeof value === 'object' ? parseExact(text) : value;
    },
  };
}

/** The same server, with `guard` applied to all calls except reads. */
export function guardedServer(server: ObjectServer, guard: WriteGuard): ObjectServer {
  return {
    ...server,
    call: (path, body) => server.call(path, body, endpoints[path].isSafe ? undefined : guard),
  };
}

/**
 * The same server, which is asked each thing once: equal reads share one reply. For what is shown before a question, and
 * only while nothing is written: it never shows a change.
 */
export function readingOnce(server: ObjectServer): ObjectServer {
  const replies = new Map<string, Promise<Json>>();
  return {
    ...server,
    call: (path, body, guard) => {
      if (!endpoints[path].isSafe) return server.call(path, body, guard);
      const key = `${path} ${JSON.stringify(body)}`;
      const reply = replies.get(key) ?? server.call(path, body);
      replies.set(key, reply);
      return reply;
    },
  };
}

/**
 * The reply of an endpoint that returns one object.
 * @throws {ClientError} of kind malformed when it is another object than `body` names: saving or deleting it would
 * affect that one.
 */
export async function callForObject(server: ObjectServer, path: EndpointPath, body: object): Promise<JsonObject> {
  const reply = await server.call(path, body);
  if (isJsonObject(reply)) {
    const { echo }: EndpointRow = endpoints[path];
    const other = echo && otherObject(echo, body, reply);
    if (other) throw otherObjectError(server.name, path, other);
    return reply;
  }
  throw new ClientError('malformed', l10n.t('{0} should return an object.', path), {
    server: server.name,
    endpoint: path,
  });
}

/** The reply of an endpoint that returns a list of objects. */
export async function callForList(server: ObjectServer, path: EndpointPath, body: object): Promise<JsonObject[]> {
  const reply = await server.call(path, body);
  if (Array.isArray(reply)) return reply.filter(isJsonObject);
  throw new ClientError('malformed', l10n.t('{0} should return a list.', path), {
    server: server.name,
    endpoint: path,
  });
}
