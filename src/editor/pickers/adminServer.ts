import * as vscode from 'vscode';
import { showWarningMessage } from '../messages.ts';
import type { Connection } from '../../connections/connection.ts';
import { objectServer, type ObjectServer } from '../../objects/objectServer.ts';
import { isKnownNoAdmin } from '../nodes/capabilities.ts';
import { serverOf } from './pickServer.ts';
import type { CommandServices } from '../commands/services.ts';

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
    vscode.l10n.t('{0} needs an administrator; {1} is none on {2}.', title, connection.userName, connection.name),
  );
  return undefined;
}

/** Calls that keep every digit of whole objects; `signal` ends them. */
export async function objectServerOf(connection: Connection, signal?: AbortSignal): Promise<ObjectServer> {
  return objectServer(await connection.client(), { signal });
}
