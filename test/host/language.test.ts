import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { EndpointPath } from '../../src/contract/endpoints.ts';
import { LanguageFeatures } from '../../src/features/documents/language/languageFeatures.ts';
import type { LanguageConnection } from '../../src/features/documents/language/serverDirectory.ts';
import type { Call } from '../../src/objects/language/knownObjects.ts';
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
    const place = `/${name.split('.').at(-2)}/${texts.size + 1}/${name}`;
    texts.set(place, text);
    const uri = vscode.Uri.from({ scheme, authority: 'test', path: place });
    const document = await vscode.workspace.openTextDocument(uri);
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
    assert.equal(textOf(host?.documentation), 'Mail server host.');
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

describe('language help in the editor', function () {
  this.timeout(60_000);
  const texts = new Map<string, string>();
  const calls: string[] = [];
  const state = { kind: 'active' };
  /** Resolves when a held call is cancelled. */
  let hold: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
  let disposables: vscode.Disposable;
  let features: LanguageFeatures;

  const replies: Partial<Record<EndpointPath, unknown>> = {
    'Group/GetAllSecurityGroups': [
      { GroupId: '16', GroupName: 'North [x](command:evil)', GroupDescription: 'Tenant', Membership: [] },
      { GroupId: '17', GroupName: 'South', Membership: [] },
    ],
    'Contact/GetContactList': [{ ID: '5', LoginName: 'ada', FullName: 'Ada Lovelace' }],
    'DataTag/GetAllDataTags': [{ ID: '3', Label: 'state', DefaultValue: 'CA', SecurityGroups: [], Contacts: [] }],
    'Shield/GetAllShieldPolicies': [
      { id: '1', Name: 'Own States', isActive: true, Groups: [{ GroupId: '16' }], Constraints: [{ V: '/#state#/' }] },
    ],
  };
  const call = async (path: EndpointPath, _body: object, options: { signal?: AbortSignal } = {}) => {
    calls.push(path);
    await hold?.(options.signal);
    return replies[path];
  };
  const connection: LanguageConnection = {
    id: 'test',
    name: 'Test',
    kind: 'remote',
    state,
    client: async () => ({ call: call as Call }),
  };

  before(() => {
    features = new LanguageFeatures({
      scheme,
      baseOf: () => undefined,
      connection: (id) => (id === 'test' ? connection : undefined),
    });
    disposables = vscode.Disposable.from(
      features,
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        provideTextDocumentContent: (uri) => texts.get(uri.path) ?? '',
      }),
    );
  });
  after(() => {
    disposables.dispose();
  });
  beforeEach(() => {
    calls.length = 0;
    state.kind = 'active';
    hold = undefined;
    features.model.clear('test');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const open = async (view: object, kind = 'policy', id = '1') => {
    const place = `/${kind}/${id}/Help ${texts.size + 1}.${kind}.json`;
    texts.set(place, JSON.stringify(view, undefined, 2));
    const uri = vscode.Uri.from({ scheme, authority: 'test', path: place });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    return document;
  };
  const at = (document: vscode.TextDocument, word: string) => document.positionAt(document.getText().indexOf(word) + 1);
  const own = (document: vscode.TextDocument) =>
    vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'Analytics');
  const policy = {
    id: '1',
    Name: 'Own States',
    Constraints: [{ V: '/#sate#/' }],
    Groups: [{ GroupId: '16' }, { GroupId: '99' }],
    Users: [{ ID: '5' }],
    isActive: true,
  };

  it('marks problems and repairs them with a quick fix', async () => {
    const document = await open(policy);
    const marks = await waitFor('problems', async () => own(document).length === 2 && own(document));
    assert.deepEqual(marks.map(({ code }) => code).sort(), ['danglingId', 'unknownTag']);
    const [tag] = marks.filter(({ code }) => code === 'unknownTag');
    assert.ok(tag);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      tag.range,
      vscode.CodeActionKind.QuickFix.value,
    );
    const fix = actions.find(({ title }) => title === 'Change to /#state#/');
    assert.ok(fix?.edit, actions.map(({ title }) => title).join());
    assert.ok(await vscode.workspace.applyEdit(fix.edit));
    await waitFor('the problem to go', async () => own(document).length === 1);
    assert.match(document.getText(), /\/#state#\//);
    // One call for each list, however often the document was looked at.
    assert.deepEqual(calls.sort(), [...new Set(calls)].sort());
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('names ids beside them, on hover and as links, with text of the server as plain text', async () => {
    const document = await open(policy);
    await waitFor('names', async () => own(document).length === 2);
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    const hints = await vscode.commands.executeCommand<vscode.InlayHint[]>(
      'vscode.executeInlayHintProvider',
      document.uri,
      whole,
    );
    assert.deepEqual(
      hints.map(({ label }) => label),
      // A thin space keeps the words and leaves no link.
      ['North [x]\u2009(command:evil)', 'ada'],
    );
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      at(document, '"16"'),
    );
    const words = hovers.flatMap(({ contents }) => contents.map(textOf)).join('\n');
    assert.match(words, /North/);
    assert.match(words, /Tenant/);
    assert.doesNotMatch(words, /\[x\]\(command:evil\)/);
    const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
      'vscode.executeLinkProvider',
      document.uri,
    );
    const targets = links.map(({ target }) => decodeURIComponent(target?.query ?? ''));
    assert.equal(targets.length, 3);
    assert.deepEqual(JSON.parse(targets[2] ?? ''), [{ connectionId: 'test', kind: 'user', id: '5', name: 'ada' }]);
  });

  it('completes ids and tags', async () => {
    const document = await open({ Groups: [{ GroupId: '' }], Constraints: [{ V: '/#' }], Users: [] }, 'policy', '2');
    const position = at(document, '""');
    const items = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      position,
    );
    const south = items.items.find(({ label }) => labelOf(label) === 'South');
    // The quotes stay: what follows them is outside the tab stop of a snippet.
    const range = south?.range instanceof vscode.Range ? south.range : south?.range?.replacing;
    assert.deepEqual([south?.insertText, range && document.getText(range)], ['17', '']);
    const around = range && new vscode.Range(range.start.translate(0, -1), range.end.translate(0, 1));
    assert.equal(document.getText(around), '""');
    const tags = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      at(document, '/#').translate(0, 1),
    );
    assert.ok(tags.items.some(({ label }) => labelOf(label) === '/#state#/'));
  });

  it('shows what a policy and a tag do, above their names', async () => {
    const lenses = async (document: vscode.TextDocument) => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        document.uri,
      );
      return found.map(({ command }) => command?.title);
    };
    assert.deepEqual(await lenses(await open(policy)), ['Deactivate', 'Assigned to 1 group']);
    assert.deepEqual(await lenses(await open({ ID: '3', Label: 'state' }, 'tag', '3')), ['Used by 1 policy']);
    assert.deepEqual(await lenses(await open({ GroupId: '16' }, 'group', '16')), []);
  });

  it('asks a server nothing while nobody is signed in, and again once what it holds has changed', async () => {
    state.kind = 'expired';
    const document = await open(policy);
    await vscode.commands.executeCommand('vscode.executeHoverProvider', document.uri, at(document, '"16"'));
    assert.deepEqual(calls, []);
    state.kind = 'active';
    features.model.clear('test');
    await waitFor('the lists', async () => own(document).length === 2);
    const groups = () => calls.filter((path) => path === 'Group/GetAllSecurityGroups').length;
    assert.equal(groups(), 1);
    features.changed({ connectionId: 'test', kinds: ['tag'] });
    features.changed({ connectionId: 'test', kinds: ['group'] });
    await waitFor('the list to be read again', async () => groups() === 2);
  });

  it('cancels what nobody waits for any more', async () => {
    let cancelled = 0;
    hold = (signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => {
          cancelled++;
          reject(new Error('cancelled'));
        });
      });
    await open(policy);
    await waitFor('calls', async () => calls.length > 0);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await waitFor('the calls to end', async () => cancelled === calls.length);
  });

  it('leaves files on disk to what the text itself says', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'analytics-language-'));
    try {
      const file = path.join(folder, 'Draft.server.json');
      await writeFile(file, '{ "DisplayName": "W", "DatabasePassword": "hunter2" }');
      const document = await vscode.workspace.openTextDocument(file);
      await vscode.window.showTextDocument(document);
      const marks = await waitFor('the problem', async () => own(document).length > 0 && own(document));
      assert.ok(marks.every(({ code }) => code === 'secretInText'));
      assert.deepEqual(calls, []);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await rm(folder, { recursive: true });
    }
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
