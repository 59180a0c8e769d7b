import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { waitFor } from '../support/waitFor.ts';

/** A scheme of its own, with text that no server gave. */
const scheme = 'analytics-language';

describe('JSON schemas in the editor', function () {
  this.timeout(60_000);
  const texts = new Map<string, string>();
  let registration: vscode.Disposable;

  before(() => {
    registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: (uri) => texts.get(uri.path) ?? '',
    });
  });
  after(() => {
    registration.dispose();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const open = async (name: string, text: string) => {
    const path = `/${name.split('.').at(-2)}/${texts.size + 1}/${name}`;
    texts.set(path, text);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme, authority: 'test', path }));
    await vscode.window.showTextDocument(document);
    return document;
  };

  it('are applied by the JSON language server whatever the scheme: types are checked', async () => {
    const document = await open('Tenants.policy.json', '{ "Name": 12, "isActive": "yes", "Mine": 1 }');
    const problems = await waitFor('problems', async () => {
      const found = vscode.languages.getDiagnostics(document.uri);
      return found.length >= 2 && found;
    });
    assert.deepEqual(
      problems.map(({ range, message }) => [range.start.character, message.slice(0, 14)]),
      [
        [10, 'Incorrect type'],
        [26, 'Incorrect type'],
      ],
    );
  });

  it('complete fields and known values with what they mean', async () => {
    const document = await open('Mail.smtp.json', '{ "SMTPEnableSSL": "" , "" }');
    const values = await completions(document, 20);
    assert.deepEqual(
      values
        .filter(({ label }) => /True|False/.test(labelOf(label)))
        .map(({ label }) => labelOf(label))
        .sort(),
      ['"False"', '"True"'],
    );
    const fields = await completions(document, 25);
    const host = fields.find(({ label }) => labelOf(label) === 'SMTPHost');
    assert.equal(textOf(host?.documentation), 'Host that takes the mail.');
    assert.ok(!fields.some(({ label }) => labelOf(label) === 'SMTPPassword'));
  });

  it('explain a field on hover, and offer a new object in an empty file', async () => {
    const document = await open('Label.tag.json', '{ "Label": "state" }');
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(0, 5),
    );
    const words = hovers.flatMap(({ contents }) => contents.map(textOf)).join('\n');
    assert.match(words, /Name that constraints use/);
    const empty = await open('New.tag.json', '');
    const offered = (await completions(empty, 0)).map(({ label }) => labelOf(label));
    assert.ok(offered.includes('New data tag'), offered.join());
  });
});

async function completions(document: vscode.TextDocument, offset: number): Promise<vscode.CompletionItem[]> {
  return waitFor('completions', async () => {
    const list = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      document.positionAt(offset),
    );
    return list.items.some(({ kind }) => kind !== vscode.CompletionItemKind.Text) && list.items;
  });
}

function labelOf(label: string | vscode.CompletionItemLabel): string {
  return typeof label === 'string' ? label : label.label;
}

function textOf(words: vscode.MarkdownString | vscode.MarkedString | string | undefined): string {
  if (words === undefined || typeof words === 'string') return words ?? '';
  return words.value;
}
