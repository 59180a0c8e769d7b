import * as vscode from 'vscode';

/** Set by the project's start script: opens the window with the embedded server running and its library on display. */
const variable = 'ANALYTICS_STUDIO_WELCOME';

/** Does what the start script asks for, if the window was opened by it. */
export function openWelcome(): void {
  if (process.env[variable] === 'local') void vscode.commands.executeCommand('analytics.server.startLocal');
}
