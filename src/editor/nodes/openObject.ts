import * as vscode from 'vscode';
import { selectedNodes } from './chosenNodes.ts';
import { attempt } from '../commandError.ts';
import { objectTargetOf } from './objectTarget.ts';
import type { CommandServices } from '../commands/services.ts';

/** Opens an object as a JSON document: the one given, or the one of the selected node. */
export async function openObject(services: CommandServices, argument?: unknown): Promise<void> {
  const target = objectTargetOf(argument) ?? objectTargetOf(selectedNodes(services)[0]);
  if (!target) return;
  const server = services.connections.get(target.connectionId)?.name ?? target.connectionId;
  await attempt(vscode.l10n.t('Could not open "{0}" of {1}', target.name, server), async () =>
    (await services.documents()).open(target),
  );
}
