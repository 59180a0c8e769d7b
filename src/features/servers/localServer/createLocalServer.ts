import path from 'node:path';
import * as vscode from 'vscode';
import { showWarningMessage } from '../../../editor/messages.ts';
import { LocalServer } from '../../../connections/localServer/localServer.ts';
import { LocalServerHome } from '../../../connections/localServer/localServerHome.ts';

/** Creates the embedded server of this machine, with its data in the extension's storage; does not start it. */
export function createLocalServer(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): LocalServer {
  const folder = vscode.Uri.joinPath(context.globalStorageUri, 'local-server');
  return new LocalServer({
    script: context.asAbsolutePath('dist/server.js'),
    home: new LocalServerHome(folder.fsPath, context.secrets),
    log: {
      info: (line) => log.info(`[local server] ${line}`),
      warn: (line) => log.warn(`[local server] ${line}`),
    },
    window: { release: releaseOf(context), editor: vscode.env.appName },
    databaseFolders: () => databaseFolders((ignored) => log.warn(`${ignored} is no absolute path of a folder.`)),
    allowsOldEngines: () => userSetting('allowOldEngines') === true,
    probe: async (url, signal) => {
      const { probeServer } = await import('../../../client/http/probe.ts');
      return probeServer(url, { signal });
    },
    onDidAbandonData: (abandoned) => {
      // In a browser, folders cannot be revealed: the log contains the path.
      tellAboutAbandonedData(abandoned).catch((error: unknown) => log.warn(`${abandoned}: ${String(error)}`));
    },
  });
}

function releaseOf(context: vscode.ExtensionContext): string {
  const { version } = context.extension.packageJSON as { version: string };
  return version;
}

/** A setting of the user; workspaces cannot override it. */
function userSetting(name: string): unknown {
  return vscode.workspace.getConfiguration('analytics.localServer').inspect(name)?.globalValue;
}

/** The user's setting. `ignore` receives entries that are not absolute paths. */
function databaseFolders(ignore: (entry: string) => void): string[] {
  const set = userSetting('databaseFolders');
  const entries: unknown[] = Array.isArray(set) ? set : [];
  return entries.filter((entry): entry is string => {
    if (typeof entry === 'string' && path.isAbsolute(entry)) return true;
    ignore(`analytics.localServer.databaseFolders: ${String(entry)}`);
    return false;
  });
}

/**
 * Not every environment persists secret storage; earlier data then cannot be opened, but is not deleted without asking.
 */
async function tellAboutAbandonedData(folder: string): Promise<void> {
  const show = vscode.l10n.t('Show Folder');
  const message = vscode.l10n.t(
    'The secret storage of VS Code no longer has the password for the earlier data of the local server, so the server started with new sample data. The earlier data still exists.',
  );
  if ((await showWarningMessage(message, show)) === show) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(folder));
  }
}
