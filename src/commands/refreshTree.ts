import * as vscode from 'vscode';
import { isTreeNode } from '../tree/treeNode.ts';
import type { CommandServices } from './services.ts';

/** Reads the sidebar again: the place of the given node, or everything that is open. */
export async function refreshTree({ tree }: CommandServices, argument?: unknown): Promise<void> {
  const place = isTreeNode(argument) ? argument : undefined;
  await vscode.window.withProgress({ location: { viewId: 'analytics.servers' } }, () => tree.refresh(place));
}
