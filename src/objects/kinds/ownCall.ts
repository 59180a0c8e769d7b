import { ClientError, isClientError } from '../../client/clientError.ts';
import type { EndpointPath } from '../../contract/endpoints.ts';
import type { JsonObject } from '../json.ts';
import { callForObject, type ObjectServer } from '../objectServer.ts';

/** What to say on a server that lacks a call of the local server. */
interface MissingWords {
  readonly message: string;
  readonly remedy: string;
}

/** Calls an endpoint of our own. @throws {ClientError} of kind notFound with these words if the server lacks it. */
export async function ownCall(
  server: ObjectServer,
  path: EndpointPath,
  body: object,
  { message, remedy }: MissingWords,
): Promise<JsonObject> {
  try {
    return await callForObject(server, path, body);
  } catch (error) {
    if (!isClientError(error, 'notFound')) throw error;
    throw new ClientError('notFound', message, { server: server.name, endpoint: path, cause: error, remedy });
  }
}
