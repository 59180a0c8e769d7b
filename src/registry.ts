import * as vscode from 'vscode';
import { showInformationMessage } from './editor/messages.ts';
import type { ClientError } from './client/clientError.ts';
import { currentNodes, selectedNodes } from './editor/nodes/selectedNodes.ts';
import { showCommandError } from './editor/commandError.ts';
import { byKey, onFocused } from './features/sidebar/focusedNode.ts';
import { isMissingRow } from './features/sidebar/missingRow.ts';
import { openObject } from './editor/nodes/objectTarget.ts';
import { openReport, runReport, showSql } from './features/reports/commands.ts';
import { buildReport, openReportJson } from './features/builder/commands.ts';
import type { Command } from './editor/commands/services.ts';
import type { DocumentServices } from './features/documents/documentServices.ts';
import type { RunServices } from './features/reports/history/pastRuns.ts';
import type { SqlServices } from './features/reports/sql/sqlPreview.ts';
import type { SidebarServices } from './features/sidebar/serversTree.ts';
import { isTreeNode, type TreeNode } from './editor/nodes/treeNode.ts';
import type { ChangeNode } from './features/documents/changesTree.ts';
import type { RunNode } from './features/reports/history/runsTree.ts';
import { withNextRow, type RowView } from './features/sidebar/nextRow.ts';
import { selectedRow } from './editor/selectedRow.ts';
import type { CommandId } from './editor/commands/commandIds.ts';
import { withWaitNotice } from './editor/progress.ts';

/** Services used by the commands of all features. */
type Services = SidebarServices & DocumentServices & RunServices & SqlServices;

const serverRows = ({ view, tree }: Services): RowView<TreeNode> => ({
  view,
  isRow: isTreeNode,
  siblings: (node) => tree.siblings(node),
  idOf: ({ id }) => id,
  parentOf: ({ parent }) => parent,
});

const changeRows = ({ changesView, changes }: Services): RowView<ChangeNode> => ({
  view: changesView,
  isRow: (argument): argument is ChangeNode => typeof argument === 'object' && argument !== null && 'uri' in argument,
  siblings: () => changes.list,
  idOf: ({ uri }) => uri.toString(),
});

const runRows = ({ runsView, runs }: Services): RowView<RunNode> => ({
  view: runsView,
  isRow: (argument): argument is RunNode => typeof argument === 'object' && argument !== null && 'id' in argument,
  siblings: () => runs.runs,
  idOf: ({ id }) => id,
});

/** Commands of a module that is loaded when one of them is first called. */
function lazy<M>(load: () => Promise<M>): (pick: (module: M) => Command<Services>) => Command<Services> {
  return (pick) =>
    async (...given) =>
      pick(await load())(...given);
}

const newServer = lazy(() => import('./features/servers/addServer.ts'));
const localServer = lazy(() => import('./features/servers/localServer/commands.ts'));
const backups = lazy(() => import('./features/backups/commands.ts'));
const servers = lazy(() => import('./features/servers/commands.ts'));
const removal = lazy(() => import('./features/servers/removeServer.ts'));
const certificates = lazy(() => import('./features/servers/trustCertificate.ts'));
const unknownWrites = lazy(() => import('./features/servers/reviewUnknownWrites.ts'));
const networkSecrets = lazy(() => import('./features/servers/networkSecrets.ts'));
const sidebar = lazy(() => import('./features/sidebar/commands.ts'));
const finder = lazy(() => import('./features/sidebar/findObject.ts'));
const sql = lazy(() => import('./features/reports/sql/sqlPreview.ts'));
const builder = lazy(() => import('./features/builder/newReport.ts'));
const objects = lazy(() => import('./features/documents/commands.ts'));
const newObjects = lazy(() => import('./features/documents/newObjects.ts'));
const applications = lazy(() => import('./features/applications/commands.ts'));
const library = lazy(() => import('./features/library/commands.ts'));
const security = lazy(() => import('./features/security/commands.ts'));
const userImport = lazy(() => import('./features/userImport/importUsers.ts'));
const userTemplate = lazy(() => import('./features/userImport/saveTemplate.ts'));
const tagValues = lazy(() => import('./features/tagValues/commands.ts'));
const members = lazy(() => import('./features/security/groupMembers.ts'));
const applicationRoles = lazy(() => import('./features/security/applicationRoles.ts'));
const policies = lazy(() => import('./features/security/assignPolicy.ts'));
const deletion = lazy(() => import('./features/documents/deleteObjects.ts'));
const fields = lazy(() => import('./features/documents/language/findReports.ts'));
const folders = lazy(() => import('./features/library/folderPermissions.ts'));
const libraryFolders = lazy(() => import('./features/library/folders.ts'));
const libraryDashboards = lazy(() => import('./features/library/dashboards.ts'));
const changes = lazy(() => import('./features/documents/saveChanges.ts'));
const runs = lazy(() => import('./features/reports/history/pastRuns.ts'));
const dashboards = lazy(() => import('./features/reports/dashboard.ts'));
const setup = lazy(() => import('./features/applications/newApplication.ts'));
const administration = lazy(() => import('./features/administration/commands.ts'));

/** Runs the command of the clicked sidebar row. */
const clickId = 'analytics.tree.openRow' satisfies CommandId;
type RunId = Exclude<CommandId, typeof clickId>;

const commands: Record<RunId, Command<Services>> = {
  'analytics.server.add': newServer((m) => m.addServer),
  'analytics.server.addAccount': newServer((m) => m.addAccount),
  'analytics.server.startLocal': localServer((m) => m.startLocalServer),
  'analytics.server.stopLocal': localServer((m) => m.stopLocalServer),
  'analytics.backup.create': backups((m) => m.backUpData),
  'analytics.backup.restore': backups((m) => m.restoreData),
  'analytics.backup.check': backups((m) => m.checkData),
  'analytics.backup.show': backups((m) => m.showBackups),
  'analytics.server.signIn': servers((m) => m.signInServer),
  'analytics.server.signOut': servers((m) => m.signOutServer),
  'analytics.session.reloadPermissions': servers((m) => m.reloadPermissions),
  'analytics.session.extend': servers((m) => m.extendSession),
  'analytics.profile.edit': servers((m) => m.editProfile),
  'analytics.profile.changePassword': servers((m) => m.changePassword),
  'analytics.server.rename': servers((m) => m.renameServer),
  'analytics.server.remove': removal((m) => m.removeServer),
  'analytics.server.trustCertificate': certificates((m) => m.trustCertificate),
  'analytics.server.forgetCertificate': certificates((m) => m.forgetCertificate),
  'analytics.writes.review': unknownWrites((m) => m.reviewUnknownWrites),
  'analytics.network.setProxyAccount': networkSecrets((m) => m.setProxyAccount),
  'analytics.network.setKeyPassphrase': networkSecrets((m) => m.setKeyPassphrase),
  'analytics.browser.open': servers((m) => m.openInBrowser),
  'analytics.tree.refresh': sidebar((m) => m.refreshTree),
  'analytics.tree.refreshRow': sidebar((m) => m.refreshPlace),
  'analytics.tree.retry': sidebar((m) => m.retryLoading),
  'analytics.tree.filter': sidebar((m) => m.filterTree),
  'analytics.tree.clearFilter': sidebar((m) => m.clearFilter),
  'analytics.tree.showMore': sidebar((m) => m.showMore),
  'analytics.tree.showAll': sidebar((m) => m.showAll),
  'analytics.report.open': openReport,
  'analytics.object.find': finder((m) => m.findObject),
  'analytics.report.run': runReport,
  'analytics.report.showSql': showSql,
  'analytics.sql.copy': sql((m) => m.copySql),
  'analytics.sql.showCriteria': sql((m) => m.showCriteria),
  'analytics.report.new': builder((m) => m.newReport),
  'analytics.report.build': buildReport,
  'analytics.report.openJson': openReportJson,
  'analytics.report.saveAs': builder((m) => m.saveReportAs),
  'analytics.object.open': openObject,
  'analytics.object.new': newObjects((m) => m.newObject),
  'analytics.user.new': newObjects((m) => m.newUser),
  'analytics.group.new': newObjects((m) => m.newGroup),
  'analytics.tag.new': newObjects((m) => m.newDataTag),
  'analytics.policy.new': newObjects((m) => m.newPolicy),
  'analytics.database.new': newObjects((m) => m.newRegisteredServer),
  'analytics.reportType.new': newObjects((m) => m.newReportType),
  'analytics.object.clone': objects((m) => m.cloneObject),
  'analytics.object.rename': onFocused(serverRows, async (services, argument) => {
    const rename = isServerRow(argument) ? servers((m) => m.renameServer) : objects((m) => m.renameObject);
    await rename(services, argument);
  }),
  'analytics.report.describe': objects((m) => m.describeReport),
  'analytics.reportType.addColumns': applications((m) => m.addColumns),
  'analytics.object.delete': onFocused(serverRows, async (services, ...given) => {
    if (isServerRow(given[0])) return removal((m) => m.removeServer)(services, given[0]);
    if (isMemberRow(given[0])) return members((m) => m.removeFromGroup)(services, ...given);
    if (isHolderRow(given[0])) return applicationRoles((m) => m.revokeRole)(services, ...given);
    await deletion((m) => m.deleteObjects)(services, ...given);
  }),
  'analytics.user.clone': objects((m) => m.cloneObject),
  'analytics.group.clone': objects((m) => m.cloneObject),
  'analytics.tag.clone': objects((m) => m.cloneObject),
  'analytics.policy.clone': objects((m) => m.cloneObject),
  'analytics.folder.clone': objects((m) => m.cloneObject),
  'analytics.report.clone': objects((m) => m.cloneObject),
  'analytics.dashboard.clone': objects((m) => m.cloneObject),
  'analytics.database.clone': objects((m) => m.cloneObject),
  'analytics.reportType.clone': objects((m) => m.cloneObject),
  'analytics.user.rename': objects((m) => m.renameObject),
  'analytics.group.rename': objects((m) => m.renameObject),
  'analytics.policy.rename': objects((m) => m.renameObject),
  'analytics.folder.rename': objects((m) => m.renameObject),
  'analytics.report.rename': objects((m) => m.renameObject),
  'analytics.dashboard.rename': objects((m) => m.renameObject),
  'analytics.database.rename': objects((m) => m.renameObject),
  'analytics.reportType.rename': objects((m) => m.renameObject),
  'analytics.user.delete': deletion((m) => m.deleteObjects),
  'analytics.group.delete': deletion((m) => m.deleteObjects),
  'analytics.tag.delete': deletion((m) => m.deleteObjects),
  'analytics.policy.delete': deletion((m) => m.deleteObjects),
  'analytics.folder.delete': deletion((m) => m.deleteObjects),
  'analytics.report.delete': deletion((m) => m.deleteObjects),
  'analytics.dashboard.delete': deletion((m) => m.deleteObjects),
  'analytics.mail.delete': deletion((m) => m.deleteObjects),
  'analytics.object.compareWithServer': objects((m) => m.compareWithServer),
  'analytics.object.reload': objects((m) => m.reloadObject),
  'analytics.item.addFavourite': library((m) => m.addFavourite),
  'analytics.item.removeFavourite': library((m) => m.removeFavourite),
  'analytics.item.copyId': sidebar((m) => m.copyId),
  'analytics.item.copyName': sidebar((m) => m.copyName),
  'analytics.user.setPin': security((m) => m.setPin),
  'analytics.user.unlock': security((m) => m.unlockUser),
  'analytics.user.import': userImport((m) => m.importUsers),
  'analytics.user.saveCsvTemplate': userTemplate((m) => m.saveTemplate),
  'analytics.tag.rename': objects((m) => m.renameDataTag),
  'analytics.tag.editValues': tagValues((m) => m.editTagValues),
  'analytics.group.addMembers': members((m) => m.addToGroup),
  'analytics.group.removeMembers': members((m) => m.removeFromGroup),
  'analytics.role.grant': applicationRoles((m) => m.grantRole),
  'analytics.role.change': applicationRoles((m) => m.changeRole),
  'analytics.role.revoke': applicationRoles((m) => m.revokeRole),
  'analytics.policy.assign': policies((m) => m.assignPolicy),
  'analytics.policy.unassign': policies((m) => m.unassignPolicy),
  'analytics.policy.activate': policies((m) => m.activatePolicy),
  'analytics.policy.deactivate': policies((m) => m.deactivatePolicy),
  'analytics.tag.showPolicies': security((m) => m.showTagPolicies),
  'analytics.field.findReports': fields((m) => m.findReports),
  'analytics.folder.setPermissions': folders((m) => m.setFolderPermissions),
  'analytics.folder.new': libraryFolders((m) => m.newFolder),
  'analytics.folder.move': libraryFolders((m) => m.moveFolder),
  'analytics.folder.hide': libraryFolders((m) => m.hideFolders),
  'analytics.folder.show': libraryFolders((m) => m.showFolders),
  'analytics.item.move': library((m) => m.moveReport),
  'analytics.changes.save': changes((m) => m.saveChanges),
  'analytics.changes.saveRow': onFocused(
    changeRows,
    changes((m) => m.saveChosenChanges),
  ),
  'analytics.changes.revert': onFocused(
    changeRows,
    changes((m) => m.revertChanges),
  ),
  'analytics.run.openRow': runs((m) => m.openRun),
  'analytics.run.reveal': runs((m) => m.revealRun),
  'analytics.run.rerun': runs((m) => m.rerun),
  'analytics.run.cancel': runs((m) => m.cancelRun),
  'analytics.run.compare': runs((m) => m.compareRuns),
  'analytics.run.pin': runs((m) => m.pinRun),
  'analytics.run.unpin': runs((m) => m.unpinRun),
  'analytics.run.remove': onFocused(
    runRows,
    runs((m) => m.removeRun),
  ),
  'analytics.application.new': setup((m) => m.newApplication),
  'analytics.database.test': applications((m) => m.testConnection),
  'analytics.object.changeSecret': administration((m) => m.changeSecret),
  'analytics.dashboard.open': dashboards((m) => m.openDashboard),
  'analytics.dashboard.new': libraryDashboards((m) => m.newDashboard),
  'analytics.audit.choose': administration((m) => m.chooseAuditTypes),
  'analytics.audit.show': administration((m) => m.showAuditTrail),
  'analytics.licences.refresh': administration((m) => m.refreshLicences),
  'analytics.licences.edit': administration((m) => m.editLicence),
  'analytics.installation.copyId': administration((m) => m.copyInstallationId),
  'analytics.log.show': servers((m) => m.showLog),
};

/**
 * The saved connection whose call failed. If only the server's name is known, the one with that name; if several match,
 * undefined: the command then asks instead of using the wrong one.
 */
function connectionOf({ connectionId, server }: ClientError, { connections }: Services): string | undefined {
  if (connectionId !== undefined) return connections.get(connectionId)?.id;
  const [known, ...others] = connections.list().filter(({ name }) => name === server);
  return others.length === 0 ? known?.id : undefined;
}

/** The sidebar's shortcuts also apply to server rows: the server is renamed in the list, or removed from it. */
function isServerRow(argument: unknown): boolean {
  return isTreeNode(argument) && argument.kind === 'server';
}

/** Reports that nothing was done, and why. */
function tellRowLost(): void {
  void showInformationMessage(
    vscode.l10n.t('Nothing was done because the sidebar was refreshing this row. Try again.'),
  );
}

/** Runs {@link reportDeleted}, loaded only after a failure. */
async function isToldGone(
  services: Services,
  command: string,
  given: readonly unknown[],
  error: unknown,
): Promise<boolean> {
  const { reportDeleted } = await import('./features/documents/deleteObjects.ts');
  // A sidebar shortcut has already selected its row.
  const isByKey = given[0] === byKey && command.startsWith('analytics.object.');
  const rows = isByKey ? selectedNodes(services) : given.map((one) => currentNodes(one, services.tree));
  return reportDeleted(services, rows, error);
}

/** Delete on a member's row removes the user from the group; the user is not deleted. */
function isMemberRow(argument: unknown): boolean {
  return isTreeNode(argument) && argument.kind === 'member';
}

/** Delete on a row of who holds a seat releases the seat. */
function isHolderRow(argument: unknown): boolean {
  return isTreeNode(argument) && argument.kind === 'holder';
}

/**
 * Registers every command; nothing else may. Commands throw their errors; they are shown here, once, with the server,
 * the object, the cause and a next step. Every wait for a server is cancellable.
 */
export function registerCommands(services: Services): vscode.Disposable {
  const run = async (id: RunId, given: readonly unknown[]): Promise<void> => {
    // Without its row, a command would ask for an object, or process fewer objects than were selected.
    if (isMissingRow(id, given)) return tellRowLost();
    try {
      const [argument, selection] = given.map((one) => currentNodes(one, services.tree));
      const work = () => commands[id](services, argument, selection);
      await withWaitNotice(async () =>
        isTreeNode(argument) ? withNextRow(serverRows(services), argument, async () => work()) : work(),
      );
    } catch (error) {
      if (await isToldGone(services, id, given, error)) return;
      // Not awaited: the command has ended, but the message stays until the user responds.
      void showCommandError(error, services.log, {
        retry: () => run(id, given),
        forServer: async (command, failure) => {
          const connectionId = connectionOf(failure, services);
          await vscode.commands.executeCommand(command, connectionId && { connectionId });
        },
      });
    }
  };
  // Takes no arguments: the editor drops the arguments of a row's command as soon as it redraws the row. The
  // selection identifies the row.
  const click = async (): Promise<void> => {
    const row = await selectedRow(services.view);
    const command = row && services.tree.commandOf(row);
    if (command && isRunId(command.command)) await run(command.command, command.arguments ?? []);
  };
  const registrations = Object.keys(commands)
    .filter(isRunId)
    .map((id) => vscode.commands.registerCommand(id, (...given: unknown[]) => run(id, given)));
  return vscode.Disposable.from(...registrations, vscode.commands.registerCommand(clickId, click));
}

function isRunId(id: string): id is RunId {
  return Object.hasOwn(commands, id);
}
