import * as vscode from 'vscode';
import { attempt } from './commandError.ts';
import { serverOf } from './pickServer.ts';
import type { CommandServices } from './services.ts';

/** Ends the session on a server; nothing signs in again until the user does. */
export async function signOutServer(services: CommandServices, argument?: unknown): Promise<void> {
  const place = vscode.l10n.t('Sign out of which server?');
  const connection = await serverOf(argument, services, place, ({ state }) => state.kind === 'active');
  if (!connection) return;
  await attempt(vscode.l10n.t('Could not sign out of {0}', connection.name), () => connection.signOut());
}
