import * as vscode from 'vscode';
import { showInformationMessage } from './editor/messages.ts';
import type { ClientError } from './client/clientError.ts';
import { addAccount } from './features/servers/addAccount.ts';
import { addServer } from './features/servers/addServer.ts';
import { asShownNow, selectedNodes } from './editor/nodes/chosenNodes.ts';
import { showCommandError } from './editor/commandError.ts';
import { byKey, onFocused } from './features/sidebar/focusedNode.ts';
import { isRowLost } from './features/sidebar/givenRows.ts';
import { openObject } from './editor/nodes/openObject.ts';
import { openReport } from './features/reports/run/openReport.ts';
import { refreshPlace, refreshTree } from './features/sidebar/refreshTree.ts';
import { removeServer } from './features/servers/removeServer.ts';
import { renameServer } from './features/servers/renameServer.ts';
import { buildReport, openReportJson } from './features/builder/reportEditors.ts';
import { reviewWrites } from './features/servers/reviewWrites.ts';
import { retryNode } from './features/sidebar/retryNode.ts';
import { runReport } from './features/reports/run/runReport.ts';
import type { Command } from './editor/commands/services.ts';
import type { DocumentServices } from './features/documents/documentServices.ts';
import type { RunServices } from './features/reports/history/pastRuns.ts';
import type { SqlServices } from './features/reports/sql/sqlPreview.ts';
import type { SidebarServices } from './features/sidebar/sidebarServices.ts';
import { isTreeNode } from './editor/nodes/treeNode.ts';
import { showLog } from './features/servers/showLog.ts';
import { showSql } from './features/reports/sql/showSql.ts';
import { signInServer } from './features/servers/signInServer.ts';
import { signOutServer } from './features/servers/signOutServer.ts';
import { startLocalServer } from './features/servers/localServer/startLocalServer.ts';
import { stopLocalServer } from './features/servers/localServer/stopLocalServer.ts';
import type { CommandId } from './editor/commands/commandIds.ts';
import { patiently } from './editor/patiently.ts';

/** What the commands of all features work with. */
type Services = SidebarServices & DocumentServices & RunServices & SqlServices;

const serversView = ({ view }: Services) => view;

const commands: Record<CommandId, Command<Services>> = {
  'analytics.server.add': addServer,
  'analytics.server.addAccount': addAccount,
  'analytics.server.startLocal': startLocalServer,
  'analytics.server.stopLocal': stopLocalServer,
  'analytics.server.signIn': signInServer,
  'analytics.server.signOut': signOutServer,
  'analytics.session.reloadPermissions': async (services, argument) =>
    (await import('./features/servers/accountSession.ts')).reloadPermissions(services, argument),
  'analytics.session.extend': async (services, argument) =>
    (await import('./features/servers/accountSession.ts')).extendSession(services, argument),
  'analytics.profile.edit': async (services, argument) =>
    (await import('./features/servers/accountSession.ts')).editProfile(services, argument),
  'analytics.profile.changePassword': async (services, argument) =>
    (await import('./features/servers/changePassword.ts')).changePassword(services, argument),
  'analytics.server.rename': renameServer,
  'analytics.server.remove': removeServer,
  'analytics.server.trustCertificate': async (services, argument) =>
    (await import('./features/servers/trustCertificate.ts')).trustCertificate(services, argument),
  'analytics.server.forgetCertificate': async (services, argument) =>
    (await import('./features/servers/trustCertificate.ts')).forgetCertificate(services, argument),
  'analytics.writes.review': reviewWrites,
  'analytics.network.setProxyAccount': async (services, argument) =>
    (await import('./features/servers/networkSecrets.ts')).setProxyAccount(services, argument),
  'analytics.network.setKeyPassphrase': async (services) =>
    (await import('./features/servers/networkSecrets.ts')).setKeyPassphrase(services),
  'analytics.browser.open': async (services, argument) =>
    (await import('./features/servers/openInBrowser.ts')).openInBrowser(services, argument),
  'analytics.tree.refresh': refreshTree,
  'analytics.tree.refreshRow': refreshPlace,
  'analytics.tree.retry': retryNode,
  'analytics.tree.filter': async (services) => (await import('./features/sidebar/filterTree.ts')).filterTree(services),
  'analytics.tree.clearFilter': async (services) =>
    (await import('./features/sidebar/filterTree.ts')).clearFilter(services),
  'analytics.tree.showMore': async (services, argument) =>
    (await import('./features/sidebar/showMore.ts')).showMore(services, argument),
  'analytics.tree.showAll': async (services, argument) =>
    (await import('./features/sidebar/showMore.ts')).showAll(services, argument),
  'analytics.tree.openRow': async (services) => (await import('./features/sidebar/openRow.ts')).openRow(services),
  'analytics.report.open': openReport,
  'analytics.object.find': async (services) => (await import('./features/sidebar/findObject.ts')).findObject(services),
  'analytics.report.run': runReport,
  'analytics.report.showSql': showSql,
  'analytics.sql.copy': async (services, argument) =>
    (await import('./features/reports/sql/sqlDocument.ts')).copySql(services, argument),
  'analytics.sql.showCriteria': async (services, argument) =>
    (await import('./features/reports/sql/sqlDocument.ts')).showCriteria(services, argument),
  'analytics.report.new': async (services, argument) =>
    (await import('./features/builder/newReport.ts')).newReport(services, argument),
  'analytics.report.build': buildReport,
  'analytics.report.openJson': openReportJson,
  'analytics.report.saveAs': async (services, argument) =>
    (await import('./features/builder/saveReportAs.ts')).saveReportAs(services, argument),
  'analytics.object.open': openObject,
  'analytics.object.new': async (services, argument) =>
    (await import('./features/documents/objectDocuments.ts')).newObject(services, argument),
  'analytics.object.clone': async (services, argument) =>
    (await import('./features/documents/objectDocuments.ts')).cloneObject(services, argument),
  'analytics.object.rename': onFocused(serversView, async (services, argument) => {
    if (isServerRow(argument)) return renameServer(services, argument);
    await (await import('./features/documents/objectDocuments.ts')).renameObject(services, argument);
  }),
  'analytics.report.describe': async (services, argument) =>
    (await import('./features/documents/objectDocuments.ts')).describeReport(services, argument),
  'analytics.reportType.addColumns': async (services, argument) =>
    (await import('./features/applications/addColumnsCommand.ts')).addColumns(services, argument),
  'analytics.object.delete': onFocused(serversView, async (services, ...given) => {
    if (isServerRow(given[0])) return removeServer(services, given[0]);
    if (isMemberRow(given[0]))
      return (await import('./features/security/groupMembers.ts')).removeFromGroup(services, ...given);
    await (await import('./features/documents/deleteObjects.ts')).deleteObjects(services, ...given);
  }),
  'analytics.object.compareWithServer': async (services, argument) =>
    (await import('./features/documents/objectDocuments.ts')).compareWithServer(services, argument),
  'analytics.object.reload': async (services, argument) =>
    (await import('./features/documents/objectDocuments.ts')).reloadObject(services, argument),
  'analytics.item.addFavourite': async (...given) =>
    (await import('./features/library/favouriteItem.ts')).addFavourite(...given),
  'analytics.item.removeFavourite': async (...given) =>
    (await import('./features/library/favouriteItem.ts')).removeFavourite(...given),
  'analytics.item.copyId': async (...given) => (await import('./features/sidebar/copyNode.ts')).copyId(...given),
  'analytics.item.copyName': async (...given) => (await import('./features/sidebar/copyNode.ts')).copyName(...given),
  'analytics.user.setPin': async (services, argument) =>
    (await import('./features/security/setPin.ts')).setPin(services, argument),
  'analytics.user.unlock': async (...given) => (await import('./features/security/unlockUser.ts')).unlockUser(...given),
  'analytics.user.import': async (services, argument) =>
    (await import('./features/userImport/importUsers.ts')).importUsers(services, argument),
  'analytics.tag.editValues': async (services, argument) =>
    (await import('./features/tagValues/commands.ts')).editTagValues(services, argument),
  'analytics.group.addMembers': async (...given) =>
    (await import('./features/security/groupMembers.ts')).addToGroup(...given),
  'analytics.group.removeMembers': async (...given) =>
    (await import('./features/security/groupMembers.ts')).removeFromGroup(...given),
  'analytics.policy.assign': async (...given) =>
    (await import('./features/security/assignPolicy.ts')).assignPolicy(...given),
  'analytics.policy.unassign': async (...given) =>
    (await import('./features/security/assignPolicy.ts')).unassignPolicy(...given),
  'analytics.policy.activate': async (...given) =>
    (await import('./features/security/assignPolicy.ts')).activatePolicy(...given),
  'analytics.policy.deactivate': async (...given) =>
    (await import('./features/security/assignPolicy.ts')).deactivatePolicy(...given),
  'analytics.tag.showPolicies': async (_services, argument) =>
    (await import('./features/security/showTagPolicies.ts')).showTagPolicies(argument),
  'analytics.field.findReports': async (services, argument) =>
    (await import('./features/documents/language/findReports.ts')).findReports(services, argument),
  'analytics.folder.setPermissions': async (services, argument) =>
    (await import('./features/library/folderPermissions.ts')).setFolderPermissions(services, argument),
  'analytics.item.move': async (...given) => (await import('./features/library/moveReport.ts')).moveReport(...given),
  'analytics.changes.save': async (services) =>
    (await import('./features/documents/saveChanges.ts')).saveChanges(services),
  'analytics.changes.saveRow': onFocused(
    ({ changesView }) => changesView,
    async (...given) => (await import('./features/documents/saveChanges.ts')).saveChosenChanges(...given),
  ),
  'analytics.changes.revert': onFocused(
    ({ changesView }) => changesView,
    async (...given) => (await import('./features/documents/saveChanges.ts')).revertChanges(...given),
  ),
  'analytics.run.openRow': async (services) =>
    (await import('./features/reports/history/pastRuns.ts')).openRun(services),
  'analytics.run.reveal': async (services, argument) =>
    (await import('./features/reports/history/pastRuns.ts')).revealRun(services, argument),
  'analytics.run.rerun': async (services, argument) =>
    (await import('./features/reports/history/pastRuns.ts')).rerun(services, argument),
  'analytics.run.cancel': async (...given) =>
    (await import('./features/reports/history/pastRuns.ts')).cancelRun(...given),
  'analytics.run.compare': async (...given) =>
    (await import('./features/reports/history/pastRuns.ts')).compareRuns(...given),
  'analytics.run.pin': async (...given) => (await import('./features/reports/history/pastRuns.ts')).pinRun(...given),
  'analytics.run.unpin': async (...given) =>
    (await import('./features/reports/history/pastRuns.ts')).unpinRun(...given),
  'analytics.run.remove': onFocused(
    ({ runsView }) => runsView,
    async (...given) => (await import('./features/reports/history/pastRuns.ts')).removeRun(...given),
  ),
  'analytics.application.new': async (services, argument) =>
    (await import('./features/applications/newApplication.ts')).newApplication(services, argument),
  'analytics.database.test': async (services, argument) =>
    (await import('./features/applications/testConnection.ts')).testConnection(services, argument),
  'analytics.object.changeSecret': async (services, argument) =>
    (await import('./features/administration/changeSecret.ts')).changeSecret(services, argument),
  'analytics.audit.choose': async (services, argument) =>
    (await import('./features/administration/auditTypes.ts')).chooseAuditTypes(services, argument),
  'analytics.licences.refresh': async (services, argument) =>
    (await import('./features/administration/licences.ts')).refreshLicences(services, argument),
  'analytics.installation.copyId': async (services, argument) =>
    (await import('./features/administration/licences.ts')).copyInstallationId(services, argument),
  'analytics.log.show': showLog,
};

/**
 * The saved connection whose call failed. Where only the server's name is known, the one of that name: of several the command asks
 * which is meant, rather than act on another.
 */
function connectionOf({ connectionId, server }: ClientError, { connections }: Services): string | undefined {
  if (connectionId !== undefined) return connections.get(connectionId)?.id;
  const [known, ...others] = connections.list().filter(({ name }) => name === server);
  return others.length === 0 ? known?.id : undefined;
}

/** The keys of the sidebar reach a server's own row, too: it is renamed in the list, or removed from it. */
function isServerRow(argument: unknown): boolean {
  return isTreeNode(argument) && argument.kind === 'server';
}

/** Says that nothing was done, and why. */
function tellRowLost(): void {
  void showInformationMessage(
    vscode.l10n.t('Nothing was done: the sidebar was just reading this row again. Choose it once more.'),
  );
}

/** See {@link tellGone}, which nobody needs as long as nothing fails. */
async function isToldGone(
  services: Services,
  command: string,
  given: readonly unknown[],
  error: unknown,
): Promise<boolean> {
  const { tellGone } = await import('./features/documents/tellGone.ts');
  // A key of the sidebar has selected the row that it was for.
  const isByKey = given[0] === byKey && command.startsWith('analytics.object.');
  const rows = isByKey ? selectedNodes(services) : given.map((one) => asShownNow(one, services.tree));
  return tellGone(services, rows, error);
}

/** Delete on a member's row takes the user out of the group; the user stays. */
function isMemberRow(argument: unknown): boolean {
  return isTreeNode(argument) && argument.kind === 'member';
}

/**
 * Registers every command; nothing else may. Commands throw what goes wrong; it is shown here, once, with the server, the
 * object, the cause and a way on. Whatever a command waits for on a server can be cancelled.
 */
export function registerCommands(services: Services): vscode.Disposable {
  const registrations = Object.entries(commands).map(([id, command]) => {
    const run = async (...given: unknown[]): Promise<void> => {
      // Without its row a command would ask what it is for, or do its work for fewer than were selected.
      if (isRowLost(id, given)) return tellRowLost();
      try {
        const [argument, selection] = given.map((one) => asShownNow(one, services.tree));
        await patiently(async () => command(services, argument, selection));
      } catch (error) {
        if (await isToldGone(services, id, given, error)) return;
        // Not awaited: the message stays until the user answers, and the command has ended.
        void showCommandError(error, services.log, {
          retry: () => run(...given),
          forServer: async (command, failure) => {
            const connectionId = connectionOf(failure, services);
            await vscode.commands.executeCommand(command, connectionId && { connectionId });
          },
        });
      }
    };
    return vscode.commands.registerCommand(id, run);
  });
  return vscode.Disposable.from(...registrations);
}
