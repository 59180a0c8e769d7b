import type {
  FactNode,
  FolderNode,
  ItemNode,
  ListName,
  SectionName,
  SettingName,
  SettingNode,
  TreeConnection,
  TreeNode,
} from './treeNode.ts';

/**
 * The `viewItem` context value of a node: its kind, then one word per capability, for example
 * `report;run;sql;favourite;copy`. Actions known to be denied to the account are omitted.
 */
export function capabilities(node: TreeNode): string {
  return [node.kind, ...wordsOf(node)].join(';');
}

function wordsOf(node: TreeNode): string[] {
  switch (node.kind) {
    case 'server':
      return serverWords(node.connection);
    case 'section':
      return ['refresh', ...adminOnly(node, sectionWords[node.section])];
    case 'list':
      return ['refresh', ...adminOnly(node, listWords[node.list])];
    case 'libraryRoot':
      return ['refresh', ...(node.library === 'favourites' ? [] : ['newFolder', ...newDashboard(node)])];
    case 'folder':
      return folderWords(node);
    case 'report':
    case 'dashboard':
      return itemWords(node);
    case 'setting':
      return ['refresh', ...adminOnly(node, [...ownWords(node), ...settingWords[node.setting]])];
    case 'fact':
      return [...factWords(node)];
    case 'failure':
      return ['retry'];
    case 'more':
      return node.hidden > node.next ? ['showAll'] : [];
    case 'notice':
      return [];
    default:
      return objectWords(node);
  }
}

function factWords(node: FactNode): readonly string[] {
  if (node.fact.kind === 'seats') return adminOnly(node, ['grantRole', 'changeRole']);
  return node.fact.kind === 'installation' ? ['copyInstallationId'] : 'value' in node.fact ? ['copy'] : [];
}

type ObjectNode = Exclude<TreeNode, { kind: PlaceKind }>;
type PlaceKind =
  | 'server'
  | 'section'
  | 'list'
  | 'libraryRoot'
  | 'folder'
  | 'report'
  | 'dashboard'
  | 'setting'
  | 'fact'
  | 'failure'
  | 'notice'
  | 'more';

function objectWords(node: ObjectNode): string[] {
  switch (node.kind) {
    case 'user':
    case 'member': {
      const lock = node.user.lockedSince === null ? [] : ['unlock'];
      const membership = node.kind === 'member' ? ['removeFromGroup'] : ['delete'];
      const copy = node.kind === 'member' ? [] : ['clone'];
      const role = node.user.applications?.length === 0 ? ['grantRole'] : ['grantRole', 'changeRole'];
      return [
        'open',
        'copy',
        ...adminOnly(node, ['edit', ...copy, 'pin', 'addToGroup', 'assignPolicy', ...role, ...lock, ...membership]),
      ];
    }
    case 'holder':
      return ['open', 'copy', ...adminOnly(node, ['changeRole'])];
    case 'group': {
      const words = ['edit', 'clone', 'addMembers', 'assignPolicy', 'grantRole', 'changeRole', 'delete'];
      return ['open', 'copy', ...adminOnly(node, words)];
    }
    case 'dataTag':
      return ['open', 'copy', ...adminOnly(node, ['edit', 'clone', 'values', 'policyOf', 'delete'])];
    case 'policy': {
      const assigned = node.groupIds.length + node.userCount > 0 ? ['unassign'] : [];
      const state = node.isActive ? 'deactivate' : 'activate';
      return ['open', 'copy', ...adminOnly(node, ['edit', 'clone', 'assign', ...assigned, state, 'delete'])];
    }
    case 'application':
      return ['copy', ...adminOnly(node, ['newDatabase', 'grantRole', 'changeRole'])];
    case 'registeredServer':
      return ['open', 'copy', 'refresh', ...adminOnly(node, ['edit', 'clone', 'test', 'secret', 'newReportType'])];
    case 'reportType':
      return ['open', 'copy', ...adminOnly(node, ['edit', 'clone', 'addColumns', 'policyOf'])];
    case 'field':
      return ['copy', 'findReports', ...(node.column === '' ? [] : adminOnly(node, ['policyOf']))];
    case 'fieldFolder':
      return [];
  }
}

const sectionWords: Record<SectionName, readonly string[]> = {
  library: [],
  security: [],
  semanticLayer: ['newApplication'],
  administration: [],
};
const listWords: Record<ListName, readonly string[]> = {
  users: ['newUser', 'import'],
  groups: ['newGroup'],
  dataTags: ['newTag'],
  policies: ['newPolicy'],
};
/** The local server lets administrators change its licence. */
function ownWords({ setting, connection }: SettingNode): readonly string[] {
  return setting === 'licences' && connection.kind === 'local' ? ['open'] : [];
}

const settingWords: Record<SettingName, readonly string[]> = {
  settings: ['open', 'secret'],
  smtp: ['open', 'secret', 'delete'],
  audit: ['open', 'choose'],
  licences: ['refreshLicences', 'copyInstallationId'],
};

function folderWords(node: FolderNode): string[] {
  const edit = node.isReadOnly ? [] : ['edit', 'clone', 'newFolder', ...newDashboard(node)];
  const scope = node.mayScope && !node.isPersonal ? ['permissions', ...(node.isReadOnly ? [] : ['moveFolder'])] : [];
  return ['refresh', 'open', 'copy', ...edit, ...scope, ...(node.mayDelete ? ['delete'] : [])];
}

/** The command is in the palette for other servers: whether they can create dashboards is only known by asking. */
function newDashboard({ connection }: TreeNode): readonly string[] {
  return connection.kind === 'local' ? ['newDashboard'] : [];
}

function itemWords(node: ItemNode): string[] {
  const { item } = node;
  const star = item.isFavourite ? 'unfavourite' : 'favourite';
  if (node.kind === 'dashboard') return ['together', star, 'browse', 'copy', ...dashboardWords(node)];
  const edit = item.mayModify ? ['edit', 'describe', 'move'] : [];
  return ['run', 'sql', star, 'open', 'browse', 'copy', 'clone', ...edit, ...(item.mayDelete ? ['delete'] : [])];
}

/** Only the embedded server can read and edit dashboards. */
function dashboardWords({ item }: ItemNode): string[] {
  if (!item.hasDocument) return [];
  return ['open', 'clone', ...(item.mayModify ? ['edit'] : []), ...(item.mayDelete ? ['delete'] : [])];
}

/**
 * Capabilities of administrators; omitted if the account is known not to be one, because the server would refuse them.
 */
function adminOnly({ connection }: TreeNode, words: readonly string[]): readonly string[] {
  return isKnownNoAdmin(connection) ? [] : words;
}

/** Whether the account is known not to be an administrator. */
export function isKnownNoAdmin({ state }: Pick<TreeConnection, 'state'>): boolean {
  return 'account' in state && !state.account.isAdmin;
}

function serverWords({ state, kind }: TreeNode['connection']): string[] {
  const session = ['signOut', 'session', 'browse'];
  const isSignedIn = state.kind === 'active' || state.kind === 'signingIn';
  const own = kind === 'local' ? ['stop'] : [];
  return [kind, ...(isSignedIn ? session : ['signIn']), ...own, 'refresh', 'remove'];
}
