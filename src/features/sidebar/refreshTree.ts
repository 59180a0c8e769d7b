import { withProgress } from '../../editor/progress.ts';
import { isTreeNode, type TreeNode } from '../../editor/nodes/treeNode.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** Reads the sidebar again, whatever row has the focus. */
export async function refreshTree(services: CommandServices): Promise<void> {
  await refresh(services);
}

/** Reads a place of the sidebar again. */
export async function refreshPlace(services: CommandServices, argument?: unknown): Promise<void> {
  await refresh(services, isTreeNode(argument) ? argument : undefined);
}

async function refresh({ tree }: CommandServices, place?: TreeNode): Promise<void> {
  await withProgress({ location: { viewId: 'analytics.servers' } }, () => tree.refresh(place));
}
