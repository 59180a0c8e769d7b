import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { BaseStore } from '../../src/features/documents/files/openDocuments.ts';
import { DocumentFileSystem } from '../../src/features/documents/files/documentFileSystem.ts';
import { documentUri } from '../../src/editor/documentUri.ts';
import { ExplicitSaves } from '../../src/features/documents/save/explicitSaves.ts';
import { FilesOnly } from '../../src/features/documents/files/filesOnly.ts';
import { SaveProblems } from '../../src/features/documents/save/saveProblems.ts';
import { hostFigure } from '../support/hostFigure.ts';
import { SharedState } from '../support/hostWindow.ts';
import { ObjectStub, stubKinds } from '../support/documents/objectStub.ts';

/** A scheme of its own, so that the extension's documents are left alone. */
const scheme = 'analytics-promises';

/** What the editor's own check compares, as another client's change would move it. */
const shown = { isNewer: false, moreBytes: 0 };

/** As if the user had asked for every write. */
class AskedSaves extends ExplicitSaves {
  override take(): boolean {
    return true;
  }
}

/** The documents, with a time and size of their files that a test decides about. */
class ChangingFiles extends FilesOnly implements vscode.FileSystemProvider {
  readonly #files: DocumentFileSystem;
  readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;

  constructor(files: DocumentFileSystem) {
    super();
    this.#files = files;
    this.onDidChangeFile = files.onDidChangeFile;
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const stat = await this.#files.stat(uri);
    return { ...stat, mtime: stat.mtime + (shown.isNewer ? 60_000 : 0), size: stat.size + shown.moreBytes };
  }

  readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return this.#files.readFile(uri);
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    return this.#files.writeFile(uri, content);
  }
}

describe('the promises about documents in the editor', () => {
  let server = new ObjectStub('policy');
  let questions = 0;
  let count = 0;
  let files: DocumentFileSystem;
  let registration: vscode.Disposable;
  const documentsOf = (saves: ExplicitSaves, problems: SaveProblems) =>
    new DocumentFileSystem({
      server: async () => server,
      saves,
      bases: new BaseStore(new SharedState()),
      askAboutRisk: async () => true,
      askToCreateAgain: async () => false,
      askAboutConflict: async () => {
        questions++;
        return undefined;
      },
      askSecret: () => async () => 's3cret',
      problems,
      onDidSave: () => undefined,
      onDidFind: () => undefined,
    });

  before(() => {
    const saves = new ExplicitSaves();
    const problems = new SaveProblems();
    files = documentsOf(saves, problems);
    const changing = new ChangingFiles(files);
    registration = vscode.Disposable.from(
      saves,
      problems,
      files,
      vscode.workspace.registerFileSystemProvider(scheme, changing, { isCaseSensitive: true }),
    );
  });
  afterEach(async () => {
    Object.assign(shown, { isNewer: false, moreBytes: 0 });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
  after(() => {
    registration.dispose();
  });

  const open = async (kind: string) => {
    server = new ObjectStub(kind);
    questions = 0;
    const id = stubKinds[kind]?.id ?? '';
    // A name of its own for each: nothing that the editor still holds of another one matters.
    const target = { connectionId: 'test', kind, id, name: `Object ${++count}` };
    const uri = documentUri(target, 'one').with({ scheme });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  };
  const replaceAll = async (document: vscode.TextDocument, text: string) => {
    const edit = new vscode.WorkspaceEdit();
    const whole = new vscode.Range(0, 0, document.lineCount, 0);
    edit.replace(document.uri, whole, text);
    assert.ok(await vscode.workspace.applyEdit(edit));
  };

  it('R1: sees every change that was made before the save, whatever its time and length', async function () {
    this.timeout(120_000);
    let byEditor = 0;
    let byUs = 0;
    for (const kind of Object.keys(stubKinds)) {
      for (const isNewer of [true, false]) {
        for (const isEqualLength of [true, false]) {
          const document = await open(kind);
          await replaceAll(document, document.getText().replace('"West"', '"Mine"'));
          const theirs = isEqualLength ? 'Hill' : 'Somewhere in the hills';
          server.change('"West"', `"${theirs}"`);
          Object.assign(shown, { isNewer, moreBytes: theirs.length - 'West'.length });
          await document.save();
          const what = `${kind}, ${isNewer ? 'newer' : 'same'} time, ${isEqualLength ? 'equal' : 'other'} length`;
          assert.equal(document.isDirty, true, what);
          assert.deepEqual(server.saves, [], what);
          if (questions > 0) byUs++;
          else byEditor++;
          await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
          Object.assign(shown, { isNewer: false, moreBytes: 0 });
        }
      }
    }
    const kinds = Object.keys(stubKinds).length;
    assert.equal(byUs + byEditor, kinds * 4);
    // The editor sees a newer time with another length, and refuses by itself; the other three classes are ours to see.
    assert.ok(byUs >= kinds * 3, `${byUs} of ${kinds * 4}`);
    hostFigure(
      'R1',
      `${kinds} kinds × 4 classes: ${byUs + byEditor} of ${kinds * 4} changes seen (${byEditor} by the editor first)`,
    );
  });

  it('R18: no half-typed text reaches a server, by auto-save or by hand', async function () {
    this.timeout(120_000);
    const document = await open('policy');
    await replaceAll(document, document.getText().replace('"West"', `"${'West of the river, '.repeat(60)}"`));
    const text = document.getText();
    assert.ok(text.length > 1000);
    // The editor gives auto-saving up after one failure, so the writes that it would make come from here.
    const problems = new SaveProblems();
    const asked = new AskedSaves();
    const byHand = documentsOf(asked, problems);
    const half = text.trimEnd();
    let writes = 0;
    for (let length = half.length - 1000; length < half.length; length++) {
      const prefix = Buffer.from(half.slice(0, length));
      await assert.rejects(files.writeFile(document.uri, prefix), /Changes are sent only when you choose Save/);
      await assert.rejects(byHand.writeFile(document.uri, prefix), /Nothing was sent/);
      writes += 2;
    }
    await assert.rejects(
      files.writeFile(document.uri, Buffer.from(text)),
      /Changes are sent only when you choose Save/,
    );
    assert.deepEqual(server.saves, []);
    assert.equal(document.isDirty, true);
    vscode.Disposable.from(byHand, problems, asked).dispose();
    await document.save();
    assert.equal(server.saves.length, 1);
    hostFigure('R18', `${writes} writes of 1,000 prefixes of a typed document: 0 reached the server`);
  });
});
