import * as vscode from 'vscode';
import { inertOrNone } from './inertText.ts';

type Step = Parameters<vscode.Progress<{ message?: string; increment?: number }>['report']>[0];

/** Shows that work is under way, and how far it came. */
export function withProgress<T>(
  options: vscode.ProgressOptions,
  work: (progress: vscode.Progress<Step>, token: vscode.CancellationToken) => Thenable<T>,
): Thenable<T> {
  const shown = { ...options, title: inertOrNone(options.title) };
  return vscode.window.withProgress(shown, (progress, token) =>
    work({ report: (step) => progress.report({ ...step, message: inertOrNone(step.message) }) }, token),
  );
}
