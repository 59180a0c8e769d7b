import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';

describe('the extension in its host', () => {
  it('runs in a VS Code that has what it needs', () => {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    assert.ok(
      major > 22 || (major === 22 && minor >= 15),
      `Node ${process.versions.node} lacks node:sqlite as we use it`,
    );
    const [, vscodeMinor = 0] = vscode.version.split('.').map(Number);
    assert.ok(vscodeMinor >= 123, `VS Code ${vscode.version} is older than the manifest allows`);
  });

  it('is present and activates', async () => {
    const extension = vscode.extensions.getExtension('analytics-studio.analytics-studio');
    assert.ok(extension, 'analytics-studio.analytics-studio is not installed');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('contributes the Servers view, which can be shown', async () => {
    await vscode.commands.executeCommand('analytics.servers.focus');
  });
});
