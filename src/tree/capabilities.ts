import type { TreeNode } from './treeNode.ts';

/**
 * What can be done with a node, as menus ask for it in `viewItem`: its kind, then one word per capability, for example
 * `report;run;sql;favourite;copy`.
 */
export function capabilities(node: TreeNode): string {
  return [node.kind, ...wordsOf(node)].join(';');
}

function wordsOf(node: TreeNode): string[] {
  switch (node.kind) {
    case 'server':
      return serverWords(node.connection);
    case 'section':
    case 'libraryRoot':
    case 'list':
      return ['refresh'];
    case 'folder':
      return ['refresh', 'open', 'copy'];
    case 'report':
      return ['run', 'sql', 'open', node.item.isFavourite ? 'unfavourite' : 'favourite', 'copy'];
    case 'dashboard':
      return [node.item.isFavourite ? 'unfavourite' : 'favourite', 'copy'];
    case 'group':
    case 'user':
    case 'member':
    case 'dataTag':
    case 'policy':
      return ['open', 'copy'];
    case 'failure':
      return ['retry'];
    case 'notice':
      return [];
  }
}

function serverWords({ state, kind }: TreeNode['connection']): string[] {
  const isSignedIn = state.kind === 'active' || state.kind === 'signingIn';
  const own = kind === 'local' ? ['stop'] : [];
  return [kind, isSignedIn ? 'signOut' : 'signIn', ...own, 'refresh', 'remove'];
}
