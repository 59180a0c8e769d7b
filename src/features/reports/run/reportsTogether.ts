import * as vscode from 'vscode';
import type { ReportTarget } from '../../../editor/commands/services.ts';
import type { PastRun, RunHistory } from '../history/runHistory.ts';

/** A panel that may ask for values. */
interface AskingPanel {
  readonly target: ReportTarget;
  readonly isAsking: boolean;
  /** Uses the values of another run. */
  fill(run: PastRun): Promise<void>;
  onDidDispose(listener: () => void): vscode.Disposable;
}

const half = { groups: [{}, {}] };
/** Editor groups for so many reports; more reports are tabs of these. */
const layouts: readonly object[] = [
  { groups: [{}] },
  { orientation: 0, groups: [{}, {}] },
  { orientation: 0, groups: [{}, half] },
  { orientation: 0, groups: [half, half] },
];

/** Arranges editor groups for `count` panels. @returns the number of groups. */
export async function arrangeEditors(count: number): Promise<number> {
  const groups = Math.max(1, Math.min(count, layouts.length));
  if (vscode.window.tabGroups.all.length < groups) {
    await vscode.commands.executeCommand('vscode.setEditorLayout', layouts[groups - 1]);
  }
  return groups;
}

/** Once one of these panels runs with the values that it asked for, uses them for those that still ask. */
export function shareValues(panels: readonly AskingPanel[], history: RunHistory): void {
  if (panels.length < 2) return;
  const known = new Set(history.runs.map(({ id }) => id));
  const open = new Set(panels);
  const follow = () => {
    const run = history.runs.find(({ id, target }) => !known.has(id) && panels.some((panel) => isOf(panel, target)));
    if (!run) return;
    ending.dispose();
    for (const panel of open) if (panel.isAsking && !isOf(panel, run.target)) void panel.fill(run);
  };
  const closed = (panel: AskingPanel) => {
    open.delete(panel);
    if (open.size < 2) ending.dispose();
  };
  const ending = vscode.Disposable.from(
    history.onDidChange(follow),
    ...panels.map((panel) => panel.onDidDispose(() => closed(panel))),
  );
}

function isOf({ target }: AskingPanel, { connectionId, reportId }: ReportTarget): boolean {
  return target.connectionId === connectionId && target.reportId === reportId;
}
