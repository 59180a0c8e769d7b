import * as vscode from 'vscode';
import type { StateStore } from '../connections/storedState.ts';

const steps = ['analytics.hasRunReport', 'analytics.hasSavedPolicy', 'analytics.hasShownSql'] as const;

let store: StateStore | undefined;

/**
 * Sets the context keys of the walkthrough's steps that were completed in earlier windows: VS Code watches them only once
 * its welcome page has been opened.
 */
export function restoreWalkthroughSteps(state: StateStore): void {
  store = state;
  for (const step of steps) if (state.get(step) === true) show(step);
}

/** Completes a step of the walkthrough, for later windows too. */
export function completeStep(step: (typeof steps)[number]): void {
  show(step);
  if (store && store.get(step) !== true) void store.update(step, true);
}

function show(step: string): void {
  void vscode.commands.executeCommand('setContext', step, true);
}
