import * as vscode from 'vscode';
import { lines } from '../../../editor/displayText.ts';
import type { DataTagNode, GroupNode, PolicyNode, TreeNode, UserNode } from '../../../editor/nodes/treeNode.ts';
import { formatDateTime } from './formatDateTime.ts';

const { Collapsed, None } = vscode.TreeItemCollapsibleState;

/** Tree item of a user, group, data tag or policy. */
export function securityItem(node: UserNode | GroupNode | DataTagNode | PolicyNode): vscode.TreeItem {
  switch (node.kind) {
    case 'user':
      return opening(userItem(node), node, 'user', node.user.userId);
    case 'member':
    case 'holder':
      return opening(memberItem(node), node, 'user', node.user.userId);
    case 'group':
      return groupItem(node);
    case 'dataTag':
      return opening(dataTagItem(node), node, 'tag', node.tagId);
    case 'policy':
      return opening(policyItem(node), node, 'policy', node.policyId);
  }
}

/** Adds the click command: opens the node's object as a document of `kind`. */
function opening(item: vscode.TreeItem, node: TreeNode, kind: string, id: string): vscode.TreeItem {
  const name = typeof item.label === 'string' ? item.label : id;
  item.command = {
    command: 'analytics.object.open',
    title: vscode.l10n.t('Edit as JSON'),
    arguments: [{ connectionId: node.connection.id, kind, id, name, installation: node.installation }],
  };
  return item;
}

function userItem({ user }: UserNode): vscode.TreeItem {
  const item = new vscode.TreeItem(user.loginName, None);
  const marks = [
    user.lockedSince === null ? '' : vscode.l10n.t('locked'),
    user.isAdmin ? vscode.l10n.t('admin') : '',
    user.lastSignIn === null ? vscode.l10n.t('never signed in') : '',
  ];
  item.description = [user.fullName, ...marks].filter((part) => part !== '').join(' · ');
  item.iconPath = userIcon(user);
  item.tooltip = lines(
    user.loginName,
    user.fullName,
    [user.email, user.company].filter((part) => part !== '').join(' · '),
    user.groups.length > 0 ? vscode.l10n.t('Groups: {0}', user.groups.join(', ')) : undefined,
    user.applications && user.applications.length > 0
      ? vscode.l10n.t('Applications: {0}', user.applications.join(', '))
      : undefined,
    user.lockedSince === null
      ? undefined
      : vscode.l10n.t('Locked since {0}', formatDateTime(user.lockedSince, vscode.env.language)),
    user.lastSignIn === null
      ? vscode.l10n.t('Never signed in')
      : vscode.l10n.t('Last sign-in {0}', formatDateTime(user.lastSignIn, vscode.env.language)),
  );
  return item;
}

function userIcon(user: UserNode['user']): vscode.ThemeIcon {
  if (user.lockedSince !== null) return new vscode.ThemeIcon('lock', new vscode.ThemeColor('list.warningForeground'));
  return new vscode.ThemeIcon(user.isAdmin ? 'shield' : 'account');
}

function memberItem({ kind, user, roles }: UserNode): vscode.TreeItem {
  const item = new vscode.TreeItem(user.loginName, None);
  const role = roles.join(', ') || vscode.l10n.t('no role');
  item.description = role;
  item.iconPath = new vscode.ThemeIcon('account');
  const place =
    kind === 'member'
      ? vscode.l10n.t('Role in this group: {0}', role)
      : vscode.l10n.t('Role in this application: {0}', role);
  item.tooltip = lines(user.loginName, user.fullName, place);
  item.accessibilityInformation = {
    label:
      kind === 'member'
        ? vscode.l10n.t('Member {0}, role {1}', user.loginName, role)
        : vscode.l10n.t('{0} holds a seat as {1}', user.loginName, role),
  };
  return item;
}

function groupItem(node: GroupNode): vscode.TreeItem {
  const item = new vscode.TreeItem(node.name, Collapsed);
  const count = node.members.length;
  item.description = count === 1 ? vscode.l10n.t('1 member') : vscode.l10n.t('{0} members', count);
  item.iconPath = new vscode.ThemeIcon('organization');
  item.tooltip = lines(node.name, node.description, item.description);
  return item;
}

function dataTagItem(node: DataTagNode): vscode.TreeItem {
  const item = new vscode.TreeItem(node.label, None);
  const byDefault = node.defaultValue ? vscode.l10n.t('default {0}', node.defaultValue) : vscode.l10n.t('no default');
  const state = node.isActive ? byDefault : vscode.l10n.t('inactive');
  item.description = state;
  item.iconPath = new vscode.ThemeIcon('tag');
  item.tooltip = lines(
    `/#${node.label}#/`,
    state,
    node.valueCount === 1
      ? vscode.l10n.t('1 group or user has its own value')
      : vscode.l10n.t('{0} groups or users have their own values', node.valueCount),
  );
  return item;
}

function policyItem(node: PolicyNode): vscode.TreeItem {
  const item = new vscode.TreeItem(node.name, None);
  const users = node.userCount === 1 ? vscode.l10n.t('1 user') : vscode.l10n.t('{0} users', node.userCount);
  const assigned = [...node.groups, ...(node.userCount > 0 ? [users] : [])].join(', ');
  item.description = node.isActive ? assigned || vscode.l10n.t('not assigned') : vscode.l10n.t('inactive');
  item.iconPath = node.isActive
    ? new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed'))
    : new vscode.ThemeIcon('circle-outline');
  item.tooltip = lines(
    node.name,
    node.description,
    node.isActive ? vscode.l10n.t('Active') : vscode.l10n.t('Inactive: restricts no one'),
    assigned ? vscode.l10n.t('Assigned to {0}', assigned) : vscode.l10n.t('Not assigned'),
    node.constraintCount === 1 ? vscode.l10n.t('1 constraint') : vscode.l10n.t('{0} constraints', node.constraintCount),
  );
  const state = node.isActive ? vscode.l10n.t('active') : vscode.l10n.t('inactive');
  item.accessibilityInformation = { label: vscode.l10n.t('Policy {0}, {1}, {2}', node.name, state, assigned) };
  return item;
}
