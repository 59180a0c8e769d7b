import * as vscode from 'vscode';
import { whyNothingShown } from '../../../client/session/instanceFacts.ts';
import type { CommandId } from '../../../editor/commands/commandIds.ts';
import { displayText, lines } from '../../../editor/displayText.ts';
import { capabilities } from '../../../editor/nodes/capabilities.ts';
import type { FailureNode, NoticeNode, MoreNode } from '../../../editor/nodes/treeNode.ts';

/** Capabilities to create objects in a node, as used by menus. */
const creations = {
  newUser: 'analytics.user.new',
  newGroup: 'analytics.group.new',
  newTag: 'analytics.tag.new',
  newPolicy: 'analytics.policy.new',
  newFolder: 'analytics.object.new',
  newDatabase: 'analytics.database.new',
  newReportType: 'analytics.reportType.new',
} satisfies Record<string, CommandId>;

/** Tree item of a node without children, with the action that resolves it. */
export function noticeItem(node: NoticeNode | FailureNode): vscode.TreeItem {
  if (node.kind === 'failure') return failureItem(node);
  const item = new vscode.TreeItem(noticeText(node));
  const explanation = [explain(node), explainInstance(node)].join(' ').trim();
  item.tooltip = lines(noticeText(node), explanation, node.detail);
  item.accessibilityInformation = { label: [noticeText(node), explanation].join(' ').trim() };
  switch (node.reason) {
    case 'none':
    case 'noneVisible': {
      const way = wayToFill(node.parent);
      if (way) {
        item.label = `${noticeText(node)}. ${way.words}`;
        item.command = way.command;
        item.accessibilityInformation = { label: [item.label, explanation].join(' ').trim() };
      }
      break;
    }
    case 'noneFiltered':
      item.iconPath = new vscode.ThemeIcon('filter');
      item.command = { command: 'analytics.tree.clearFilter', title: vscode.l10n.t('Show All') };
      break;
    case 'noPermission':
      item.iconPath = new vscode.ThemeIcon('lock');
      break;
    case 'loading':
      item.iconPath = new vscode.ThemeIcon('loading~spin');
      break;
    case 'signedOut':
    case 'expired':
    case 'takenOver':
    case 'refused':
      item.iconPath = new vscode.ThemeIcon('sign-in');
      item.command = {
        command: 'analytics.server.signIn',
        title: vscode.l10n.t('Sign In…'),
        arguments: [node],
      };
  }
  return item;
}

function failureItem(node: FailureNode): vscode.TreeItem {
  const item = new vscode.TreeItem(failureText(node));
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  item.tooltip = lines(node.message, node.remedy, vscode.l10n.t('Click to retry.'));
  item.command = { command: 'analytics.tree.retry', title: vscode.l10n.t('Retry'), arguments: [node] };
  item.accessibilityInformation = { label: vscode.l10n.t('{0} Press Enter to try again.', node.message) };
  return item;
}

/** The error without the server's name, which the parent row shows: the sidebar is narrow. */
function failureText({ message, connection }: FailureNode): string {
  const name = `${connection.name} `;
  if (!message.startsWith(name)) return message;
  const rest = message.slice(name.length);
  return rest.charAt(0).toLocaleUpperCase() + rest.slice(1);
}

function noticeText({ reason, parent }: NoticeNode): string {
  switch (reason) {
    case 'none':
      return noneText(parent);
    case 'noneVisible':
      return vscode.l10n.t('None visible');
    case 'noneFiltered':
      return vscode.l10n.t('None match the filter. Show all');
    case 'noPermission':
      return vscode.l10n.t('No permission');
    case 'loading':
      return vscode.l10n.t('Loading…');
    case 'signedOut':
      return vscode.l10n.t('Signed out. Sign in…');
    case 'expired':
      return vscode.l10n.t('Session expired. Sign in…');
    case 'takenOver':
      return vscode.l10n.t('Signed in elsewhere. Sign in…');
    case 'refused':
      return vscode.l10n.t('Sign-in refused. Sign in…');
  }
}

/** Additional details for the tooltip and for screen readers. */
function explain({ reason, parent, connection }: NoticeNode): string {
  const account = displayText(connection.userName) || vscode.l10n.t('guest');
  switch (reason) {
    case 'noneVisible':
      return vscode.l10n.t('There are none, or {0} has no permission to see them.', account);
    case 'noPermission':
      return vscode.l10n.t('The session is valid, but {0} has no permission to see these objects.', account);
    case 'takenOver':
      return vscode.l10n.t(
        '{0} signed in elsewhere, which ended this session. Signing in here ends that session.',
        account,
      );
    case 'none':
      return parent.kind === 'libraryRoot' && parent.library === 'favourites'
        ? vscode.l10n.t('Select the star of a report to add it.')
        : '';
    case 'noneFiltered':
    case 'signedOut':
    case 'expired':
    case 'refused':
    case 'loading':
      return '';
  }
}

/** Facts of the server that may be the reason that nothing is shown. */
function explainInstance({ reason, connection: { state } }: NoticeNode): string {
  if (state.kind !== 'active' || !['noneVisible', 'noPermission'].includes(reason)) return '';
  return displayText(whyNothingShown(state.account));
}

/** The action that fills an empty node, if the account is allowed to: as a command and as text. */
function wayToFill(parent: NoticeNode['parent']): { words: string; command: vscode.Command } | undefined {
  const may = capabilities(parent).split(';');
  if (may.includes('addMembers')) {
    const command = { command: 'analytics.group.addMembers', title: vscode.l10n.t('Add users…'), arguments: [parent] };
    return { words: vscode.l10n.t('Add users…'), command };
  }
  const create = vscode.l10n.t('Create one…');
  if (may.includes('newApplication')) {
    return { words: create, command: { command: 'analytics.application.new', title: create, arguments: [parent] } };
  }
  const [, command] = Object.entries(creations).find(([word]) => may.includes(word)) ?? [];
  return command && { words: create, command: { command, title: create, arguments: [parent] } };
}

function noneText(parent: NoticeNode['parent']): string {
  switch (parent.kind) {
    case 'group':
      return vscode.l10n.t('No members');
    case 'folder':
      return vscode.l10n.t('This folder is empty');
    case 'libraryRoot':
      return parent.library === 'favourites' ? vscode.l10n.t('No favourites yet') : vscode.l10n.t('Nothing here yet');
    case 'list':
      return parent.list === 'policies' ? vscode.l10n.t('No policies') : vscode.l10n.t('No data tags');
    case 'section':
      return vscode.l10n.t('No applications');
    case 'application':
      return vscode.l10n.t('No registered servers');
    case 'registeredServer':
      return vscode.l10n.t('No report types');
    case 'reportType':
    case 'fieldFolder':
      return vscode.l10n.t('No fields');
    case 'setting':
      return vscode.l10n.t('No settings');
    default:
      return vscode.l10n.t('Nothing here');
  }
}

/** Tree item after the first rows of a long list; a click shows the next rows. */
export function moreItem(node: MoreNode): vscode.TreeItem {
  const [next, hidden] = [node.next, node.hidden].map((count) => count.toLocaleString(vscode.env.language));
  const item = new vscode.TreeItem(vscode.l10n.t('Show {0} More', next ?? ''));
  item.description = vscode.l10n.t('{0} not shown', hidden ?? '');
  item.iconPath = new vscode.ThemeIcon('unfold');
  item.tooltip = lines(
    vscode.l10n.t('{0} not shown', hidden ?? ''),
    vscode.l10n.t('Filter Sidebar and Go to Object search all of them.'),
  );
  item.command = { command: 'analytics.tree.showMore', title: vscode.l10n.t('Show More'), arguments: [node] };
  return item;
}
