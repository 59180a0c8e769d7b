import * as vscode from 'vscode';
import { displayText } from '../connections/displayText.ts';
import { lines } from './tooltipLines.ts';
import type { FailureNode, NoticeNode } from './treeNode.ts';

/** How a place looks that has nothing to show, and the way out of it. */
export function noticeItem(node: NoticeNode | FailureNode): vscode.TreeItem {
  if (node.kind === 'failure') return failureItem(node);
  const item = new vscode.TreeItem(noticeText(node));
  item.tooltip = lines(noticeText(node), node.detail);
  switch (node.reason) {
    case 'none':
    case 'noneVisible':
      break;
    case 'noPermission':
      item.iconPath = new vscode.ThemeIcon('lock');
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
  const item = new vscode.TreeItem(node.message);
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  item.tooltip = lines(node.message, node.remedy, vscode.l10n.t('Click to try again.'));
  item.command = { command: 'analytics.tree.retry', title: vscode.l10n.t('Retry'), arguments: [node] };
  item.accessibilityInformation = { label: vscode.l10n.t('{0} Press Enter to try again.', node.message) };
  return item;
}

function noticeText({ reason, parent, connection }: NoticeNode): string {
  const account = displayText(connection.userName) || vscode.l10n.t('guest');
  switch (reason) {
    case 'none':
      return noneText(parent);
    case 'noneVisible':
      return vscode.l10n.t('None that {0} may see', account);
    case 'noPermission':
      return vscode.l10n.t('{0} may not see these', account);
    case 'signedOut':
      return vscode.l10n.t('Signed out. Sign in…');
    case 'expired':
      return vscode.l10n.t('The session of {0} has expired. Sign in…', account);
    case 'takenOver':
      return vscode.l10n.t('{0} signed in elsewhere, which ended this session. Sign in…', account);
    case 'refused':
      return vscode.l10n.t('Sign-in was refused. Sign in…');
  }
}

function noneText(parent: NoticeNode['parent']): string {
  switch (parent.kind) {
    case 'group':
      return vscode.l10n.t('No members');
    case 'folder':
      return vscode.l10n.t('This folder is empty');
    case 'libraryRoot':
      return parent.library === 'favourites'
        ? vscode.l10n.t('No favourites yet: mark a report with its star')
        : vscode.l10n.t('Nothing here yet');
    case 'list':
      return parent.list === 'policies' ? vscode.l10n.t('No policies') : vscode.l10n.t('No data tags');
    default:
      return vscode.l10n.t('Nothing here');
  }
}
