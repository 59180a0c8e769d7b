import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { activeRow } from '../../src/editor/pickers/pickItem.ts';

/** The next time that something happens. */
const next = <T>(event: vscode.Event<T>): Promise<T> =>
  new Promise((resolve) => {
    const subscription = event((value) => {
      subscription.dispose();
      resolve(value);
    });
  });

describe('a list that changes while it is open', () => {
  it('gives the row that was accepted, while its next rows are on their way to the window', async () => {
    const pick = vscode.window.createQuickPick();
    const [first, second, third] = ['first', 'second', 'third'].map((label) => ({ label, alwaysShow: true }));
    assert(first && second && third);
    try {
      pick.items = [first, second];
      const isShown = next(pick.onDidChangeActive);
      pick.show();
      await isShown;
      const isMoved = next(pick.onDidChangeActive);
      await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
      await isMoved;
      assert.equal(pick.activeItems[0], second);
      const isAccepted = next(pick.onDidAccept);
      const accepting = vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      // The window hears of these after the key.
      pick.items = [third];
      await Promise.all([isAccepted, accepting]);
      assert.equal(activeRow(pick), second);
    } finally {
      pick.dispose();
    }
  });
});
