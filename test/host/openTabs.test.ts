import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { documentInFront, showDocument, tabsOf } from '../../src/editor/openTabs.ts';

describe('a document in an editor of its own', () => {
  let folder = '';
  let uri: vscode.Uri;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'open-tabs-'));
    const file = path.join(folder, 'Delays.report.json');
    await writeFile(file, JSON.stringify({ Reportname: 'Delays', FieldList: [] }));
    uri = vscode.Uri.file(file);
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  it('is the one in front, and comes back there as it was', async () => {
    await vscode.commands.executeCommand('vscode.openWith', uri, 'analytics.builder');
    assert.equal(documentInFront()?.toString(), uri.toString());
    const other = await vscode.workspace.openTextDocument({ content: 'other' });
    await vscode.window.showTextDocument(other);
    assert.equal(documentInFront()?.toString(), other.uri.toString());

    await showDocument(uri);
    assert.equal(documentInFront()?.toString(), uri.toString());
    assert.deepEqual(
      tabsOf(uri).map(({ input }) => input instanceof vscode.TabInputCustom && input.viewType),
      ['analytics.builder'],
    );
  });
});
