import type { ThemeIcon, Uri } from './basics.ts';

export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;

/** A row of a tree as an extension describes it. */
export class TreeItem {
  id: string | undefined;
  description: string | undefined;
  tooltip: string | undefined;
  contextValue: string | undefined;
  iconPath: ThemeIcon | undefined;
  resourceUri: Uri | undefined;
  command: { command: string; title: string; arguments?: unknown[] } | undefined;
  label: string;
  collapsibleState: number;
  constructor(label: string, collapsibleState: number = TreeItemCollapsibleState.None) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}
