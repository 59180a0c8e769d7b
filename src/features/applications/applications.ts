import type { AnalyticsClient } from '../../client/client.ts';
import { ClientError } from '../../client/clientError.ts';
import { writeOnce, type Write } from '../../client/writes/writes.ts';
import { idText } from '../../contract/idText.ts';
import { findProduct, type Product } from '../../contract/resources/application.ts';
import { fieldOf } from '../../objects/json.ts';
import { registeredServerKind } from '../../objects/kinds/administrationKinds.ts';
import type { ObjectServer } from '../../objects/objectServer.ts';
import * as l10n from '../../l10n/l10n.ts';

/** A newly registered application. */
export interface NewApplication {
  id: string;
  name: string;
}

/**
 * Registers an application without a database. API description, Applications and servers (InsertAnyDbModule).
 * @param pauses in ms, before each check of the outcome of a call whose reply was lost.
 * @throws {ClientError} if the server refuses, or its reply was lost and the application is not visible.
 */
export async function createApplication(
  client: AnalyticsClient,
  name: string,
  description: string,
  pauses?: readonly number[],
): Promise<NewApplication> {
  const read = async (signal?: AbortSignal) => {
    const list = await client.call('App/GetApplicationList', {}, signal ? { signal } : {});
    return list.map((entry) => findProduct(entry)).filter((product) => product !== undefined);
  };
  const write: Write<'RegServers/InsertAnyDbModule', Product> = {
    path: 'RegServers/InsertAnyDbModule',
    body: { appname: name, description },
    object: l10n.t('the application {0}', name),
    kind: 'create',
    read,
    idOf: ({ ID }) => String(ID),
    hasContent: ({ Name }) => Name === name,
  };
  const id = await writeOnce(
    client,
    write,
    async (written) => {
      const given = idText(written.kind === 'answered' ? written.reply.ID : written.found?.ID);
      if (given !== '') return given;
      const { name: server } = client.target;
      const message = l10n.t('{0} accepted the application {1} but returned no ID.', server, name);
      throw new ClientError('unknownOutcome', message, { server });
    },
    { pauses },
  );
  return { id, name };
}

/**
 * Whether the account can see an application: a new one is invisible to administrators without a role in it. API
 * description, Authentication (Permissions).
 */
export async function isApplicationVisible(client: AnalyticsClient, id: string): Promise<boolean> {
  const list = await client.call('App/GetApplicationList', {});
  return list.some((entry) => idText(findProduct(entry)?.ID) === id);
}

/** Whether a registered server uses a password, which its object never includes. */
export async function signsIn(server: ObjectServer, databaseId: string): Promise<boolean> {
  const login = fieldOf(await registeredServerKind.read(server, databaseId), 'DatabaseLogin');
  return typeof login === 'string' && login !== '';
}

/**
 * Tests the analytics server's connection to a registered database server. API description, Applications and servers
 * (TestConnection).
 * @param password for this test only; not stored.
 * @throws {ClientError} with the server's message if the test fails.
 */
export async function testConnection(server: ObjectServer, databaseId: string, password: string): Promise<void> {
  const full = await registeredServerKind.read(server, databaseId);
  await server.call('RegServers/TestConnection', { regserver: { ...full, DatabasePassword: password } });
}
