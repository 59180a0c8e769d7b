import type { AnalyticsClient } from '../client/client.ts';
import { ClientError } from '../client/clientError.ts';
import { decodeReply, emptyReply } from '../client/decode.ts';
import { endpoints, type EndpointPath } from '../contract/endpoints.ts';
import { isJsonObject, parseExact, type Json, type JsonObject } from './json.ts';

/** Calls to a server whose replies keep every digit, so that whole objects can be sent back as they came. */
export interface ObjectServer {
  /** Name of the server as the user knows it. */
  readonly name: string;
  /** Id of the installation that answers now, to tell one server from another at the same address. */
  installation(): Promise<string>;
  /**
   * Calls an endpoint; the reply has passed the contract's checks.
   * @throws {ClientError} for every failure; an empty reply becomes noPermission.
   */
  call(path: EndpointPath, body: object): Promise<Json>;
}

/** Asks for no more than an object may weigh: groups embed every user. */
const limits = { deadlineMs: 60_000, maxBytes: 256 * 1024 * 1024 };

/** A server by way of its client. */
export function objectServer(client: AnalyticsClient): ObjectServer {
  const { name } = client.target;
  return {
    name,
    installation: () => client.call('LicenseManager/GetInstallationID', {}),
    call: async (path, body) => {
      let wasEmpty = false;
      const reply = await client.withToken(
        path,
        async (token) => {
          if (wasEmpty && !endpoints[path].isSafe) {
            // An empty reply may hide a write that was carried out: whoever sent it looks, and nobody sends it again.
            throw new ClientError('malformed', `${name} answered ${path} with nothing.`, {
              server: name,
              endpoint: path,
            });
          }
          const incoming = await client.stream(path, body, token, limits);
          const text = await textOf(incoming.body);
          const decoded: unknown = decodeReply(path, { ...incoming, text }, name);
          wasEmpty = decoded === emptyReply;
          if (decoded === emptyReply) return emptyReply;
          return typeof decoded === 'object' ? parseExact(text) : (decoded as Json);
        },
        undefined,
        (value) => value === emptyReply || (Array.isArray(value) && value.length === 0),
      );
      if (reply !== emptyReply) return reply;
      throw new ClientError('noPermission', `${name} gave no answer to ${path}: no permission for it.`, {
        server: name,
        endpoint: path,
        status: 204,
      });
    },
  };
}

/** The reply of an endpoint that answers one object. */
export async function callForObject(server: ObjectServer, path: EndpointPath, body: object): Promise<JsonObject> {
  const reply = await server.call(path, body);
  if (isJsonObject(reply)) return reply;
  throw new ClientError('malformed', `${path} should answer an object.`, { server: server.name, endpoint: path });
}

/** The reply of an endpoint that answers a list of objects. */
export async function callForList(server: ObjectServer, path: EndpointPath, body: object): Promise<JsonObject[]> {
  const reply = await server.call(path, body);
  if (Array.isArray(reply)) return reply.filter(isJsonObject);
  throw new ClientError('malformed', `${path} should answer a list.`, { server: server.name, endpoint: path });
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
