import * as vscode from 'vscode';
import { attempt } from '../../../editor/commandError.ts';
import type { CommandServices } from '../../../editor/commands/services.ts';

/** Stops the embedded server, whichever window started it. Its data stays. */
export async function stopLocalServer({ localServer, connections }: CommandServices): Promise<void> {
  const name = connections.local?.name ?? vscode.l10n.t('Local Server');
  await attempt(vscode.l10n.t('Could not stop {0}', name), () => localServer.stop());
}
