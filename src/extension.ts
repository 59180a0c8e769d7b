import * as vscode from 'vscode';
import { showErrorMessage } from './editor/messages.ts';
import { restoreWalkthroughSteps } from './editor/walkthroughSteps.ts';
import { createTreeView } from './editor/treeView.ts';
import { showFailedBackups } from './features/backups/backupStatus.ts';
import { openWelcome } from './features/servers/openWelcome.ts';
import type { showUnseenForm } from './features/servers/unseenForms.ts';
import { showInterruptedImports } from './features/userImport/interruptedImports.ts';
import { registerCommands } from './registry.ts';
import { ConnectionStore } from './connections/connectionStore.ts';
import { keepContextKeys } from './features/servers/contextKeys.ts';
import { createLocalServer } from './features/servers/localServer/createLocalServer.ts';
import { countdownTimer, keepAliveTimer } from './features/servers/sessionTimers.ts';
import type { LocalServer } from './connections/localServer/localServer.ts';
import { Network } from './connections/network/network.ts';
import { requestLog } from './features/servers/requestLog.ts';
import { showSignInRequirements } from './features/servers/signInRequirements.ts';
import { SessionStatusBar } from './features/servers/sessionStatusBar.ts';
import { LazyLanguage } from './features/documents/language/lazyLanguage.ts';
import { ChangedDocuments, type ChangedDocument } from './features/documents/changedDocuments.ts';
import { runInBackground } from './editor/progress.ts';
import { UnknownWrites } from './connections/unknownWrites.ts';
import { LazyDocuments } from './features/documents/lazyDocuments.ts';
import type { AnalyticsStudioApi } from './features/reports/run/publishedApi.ts';
import { lazyReports, publishedApi } from './lazyReports.ts';
import { persistRuns } from './features/reports/history/runStore.ts';
import { RunHistory } from './features/reports/history/runHistory.ts';
import { AccountBadges } from './features/documents/accountBadges.ts';
import { ChangesTree } from './features/documents/changesTree.ts';
import { NodeDecorations, type ChangeState, type ObjectKey } from './features/sidebar/rows/nodeDecorations.ts';
import { RunsTree } from './features/reports/history/runsTree.ts';
import { throttledTree } from './features/sidebar/throttledTree.ts';
import { ServersTree } from './features/sidebar/serversTree.ts';
import { treeKindOf } from './editor/nodes/treeKind.ts';
import { treeDragAndDrop } from './features/sidebar/treeDragAndDrop.ts';
import * as l10n from './l10n/l10n.ts';

let runningServer: LocalServer | undefined;

/**
 * Creates the extension's services and connects its features. Everything that needs a server is loaded on first use.
 * @returns the API for other extensions.
 */
export function activate(context: vscode.ExtensionContext): AnalyticsStudioApi {
  l10n.config({ language: vscode.env.language, contents: vscode.l10n.bundle });
  const own = <T extends vscode.Disposable>(disposable: T): T => {
    context.subscriptions.push(disposable);
    return disposable;
  };
  const log = own(vscode.window.createOutputChannel(vscode.l10n.t('Analytics Studio'), { log: true }));
  const localServer = (runningServer = createLocalServer(context, log));
  const network = own(new Network({ state: context.globalState, secrets: context.secrets }));
  const unknownWrites = new UnknownWrites(vscode.Uri.joinPath(context.globalStorageUri, 'writes').fsPath);
  const connections = own(
    new ConnectionStore({
      state: context.globalState,
      secrets: context.secrets,
      folder: context.globalStorageUri.fsPath,
      localServer,
      network,
      unknownWrites,
      logger: requestLog(log),
      warn: (line) => log.warn(line),
      onUnseenForm: (connection, list) => runInBackground(tellUnseenForm(context.globalState, connection, list)),
      tellDamage: (words) => void showErrorMessage(words),
    }),
  );
  own(keepContextKeys(connections));
  restoreWalkthroughSteps(context.globalState);
  own(showSignInRequirements(connections));

  const showsScopes = () => vscode.workspace.getConfiguration('analytics').get('tree.folderScopes', true);
  const changes = own(new ChangedDocuments());
  const changeOf = (object: ObjectKey) => stateOf(changes.find(object));
  const tree = own(new ServersTree({ connections, localServer, showsScopes, changeOf }));
  const view = own(
    createTreeView('analytics.servers', {
      treeDataProvider: own(throttledTree(tree)),
      showCollapseAll: true,
      canSelectMany: true,
      dragAndDropController: treeDragAndDrop,
    }),
  );
  own(view.onDidCollapseElement(({ element }) => tree.folded(element, true)));
  own(view.onDidExpandElement(({ element }) => tree.folded(element, false)));
  const decorations = own(new NodeDecorations(changeOf, (object) => tree.drawn(object)));
  own(
    changes.onDidChange(() => {
      decorations.changed();
      tree.documentsChanged();
    }),
  );
  own(new AccountBadges(connections));
  const { view: changesView } = own(new ChangesTree(changes, (id) => connections.get(id)?.name ?? id));
  const runs = new RunHistory();
  const keptRuns = own(persistRuns(runs, context.workspaceState, (id) => connections.get(id) !== undefined));
  keptRuns.restored.catch((error: unknown) => log.error(`Earlier runs could not be brought back: ${String(error)}`));
  own(connections.onDidChange(() => keptRuns.serversChanged()));
  const { view: runsView } = own(new RunsTree(runs));
  const statusBar = own(new SessionStatusBar(connections));
  own(showFailedBackups(localServer, () => connections.local?.name ?? vscode.l10n.t('Local Server')));
  own(
    countdownTimer(() => {
      statusBar.update();
      if (view.visible) tree.updateCountdown();
    }),
  );
  own(keepAliveTimer(connections, log));

  const documents = own(
    new LazyDocuments({
      connections,
      state: context.workspaceState,
      onDidSave: ({ uri, target, isNew }) => {
        if (isNew && target.kind === 'report') reports.loaded()?.builder.created(uri, target.connectionId, target.id);
        const connection = connections.get(target.connectionId);
        const shown = treeKindOf(target.kind);
        if (connection && shown) runInBackground(tree.refreshObjects(connection, shown));
      },
    }),
  );
  const language = own(new LazyLanguage({ connections, baseOf: (uri) => documents.baseOf(uri) }));
  own(
    tree.onDidRefresh((refreshed) => {
      language.changed(refreshed);
      documents.changed(refreshed.connectionId, refreshed.kinds);
    }),
  );
  const reports = lazyReports(context, connections, runs, own);
  own(
    registerCommands({
      connections,
      localServer,
      network,
      unknownWrites,
      tree,
      view,
      changesView,
      runsView,
      log,
      context,
      changes,
      runs,
      reportRunner: async () => (await reports.load()).runner,
      runReport: async (target) => (await reports.load()).runner.run(target),
      runReports: async (targets) => (await reports.load()).runner.runTogether(targets),
      showSql: async (target) => (await reports.load()).sql.show(target),
      showCriteria: async (uri) => (await reports.load()).sql.showCriteria(uri),
      documents: () => documents.documents(),
      language: () => language.features(),
    }),
  );
  runInBackground(connections.restore());
  openWelcome();
  runInBackground(showEarlierWrites(unknownWrites, log));
  runInBackground(showInterruptedImports({ connections, context, log }));
  return publishedApi(connections);
}

async function tellUnseenForm(...given: Parameters<typeof showUnseenForm>): Promise<void> {
  const { showUnseenForm } = await import('./features/servers/unseenForms.ts');
  showUnseenForm(...given);
}

/** Loads what shows earlier writes of unknown outcome only if there are any, or if they cannot be read. */
async function showEarlierWrites(unknownWrites: UnknownWrites, log: vscode.LogOutputChannel): Promise<void> {
  const areNone = await unknownWrites.read().then(
    ({ writes, damaged }) => writes.length + damaged.length === 0,
    () => false,
  );
  if (areNone) return;
  const { showUnknownWrites } = await import('./features/servers/reviewUnknownWrites.ts');
  await showUnknownWrites({ unknownWrites, log });
}

/** Decoration state of an object's document; a new object has no tree node yet. */
function stateOf(change: ChangedDocument | undefined): ChangeState | undefined {
  return change === undefined || change.state === 'new' ? undefined : change.state;
}

/** Stops the local server before the window closes, if this window started it. */
export async function deactivate(): Promise<void> {
  await runningServer?.dispose();
}
