import { isClientError } from '../../../client/clientError.ts';
import * as l10n from '../../../l10n/l10n.ts';
import { displayText } from '../../../editor/displayText.ts';
import { signsInAlone } from '../../../connections/serverEntry.ts';
import { favouriteItems, folderNodes, itemFacts, itemNodes, libraryRoots } from '../../../editor/nodes/libraryNodes.ts';
import { readGroupNames } from './folderScopes.ts';
import { dataTagNodes, groupNodes, holderNodes, memberNodes, policyNodes, userNodes } from './securityNodes.ts';
import {
  auditFacts,
  licenceFacts,
  settingFacts,
  settingNodes,
  applicationNodes,
  fieldNodes,
  registeredServerNodes,
  reportTypeNodes,
} from './semanticNodes.ts';
import type {
  ApplicationNode,
  FactNode,
  FailureNode,
  LibraryRootNode,
  ListName,
  ListNode,
  FolderNode,
  NoticeNode,
  NoticeReason,
  RegisteredServerNode,
  ReportTypeNode,
  SectionName,
  SectionNode,
  ServerNode,
  SettingNode,
  TreeConnection,
  TreeNode,
} from '../../../editor/nodes/treeNode.ts';

/**
 * Loads the current children of a node. Never rejects: an error becomes a child that shows it. An empty list is only
 * accepted after the client has verified that the session is valid.
 */
export async function loadChildren(node: TreeNode): Promise<TreeNode[]> {
  try {
    return once(await read(node));
  } catch (error) {
    return [failed(node, error)];
  }
}

/** Removes duplicates: the editor shows no children at all if an id is repeated, and servers do list objects twice. */
function once(nodes: readonly TreeNode[]): TreeNode[] {
  return [...new Map(nodes.map((node) => [node.id, node])).values()];
}

async function read(node: TreeNode): Promise<TreeNode[]> {
  switch (node.kind) {
    case 'server':
      return serverChildren(node);
    case 'section':
      return sectionChildren(node);
    case 'libraryRoot':
      return node.library === 'favourites' ? favourites(node) : folderChildren(node);
    case 'folder':
      return folderChildren(node);
    case 'list':
      return listChildren(node);
    case 'group':
      return orNotice(node, memberNodes(node), 'none');
    case 'application':
      return orNotice(node, await registeredServers(node), whyNone(node.connection));
    case 'registeredServer':
      return reportTypes(node);
    case 'reportType':
      return orNotice(node, await reportFields(node), whyNone(node.connection));
    case 'fieldFolder':
      return orNotice(node, fieldNodes(node, node.children), 'none');
    case 'setting':
      return orNotice(node, await readSetting(node), 'none');
    case 'fact':
      return node.fact.kind === 'seats' ? orNotice(node, await readHolders(node, node.fact.applicationId), 'none') : [];
    case 'field':
    case 'report':
    case 'dashboard':
    case 'user':
    case 'member':
    case 'holder':
    case 'dataTag':
    case 'policy':
    case 'notice':
    case 'failure':
    case 'more':
      return [];
  }
}

function serverChildren(node: ServerNode): TreeNode[] {
  const reason = whyNotSignedIn(node.connection);
  if (reason) return [notice(node, reason, refusal(node.connection))];
  return (['library', 'security', 'semanticLayer', 'administration'] as const).map((section) =>
    sectionNode(node, section),
  );
}

async function sectionChildren(node: SectionNode): Promise<TreeNode[]> {
  switch (node.section) {
    case 'library':
      return libraryChildren(node);
    case 'security':
      return securityLists(node);
    case 'semanticLayer':
      return applications(node);
    case 'administration':
      return settingNodes(node);
  }
}

/** Why only the user can open a session, if so. Sends no request. */
function whyNotSignedIn({ state, entry }: TreeConnection): NoticeReason | undefined {
  switch (state.kind) {
    case 'takenOver':
    case 'refused':
      return state.kind;
    case 'signedOut':
    case 'expired':
      return signsInAlone(entry) ? undefined : state.kind;
    case 'active':
    case 'signingIn':
      return undefined;
  }
}

function refusal({ state }: TreeConnection): string {
  return state.kind === 'refused' ? displayText(state.reason) : '';
}

async function libraryChildren(node: SectionNode): Promise<TreeNode[]> {
  const client = await node.connection.client();
  const entries = await client.call('library/GetAllLibraryTree', { includefav: true, includePersonal: true });
  return libraryRoots(node, entries);
}

async function folderChildren(node: LibraryRootNode | FolderNode): Promise<TreeNode[]> {
  const client = await node.connection.client();
  const items = await client.call('library/GetListByFolderID', { LibraryID: node.folderId });
  const isOwn = node.kind === 'folder' ? node.isPersonal : node.library === 'personal';
  const children = [...folderNodes(node), ...itemNodes(node, items.map(itemFacts))];
  // Objects of others in a public folder may be hidden from this account.
  return orNotice(node, children, isOwn ? 'none' : whyNone(node.connection));
}

async function favourites(node: LibraryRootNode): Promise<TreeNode[]> {
  const client = await node.connection.client();
  const [items, dashboards] = await Promise.all([
    client.call('library/SearchReports', { searchstring: '' }),
    client.call('Dashboard/SearchDashboardList', { search: '' }),
  ]);
  return orNotice(node, itemNodes(node, favouriteItems(items, dashboards)), 'none');
}

async function applications(node: SectionNode): Promise<TreeNode[]> {
  const client = await node.connection.client();
  const list = await client.call('App/GetApplicationList', {});
  return orNotice(node, applicationNodes(node, list), whyNone(node.connection));
}

/** The registered servers of an application: if the list of applications omits them, from the list of all. */
async function registeredServers(node: ApplicationNode): Promise<TreeNode[]> {
  if (node.servers.length > 0) return registeredServerNodes(node);
  const client = await node.connection.client();
  try {
    return registeredServerNodes(node, await client.call('RegServers/GetAdminRegisteredServers', {}));
  } catch (error) {
    const isDenied = (['refused', 'noPermission', 'notFound'] as const).some((kind) => isClientError(error, kind));
    if (isDenied) return [];
    throw error;
  }
}

async function reportTypes(node: RegisteredServerNode): Promise<TreeNode[]> {
  const client = await node.connection.client();
  const { serverId, moduleType } = node.database;
  const types = await client.call('RegServers/GetReportTypes', {
    ModuleType: moduleType,
    RegServerID: serverId,
    ReportModuleID: node.parent.applicationId,
  });
  return orNotice(node, reportTypeNodes(node, types), whyNone(node.connection));
}

async function reportFields(node: ReportTypeNode): Promise<TreeNode[]> {
  const client = await node.connection.client();
  const { serverId } = node.parent.database;
  const tree = await client.call('RegServers/GetReportTree', { RegServerID: serverId, ReportType: node.wireName });
  return fieldNodes(node, tree.rootnode?.children ?? []);
}

async function readSetting(node: SettingNode): Promise<TreeNode[]> {
  const client = await node.connection.client();
  switch (node.setting) {
    case 'settings':
      return settingFacts(node, await client.call('AppSettings/GetAppSettings', {}));
    case 'smtp':
      return settingFacts(node, await client.call('SMTP/GetSMTP', {}));
    case 'audit':
      return auditFacts(node, await client.call('Audit/GetAuditTypes', {}));
    case 'licences': {
      const [installationId, list] = await Promise.all([
        client.call('LicenseManager/GetInstallationID', {}),
        client.call('App/GetApplicationList', {}),
      ]);
      return licenceFacts(node, installationId, list);
    }
  }
}

async function readHolders(node: FactNode, applicationId: string): Promise<TreeNode[]> {
  const client = await node.connection.client();
  return holderNodes(node, applicationId, await client.call('Contact/GetContactList', {}));
}

function securityLists(node: SectionNode): ListNode[] {
  return (['users', 'groups', 'dataTags', 'policies'] as const).map((list) => ({
    kind: 'list',
    id: `${node.id}/${list}`,
    connection: node.connection,
    parent: node,
    list,
  }));
}

async function listChildren(node: ListNode): Promise<TreeNode[]> {
  const client = await node.connection.client();
  return orNotice(node, await readList(node, client), whyEmpty(node.list, node.connection));
}

async function readList(node: ListNode, client: Pick<Awaited<ReturnType<TreeConnection['client']>>, 'call'>) {
  switch (node.list) {
    case 'users':
      return userNodes(node, await client.call('Contact/GetContactList', {}));
    case 'groups':
      return groupNodes(node, await client.call('Group/GetAllSecurityGroups', {}));
    case 'dataTags':
      return dataTagNodes(node, await client.call('DataTag/GetAllDataTags', {}));
    case 'policies': {
      const policies = await client.call('Shield/GetAllShieldPolicies', {});
      const isNameMissing = policies.some((policy) => policy.Groups?.some(({ GroupName }) => !GroupName));
      return policyNodes(
        node,
        policies,
        isNameMissing ? await readGroupNames(node.connection) : new Map<string, string>(),
      );
    }
  }
}

/**
 * Meaning of an empty list: there is always a user (the caller) and the group All Users, so a server that lists none
 * withholds them; tags and policies may really be empty, but only a super-admin can know that for certain.
 */
function whyEmpty(list: ListName, connection: TreeConnection): NoticeReason {
  return list === 'users' || list === 'groups' ? 'noPermission' : whyNone(connection);
}

/**
 * Only a super-admin can know for certain that there are none: other administrators only see what they were granted.
 * API description, Authentication (Permissions).
 */
function whyNone({ state }: TreeConnection): NoticeReason {
  return state.kind === 'active' && state.account.isSuperAdmin === true ? 'none' : 'noneVisible';
}

function orNotice(node: TreeNode, children: TreeNode[], reason: NoticeReason): TreeNode[] {
  return children.length > 0 ? children : [notice(node, reason)];
}

function sectionNode(parent: ServerNode, section: SectionName): SectionNode {
  return { kind: 'section', id: `${parent.id}/${section}`, connection: parent.connection, parent, section };
}

function notice(parent: TreeNode, reason: NoticeReason, detail = ''): NoticeNode {
  return { kind: 'notice', id: `${parent.id}/notice`, connection: parent.connection, parent, reason, detail };
}

/** The child for a failure: a notice if the user has to sign in, otherwise one to retry. */
function failed(parent: TreeNode, error: unknown): NoticeNode | FailureNode {
  const { connection } = parent;
  if (isClientError(error, 'noPermission')) return notice(parent, 'noPermission');
  if (isClientError(error, 'takenOver')) return notice(parent, 'takenOver');
  if (isClientError(error, 'signInRefused')) return notice(parent, 'refused', displayText(error.message));
  if (isClientError(error, 'notSignedIn')) {
    return notice(parent, connection.state.kind === 'expired' ? 'expired' : 'signedOut');
  }
  return {
    kind: 'failure',
    id: `${parent.id}/failure`,
    connection,
    parent,
    message: isClientError(error, 'cancelled')
      ? l10n.t('Cancelled')
      : displayText(error instanceof Error ? error.message : String(error)),
    remedy: isClientError(error) ? error.remedy : '',
    isUnreachable: isClientError(error, 'unreachable') || isClientError(error, 'timeout'),
  };
}
