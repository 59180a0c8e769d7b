import * as vscode from 'vscode';
import type { LocalServer } from '../../connections/localServer/localServer.ts';
import { StatusBarEntry } from '../../editor/messages.ts';

/** Status bar item that is shown while the last automatic backup of the local server has failed; selecting it backs up. */
export function showFailedBackups(localServer: LocalServer, name: () => string): vscode.Disposable {
  const item = new StatusBarEntry('analytics.backup', vscode.l10n.t('Analytics Backup'), 'analytics.backup.create');
  const update = () => {
    const failed = localServer.failedBackup;
    if (!failed) {
      item.hide();
      return;
    }
    const at = new Date(failed.at).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
    const words = vscode.l10n.t('The automatic backup of {0} failed ({1}): {2}', name(), at, failed.reason);
    const text = vscode.l10n.t('Backup failed');
    const tooltip = `${words}\n${vscode.l10n.t('Select to back up now.')}`;
    item.show({ icon: 'warning', text, tooltip, spoken: words, isWarning: true });
  };
  const stop = localServer.onDidChange(update);
  update();
  return vscode.Disposable.from(item, { dispose: stop });
}
