import * as vscode from 'vscode';
import { openTagValues } from './tagValuesPanel.ts';
import { isTreeNode } from '../../editor/nodes/treeNode.ts';
import { adminServerOf, verifiedServer } from '../../editor/pickers/verifiedServer.ts';
import { selectedOf } from '../../editor/nodes/selectedNodes.ts';
import { attempt } from '../../editor/commandError.ts';
import { objectTargetOf } from '../../editor/nodes/objectTarget.ts';
import { pickObject } from '../../editor/pickers/objectPicks.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { refreshOpenDocuments } from '../../editor/openTabs.ts';

/** Edits the values of a data tag in a table: default, groups and users. */
export async function editTagValues(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('Edit Data Tag Values');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const shown = await verifiedServer(connection, argument);
  const [node] = selectedOf(services, argument, undefined, 'dataTag')?.nodes ?? [];
  const target = isTreeNode(argument) ? undefined : objectTargetOf(argument);
  const given = target?.kind === 'tag' ? { id: target.id, name: target.name } : undefined;
  const tag = node
    ? { id: node.tagId, name: node.label }
    : (given ?? (await pickObject(connection, 'dataTags', { title, placeholder: vscode.l10n.t('Data tag') })));
  if (!tag) return;
  const { extensionUri, workspaceState: state } = services.context;
  const changed = async () => {
    await services.tree.refreshObjects(connection, 'tag');
    await refreshOpenDocuments(services, connection, { kind: 'tag', objects: [tag] });
  };
  await attempt(vscode.l10n.t('Could not read the values of {0} on {1}', tag.name, connection.name), async () => {
    const installation = await (await shown.server()).installation();
    const client = () => shown.client();
    const { connections, tree } = services;
    const { onDidRefresh } = tree;
    const place = { connection, client, installation, connections, extensionUri };
    await openTagValues({ ...place, tag, state, onDidRefresh, changed });
  });
}
