import * as vscode from 'vscode';
import { showWarningMessage } from '../messages.ts';
import { isKnownNoAdmin } from '../nodes/capabilities.ts';
import { serverOf } from './pickServer.ts';
import type { CommandServices } from '../commands/services.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import type { Connection } from '../../connections/connection.ts';
import { checkInstallation } from '../../objects/checkInstallation.ts';
import { objectServer, readingOnce, type ObjectServer } from '../../objects/objectServer.ts';
import { isTreeNode } from '../nodes/treeNode.ts';
import { isDrop } from '../nodes/selectedNodes.ts';
import { attempt } from '../commandError.ts';

/** The part of a saved server that is used here. */
type ServerToAsk = Pick<Connection, 'id' | 'name' | 'client'>;

/**
 * A server bound to the installation that showed a command's objects. Each use first verifies that the same
 * installation still responds: on another one, the ids identify other objects.
 */
export class VerifiedServer {
  readonly #connection: ServerToAsk;
  readonly #shown: ReadonlySet<string>;

  constructor(connection: ServerToAsk, shown: ReadonlySet<string>) {
    this.#connection = connection;
    this.#shown = shown;
  }

  /** @throws {ClientError} if another installation responds, or the one that showed the objects is unknown. */
  async client(): Promise<AnalyticsClient> {
    const client = await this.#connection.client();
    const server = objectServer(client);
    for (const shown of this.#shown) await checkInstallation(server, shown);
    return client;
  }

  /**
   * Reads for a question while the installation is checked. Equal reads share one reply.
   * @param read must not write. Its result is returned only if the installation is the right one.
   * @throws {ClientError} like {@link client}.
   */
  async read<T>(read: (server: ObjectServer) => Promise<T>): Promise<T> {
    const server = readingOnce(objectServer(await this.#connection.client()));
    const reading = read(server);
    // Reported below, if the installation is the right one.
    reading.catch(() => undefined);
    for (const shown of this.#shown) await checkInstallation(server, shown);
    return reading;
  }

  /** Calls that preserve every digit of whole objects; `signal` cancels them. Throws like {@link client}. */
  async server(signal?: AbortSignal): Promise<ObjectServer> {
    return objectServer(await this.client(), { signal });
  }
}

/**
 * The server behind a command's arguments: nodes, a selection, a drop, or the object of a document. Without arguments
 * it is bound to the installation that currently responds, whose lists the user will choose from.
 * @throws {CommandError} if there are no arguments and the server cannot be reached.
 */
export async function verifiedServer(connection: ServerToAsk, ...given: readonly unknown[]): Promise<VerifiedServer> {
  const shown = new Set(given.flatMap((value) => installationsOf(value, connection)));
  if (shown.size === 0) {
    const what = vscode.l10n.t('Could not reach {0}', connection.name);
    shown.add(await attempt(what, async () => objectServer(await connection.client()).installation()));
  }
  return new VerifiedServer(connection, shown);
}

/**
 * The client of a server whose installation is that which showed a command's arguments. Without arguments there is
 * nothing to verify.
 * @throws {ClientError} if another installation responds.
 */
export function verifiedClient(connection: ServerToAsk, ...given: readonly unknown[]): Promise<AnalyticsClient> {
  return new VerifiedServer(connection, new Set(given.flatMap((value) => installationsOf(value, connection)))).client();
}

function installationsOf(value: unknown, connection: ServerToAsk): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => installationsOf(each, connection));
  if (isDrop(value)) return installationsOf([value.onto, ...value.dropped], connection);
  // A server node shows no object.
  if (isTreeNode(value)) {
    return value.connection.id === connection.id && value.kind !== 'server' ? [value.installation ?? ''] : [];
  }
  const isOfObject = typeof value === 'object' && value !== null && 'installation' in value;
  return isOfObject && typeof value.installation === 'string' ? [value.installation] : [];
}

/**
 * The server an administrator's command applies to. Accounts known not to be administrators get a message before the
 * server would refuse.
 */
export async function adminServerOf(
  argument: unknown,
  services: CommandServices,
  title: string,
): Promise<Connection | undefined> {
  const connection = await serverOf(argument, services, vscode.l10n.t('{0}: select a server', title));
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

/** Calls that preserve every digit of whole objects; `signal` cancels them. */
export async function objectServerOf(connection: Connection, signal?: AbortSignal): Promise<ObjectServer> {
  return objectServer(await connection.client(), { signal });
}
