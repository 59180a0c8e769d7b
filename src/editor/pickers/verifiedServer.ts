import * as vscode from 'vscode';
import { showWarningMessage } from '../messages.ts';
import { isKnownNoAdmin } from '../nodes/capabilities.ts';
import { serverOf } from './pickServer.ts';
import type { CommandServices } from '../commands/services.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import type { Connection } from '../../connections/connection.ts';
import { checkInstallation } from '../../objects/checkInstallation.ts';
import { objectServer, type ObjectServer } from '../../objects/objectServer.ts';
import { isTreeNode } from '../nodes/treeNode.ts';
import { isDrop } from '../nodes/selectedNodes.ts';
import { attempt } from '../commandError.ts';

/** What is needed of a saved server. */
type ServerToAsk = Pick<Connection, 'id' | 'name' | 'client'>;

/**
 * A server as it was when it showed what a command is about. Each use asks first whether the same installation still answers:
 * ids of another one are other objects.
 */
export class VerifiedServer {
  readonly #connection: ServerToAsk;
  readonly #shown: ReadonlySet<string>;

  constructor(connection: ServerToAsk, shown: ReadonlySet<string>) {
    this.#connection = connection;
    this.#shown = shown;
  }

  /** @throws {ClientError} when another installation answers now, or the one that showed the objects is not known. */
  async client(): Promise<AnalyticsClient> {
    const client = await this.#connection.client();
    const server = objectServer(client);
    for (const shown of this.#shown) await checkInstallation(server, shown);
    return client;
  }

  /** Calls that keep every digit of whole objects; `signal` ends them. Throws as {@link client} does. */
  async server(signal?: AbortSignal): Promise<ObjectServer> {
    return objectServer(await this.client(), { signal });
  }
}

/**
 * The server behind what a command was called on: nodes, a selection, a drop, or the object of a document. Called on none of
 * those it is the one that answers now, whose lists the user is going to choose from.
 * @throws {CommandError} when nothing was given and the server cannot be asked.
 */
export async function verifiedServer(connection: ServerToAsk, ...given: readonly unknown[]): Promise<VerifiedServer> {
  const shown = new Set(given.flatMap((value) => installationsOf(value, connection)));
  if (shown.size === 0) {
    const what = vscode.l10n.t('Could not reach {0}', connection.name);
    shown.add(await attempt(what, async () => objectServer(await connection.client()).installation()));
  }
  return new VerifiedServer(connection, shown);
}

function installationsOf(value: unknown, connection: ServerToAsk): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => installationsOf(each, connection));
  if (isDrop(value)) return installationsOf([value.onto, ...value.dropped], connection);
  // A server's own node shows no object.
  if (isTreeNode(value)) {
    return value.connection.id === connection.id && value.kind !== 'server' ? [value.installation ?? ''] : [];
  }
  const isOfObject = typeof value === 'object' && value !== null && 'installation' in value;
  return isOfObject && typeof value.installation === 'string' ? [value.installation] : [];
}

/**
 * The server that an administrator's command is about. Accounts that are known to be no administrators are told so rather
 * than led to a refusal.
 */
export async function adminServerOf(
  argument: unknown,
  services: CommandServices,
  title: string,
): Promise<Connection | undefined> {
  const connection = await serverOf(argument, services, vscode.l10n.t('{0}: on which server?', title));
  if (!connection || !isKnownNoAdmin(connection)) return connection;
  void showWarningMessage(
    vscode.l10n.t(
      '{0} requires an administrator; {1} is not an administrator on {2}.',
      title,
      connection.userName,
      connection.name,
    ),
  );
  return undefined;
}

/** Calls that keep every digit of whole objects; `signal` ends them. */
export async function objectServerOf(connection: Connection, signal?: AbortSignal): Promise<ObjectServer> {
  return objectServer(await connection.client(), { signal });
}
