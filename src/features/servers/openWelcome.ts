import * as vscode from 'vscode';

/** Set by the project's start script to start the embedded server and open its library. */
const variable = 'ANALYTICS_STUDIO_WELCOME';

/** Runs the start script's request, if the window was opened by it. */
export function openWelcome(): void {
  if (process.env[variable] === 'local') void vscode.commands.executeCommand('analytics.server.startLocal');
}
