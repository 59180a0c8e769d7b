import * as vscode from 'vscode';
import { libraryLabel, outputTypeIcon } from '../../../editor/nodes/libraryNodes.ts';
import { outputTypes } from '../../../contract/outputTypes.ts';
import type { LocalServerState } from '../../../connections/localServer/localServer.ts';
import { displayText, lines } from '../../../editor/displayText.ts';
import { signsInAlone } from '../../../connections/serverEntry.ts';
import { aboutMinutesLeft } from '../../../connections/minutesLeft.ts';
import { sessionLabel } from '../../../editor/sessionLabel.ts';
import { administrationItem, semanticItem } from './semanticItem.ts';
import { capabilities } from '../../../editor/nodes/capabilities.ts';
import type { FolderScope } from '../nodes/folderScopes.ts';
import { changeWords, decorationUri, type ChangeState } from './nodeDecorations.ts';
import { moreItem, noticeItem } from './noticeItem.ts';
import { securityItem } from './securityItem.ts';
import type {
  FolderNode,
  ItemNode,
  LibraryName,
  ListName,
  ListNode,
  SectionName,
  ServerNode,
  TreeNode,
} from '../../../editor/nodes/treeNode.ts';
import * as l10n from '../../../l10n/l10n.ts';
import { formatDateTime } from './formatDateTime.ts';

/** Data for a tree item besides its node. */
export interface TreeFacts {
  localServer: LocalServerState;
  isUnreachable(server: ServerNode): boolean;
  /** How the open document of a node's object differs from the server. */
  changeOf(node: TreeNode): ChangeState | undefined;
  scopeOf(node: FolderNode): FolderScope | undefined;
  /** Number of objects in a list; undefined if it is not loaded. */
  countOf(node: ListNode): number | undefined;
}

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

/** Tree item of a node: name, the most important fact as description, and the rest in the tooltip (plain text only). */
export function treeItem(node: TreeNode, facts: TreeFacts): vscode.TreeItem {
  const item = lookOf(node, facts);
  item.id = node.id;
  item.contextValue = capabilities(node);
  const scope = node.kind === 'folder' ? facts.scopeOf(node) : undefined;
  // The menu offers both where it is unknown whether a folder is hidden.
  if (scope && scope.openTo !== 'unknown') item.contextValue += scope.isHidden ? ';hidden' : ';notHidden';
  item.resourceUri = decorationUri(node);
  const { label } = item.accessibilityInformation ?? { label: spoken(item) };
  const change = facts.changeOf(node);
  item.accessibilityInformation = { label: change === undefined ? label : `${label}, ${changeWords(change)}` };
  if (typeof item.description === 'string') item.description = beside(item.label, item.description);
  return item;
}

/** Letters of right-to-left scripts. */
const fromRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * A description next to a name: after a right-to-left name, a number at its start would be displayed before the name.
 */
function beside(label: vscode.TreeItem['label'], description: string): string {
  const name = typeof label === 'string' ? label : (label?.label ?? '');
  const leftToRightMark = '\u200e';
  return description !== '' && fromRightToLeft.test(name) ? leftToRightMark + description : description;
}

/** Whether a parent may contain thousands of such nodes. */
export function isOneOfMany({ kind }: TreeNode): boolean {
  return ['user', 'member', 'holder', 'report', 'dashboard', 'field'].includes(kind);
}

/** Accessibility label of an item that does not define its own. */
function spoken({ label, description }: vscode.TreeItem): string {
  const name = typeof label === 'string' ? label : (label?.label ?? '');
  return typeof description === 'string' && description !== '' ? `${name}, ${description}` : name;
}

function lookOf(node: TreeNode, facts: TreeFacts): vscode.TreeItem {
  switch (node.kind) {
    case 'server':
      return serverItem(node, facts);
    case 'section':
      return sectionItem(node.section);
    case 'libraryRoot':
      return libraryItem(node.library);
    case 'folder':
      return folderItem(node, facts.scopeOf(node));
    case 'report':
    case 'dashboard':
      return reportItem(node);
    case 'list':
      return listItem(node.list, facts.countOf(node));
    case 'user':
    case 'member':
    case 'holder':
    case 'group':
    case 'dataTag':
    case 'policy':
      return securityItem(node);
    case 'application':
    case 'registeredServer':
    case 'reportType':
    case 'fieldFolder':
    case 'field':
      return semanticItem(node);
    case 'setting':
    case 'fact':
      return administrationItem(node);
    case 'notice':
    case 'failure':
      return noticeItem(node);
    case 'more':
      return moreItem(node);
  }
}

function sectionItem(section: SectionName): vscode.TreeItem {
  switch (section) {
    case 'library':
      return place(vscode.l10n.t('Library'), 'library', Expanded);
    case 'security':
      return place(vscode.l10n.t('Security'), 'shield', Collapsed);
    case 'semanticLayer':
      return place(vscode.l10n.t('Semantic Layer'), 'layers', Collapsed);
    case 'administration':
      return place(vscode.l10n.t('Administration'), 'settings-gear', Collapsed);
  }
}

function serverItem(node: ServerNode, facts: TreeFacts): vscode.TreeItem {
  const { connection } = node;
  const item = new vscode.TreeItem(connection.name, Collapsed);
  const [words, icon] = serverState(node, facts);
  item.description = words;
  item.iconPath = icon;
  const address =
    connection.kind === 'local' ? vscode.l10n.t('Local server on this computer') : connection.entry.apiBase;
  item.tooltip = lines(connection.name, words, address, accountLine(connection.state));
  item.accessibilityInformation = { label: vscode.l10n.t('Server {0}, {1}', connection.name, words) };
  return item;
}

/** The signed-in account, its rights and the server's release. */
function accountLine(state: ServerNode['connection']['state']): string | undefined {
  if (!('account' in state)) return undefined;
  const { account } = state;
  const rights = account.isAdmin ? vscode.l10n.t('administrator') : vscode.l10n.t('not an administrator');
  const name = displayText(account.fullName) || displayText(account.loginName) || vscode.l10n.t('guest');
  const release = displayText(account.productVersion);
  return lines(
    vscode.l10n.t('{0}, {1}', name, rights),
    release === '' ? undefined : vscode.l10n.t('Release {0}', release),
    account.tenantMode === true ? vscode.l10n.t('Tenant mode is on') : undefined,
    account.licenceState === undefined
      ? undefined
      : vscode.l10n.t('Licence state: {0}', displayText(account.licenceState)),
    account.licences === undefined ? undefined : vscode.l10n.t('Licences: {0}', displayText(account.licences)),
  );
}

/** Short description and icon of a server's state. */
function serverState(node: ServerNode, facts: TreeFacts): [words: string, icon: vscode.ThemeIcon] {
  const { connection } = node;
  const { kind } = connection.state;
  const isActive = kind === 'active';
  if (connection.kind === 'local' && facts.localServer === 'starting') {
    return [vscode.l10n.t('starting…'), new vscode.ThemeIcon('loading~spin')];
  }
  if (connection.kind === 'local' && facts.localServer === 'stopped' && !isActive && !connection.entry.isSignedOut) {
    return [vscode.l10n.t('stopped'), new vscode.ThemeIcon('vm-outline')];
  }
  if (facts.isUnreachable(node)) return [vscode.l10n.t('cannot be reached'), warningIcon()];
  const words = sessionLabel(connection, aboutMinutesLeft);
  if (kind === 'signingIn') return [words, new vscode.ThemeIcon('loading~spin')];
  const isIdle = kind === 'signedOut' || (kind === 'expired' && signsInAlone(connection.entry));
  if (isIdle) return [words, new vscode.ThemeIcon('vm-outline')];
  return [words, isActive ? new vscode.ThemeIcon('vm-active', activeColor()) : warningIcon()];
}

function warningIcon(): vscode.ThemeIcon {
  return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
}

function activeColor(): vscode.ThemeColor {
  return new vscode.ThemeColor('testing.iconPassed');
}

const libraryIcons: Record<LibraryName, string> = {
  public: 'organization',
  personal: 'home',
  favourites: 'star-empty',
};

function libraryItem(library: LibraryName): vscode.TreeItem {
  return place(libraryLabel(library), libraryIcons[library], library === 'public' ? Expanded : Collapsed);
}

function folderItem(node: FolderNode, scope: FolderScope | undefined): vscode.TreeItem {
  const item = new vscode.TreeItem(node.name, Collapsed);
  const access = node.isReadOnly ? vscode.l10n.t('You can view but not change the content of this folder.') : undefined;
  const readers = node.isPersonal ? undefined : folderReaders(scope);
  const isLocked = scope?.openTo === 'groups' || scope?.openTo === 'nobody';
  item.iconPath = new vscode.ThemeIcon(isLocked && !node.isPersonal ? 'lock-small' : 'symbol-folder');
  const hidden = scope?.isHidden ? vscode.l10n.t('hidden') : undefined;
  const badges = [readers?.badge, hidden].filter((badge) => badge !== undefined);
  if (badges.length > 0) item.description = badges.join(' · ');
  item.tooltip = lines(node.name, readers?.words, hidden, access);
  const spokenWords = [vscode.l10n.t('Folder {0}', node.name), readers?.words, hidden, access];
  item.accessibilityInformation = { label: spokenWords.filter((words) => words !== undefined).join(', ') };
  return item;
}

/** Who can view a folder, if known: as text, and as a badge next to its name. */
function folderReaders(scope: FolderScope | undefined): { badge?: string; words: string } | undefined {
  switch (scope?.openTo) {
    case undefined:
    case 'unknown':
      return undefined;
    case 'allUsers':
      return { badge: vscode.l10n.t('All Users'), words: vscode.l10n.t('Visible to all users') };
    case 'groups': {
      const badge = scope.groups.join(', ');
      return { badge, words: vscode.l10n.t('Visible only to members of {0}', badge) };
    }
    case 'nobody':
      return {
        badge: vscode.l10n.t('no one'),
        words: vscode.l10n.t('The groups of this folder no longer exist. Only super-admins can see it.'),
      };
    default:
      return { words: vscode.l10n.t('Visible to everyone who can see the parent folder') };
  }
}

function reportItem({ kind, item: facts, connection }: ItemNode): vscode.TreeItem {
  const item = new vscode.TreeItem(facts.name, None);
  const type = kind === 'dashboard' ? vscode.l10n.t('Dashboard') : outputTypeName(facts.outputType);
  item.iconPath = new vscode.ThemeIcon(outputTypeIcon(facts.outputType));
  if (facts.isFavourite) item.description = '★';
  item.tooltip = lines(
    facts.name,
    facts.description,
    [type, facts.reportType, facts.application].filter((part) => part !== '').join(' · '),
    facts.folderPath,
    facts.modified &&
      vscode.l10n.t(
        'Modified {0} by {1}',
        formatDateTime(facts.modified, vscode.env.language),
        facts.modifiedBy || '–',
      ),
  );
  const favourite = facts.isFavourite ? vscode.l10n.t('favourite') : '';
  item.accessibilityInformation = { label: [facts.name, type, favourite].filter((part) => part !== '').join(', ') };
  const target = { connectionId: connection.id, reportId: facts.itemId, name: facts.name };
  item.command =
    kind === 'dashboard'
      ? { command: 'analytics.dashboard.open', title: vscode.l10n.t('Open Dashboard'), arguments: [target] }
      : { command: 'analytics.report.run', title: vscode.l10n.t('Run Report'), arguments: [target] };
  return item;
}

function outputTypeName(outputType: number): string {
  const known = outputTypes.find((type) => type.id === outputType);
  return known ? l10n.listed(known.name) : vscode.l10n.t('Report');
}

function listItem(list: ListName, count: number | undefined): vscode.TreeItem {
  const item = listPlace(list);
  if (count !== undefined) item.description = count.toLocaleString(vscode.env.language);
  return item;
}

function listPlace(list: ListName): vscode.TreeItem {
  switch (list) {
    case 'users':
      return place(vscode.l10n.t('Users'), 'account', Collapsed);
    case 'groups':
      return place(vscode.l10n.t('Groups'), 'organization', Collapsed);
    case 'dataTags':
      return place(vscode.l10n.t('Data Tags'), 'tag', Collapsed);
    case 'policies':
      return place(vscode.l10n.t('Policies'), 'law', Collapsed);
  }
}

function place(label: string, icon: string, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(label, state);
  item.iconPath = new vscode.ThemeIcon(icon);
  return item;
}
