import type { SettingName } from './treeNode.ts';

/** Kinds of objects that the tree shows. */
export type TreeKind = 'user' | 'group' | 'tag' | 'policy' | 'library' | 'application' | SettingName;

/** The tree kind that shows objects of a document kind; undefined if the tree does not show them. */
export function treeKindOf(kind: string): TreeKind | undefined {
  switch (kind) {
    case 'user':
    case 'profile':
      return 'user';
    case 'group':
    case 'tag':
    case 'policy':
    case 'settings':
    case 'smtp':
    case 'audit':
      return kind;
    case 'licence':
      return 'licences';
    case 'folder':
    case 'report':
    case 'dashboard':
      return 'library';
    case 'server':
    case 'reporttype':
      return 'application';
    default:
      return undefined;
  }
}
