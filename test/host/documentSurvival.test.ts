import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { BaseStore } from '../../src/features/documents/files/openDocuments.ts';
import { DocumentFileSystem } from '../../src/features/documents/files/documentFileSystem.ts';
import { documentText } from '../../src/features/documents/files/documentText.ts';
import { documentUri } from '../../src/editor/documentUri.ts';
import { ExplicitSaves } from '../../src/features/documents/save/explicitSaves.ts';
import { SaveProblems } from '../../src/features/documents/save/saveProblems.ts';
import type { Json } from '../../src/objects/json.ts';
import type { ObjectServer } from '../../src/objects/objectServer.ts';
import { hostFigure } from '../support/hostFigure.ts';
import { isFull } from '../support/run/soakSize.ts';
import { ObjectStub } from '../support/documents/objectStub.ts';

/** A scheme of its own, so that the extension's documents are left alone. */
const scheme = 'analytics-survival';

/** When the extension host dies: after some keystrokes, or before or after the server has done one of a save's calls. */
interface KillPoint {
  readonly keystrokes: number;
  readonly call?: { readonly number: number; readonly isDone: boolean };
  /** Whether what the document started from was on disk by then. */
  readonly isFlushed: boolean;
  /** Whether somebody else changes the same field afterwards. */
  readonly isChanged: boolean;
}

const whileTyping = Array.from({ length: 32 }, (_, index) => ({
  keystrokes: index + 1,
  isFlushed: index % 4 !== 3,
  isChanged: index % 3 === 0,
}));
/** A save asks for the installation, then reads, saves and reads back. */
const whileSaving = [1, 2, 3].flatMap((number) =>
  [false, true].flatMap((isDone) =>
    [true, false].map((isChanged) => ({ keystrokes: 5, call: { number, isDone }, isFlushed: true, isChanged })),
  ),
);
const whileAsked = Array.from({ length: 6 }, (_, index) => ({
  keystrokes: 3,
  call: { number: 0, isDone: false },
  isFlushed: true,
  isChanged: index % 2 === 0,
}));
const killPoints: readonly KillPoint[] = [...whileTyping, ...whileSaving, ...whileAsked];

/** A server whose connection breaks for good at one call. */
class DyingServer implements ObjectServer {
  readonly name = 'Test';
  readonly #server: ObjectStub;
  readonly #death: KillPoint['call'];
  #calls = 0;

  constructor(server: ObjectStub, death?: KillPoint['call']) {
    this.#server = server;
    this.#death = death;
  }

  async installation(): Promise<string> {
    if (this.#death?.number === 0) throw new Error('The extension host is gone.');
    return this.#server.installation();
  }

  async call(path: string, body: object): Promise<Json> {
    if (this.#calls === Number.POSITIVE_INFINITY) throw new Error('The extension host is gone.');
    const isDeath = this.#death !== undefined && ++this.#calls === this.#death.number;
    if (isDeath) this.#calls = Number.POSITIVE_INFINITY;
    const reply = !isDeath || this.#death.isDone ? await this.#server.call(path, body) : '';
    if (isDeath) throw new Error('The extension host is gone.');
    return reply;
  }
}

/** The documents room of one extension host. Only what it had flushed to disk outlives it. */
class Life {
  readonly #disk: Map<string, unknown>;
  readonly #held: Map<string, unknown>;
  readonly #parts: vscode.Disposable;
  questions = 0;

  constructor(server: ObjectServer, disk: Map<string, unknown>, isFlushed: boolean) {
    this.#disk = disk;
    this.#held = new Map(disk);
    const set = (map: Map<string, unknown>, key: string, value: unknown) =>
      void (value === undefined ? map.delete(key) : map.set(key, value));
    const state: vscode.Memento = {
      keys: () => [...this.#held.keys()],
      get: <T>(key: string): T | undefined => this.#held.get(key) as T | undefined,
      update: async (key: string, value: unknown) => {
        set(this.#held, key, value);
        if (isFlushed) set(this.#disk, key, value);
      },
    };
    const saves = new ExplicitSaves();
    const problems = new SaveProblems();
    const files = new DocumentFileSystem({
      server: async () => server,
      saves,
      bases: new BaseStore(state),
      askAboutRisk: async () => true,
      askToCreateAgain: async () => false,
      askAboutConflict: async () => {
        this.questions++;
        return () => 'mine';
      },
      askSecret: () => async () => undefined,
      problems,
      onDidSave: () => undefined,
      onDidFind: () => undefined,
    });
    const registration = vscode.workspace.registerFileSystemProvider(scheme, files, { isCaseSensitive: true });
    this.#parts = vscode.Disposable.from(registration, files, problems, saves);
  }

  end(): void {
    this.#parts.dispose();
  }
}

describe('documents that outlive the extension host', () => {
  const lives: Life[] = [];
  let count = 0;
  const begin = (...given: ConstructorParameters<typeof Life>) => {
    lives.at(-1)?.end();
    const life = new Life(...given);
    lives.push(life);
    return life;
  };
  afterEach(() => vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor'));
  after(() => lives.at(-1)?.end());

  const nextUri = () =>
    documentUri({ connectionId: 'test', kind: 'policy', id: '7', name: `Object ${++count}` }, 'one').with({ scheme });
  const open = async () => {
    const document = await vscode.workspace.openTextDocument(nextUri());
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  };
  const type = async (document: vscode.TextDocument, keystrokes: number) => {
    for (let typed = 0; typed < keystrokes; typed++) {
      const edit = new vscode.WorkspaceEdit();
      const end = document.getText().indexOf('"West') + '"West'.length + typed;
      edit.insert(document.uri, document.positionAt(end), 'x');
      assert.ok(await vscode.workspace.applyEdit(edit));
    }
  };

  it('R17: at any kill point, the text is there, and the first save still sees what others changed', async function () {
    this.timeout(180_000);
    assert.equal(killPoints.length, 50);
    const tried = isFull ? killPoints : killPoints.filter((_point, index) => index % 3 !== 1);
    let asked = 0;
    let joined = 0;
    for (const { keystrokes, call, isFlushed, isChanged } of tried) {
      const what = JSON.stringify({ keystrokes, call, isFlushed, isChanged });
      const server = new ObjectStub('policy');
      const disk = new Map<string, unknown>();
      begin(new DyingServer(server), disk, isFlushed);
      const document = await open();
      await type(document, keystrokes);
      const text = document.getText();
      const mine = `West${'x'.repeat(keystrokes)}`;
      if (call) {
        begin(new DyingServer(server, call), disk, isFlushed);
        assert.equal(await document.save(), false, what);
      }
      const sentBefore = server.saves.length;
      const held = sentBefore > 0 ? mine : 'West';
      if (isChanged) server.change(`"${held}"`, `"${'Hill'.padEnd(held.length, 'l')}"`);

      const life = begin(new DyingServer(server), disk, true);
      assert.equal(document.getText(), text, what);
      assert.equal(document.isDirty, true, what);
      await document.save();
      await until(() => !document.isDirty);
      // Whoever changed the same field is asked about; so is everything once nobody knows what the text started from.
      assert.equal(life.questions, isChanged || !isFlushed ? 1 : 0, what);
      // What arrived before the end is not sent again.
      const isSent = isChanged || sentBefore === 0;
      assert.equal(server.saves.length, sentBefore + (isSent ? 1 : 0), what);
      assert.equal(server.saves.at(-1)?.Description, mine, what);
      if (life.questions > 0) asked++;
      else joined++;
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    }
    hostFigure(
      'R17',
      `${asked + joined} of ${tried.length} kill points restored: ${asked} saves asked first, ${joined} went through`,
    );
  });

  it('keeps what changes started from when the document gets another language', async () => {
    const server = new ObjectStub('policy');
    const life = begin(new DyingServer(server), new Map(), true);
    const document = await open();
    await type(document, 3);
    await vscode.languages.setTextDocumentLanguage(document, 'plaintext');
    server.change('"West"', '"Hill"');
    await document.save();
    await until(() => !document.isDirty);
    assert.equal(life.questions, 1);
  });

  it('shows the server, not what was kept, for a document without unsaved changes', async () => {
    const server = new ObjectStub('policy');
    server.change('"West"', '"Hill"');
    const uri = nextUri();
    const text = documentText({ id: '7', Name: 'Tenants', Description: 'West' });
    const kept = { text, mtime: 1, size: text.length };
    const disk = new Map<string, unknown>([[`analytics.base ${uri.toString()}`, kept]]);
    begin(new DyingServer(server), disk, true);
    const document = await vscode.workspace.openTextDocument(uri);
    assert.match(document.getText(), /"Hill"/);
    await until(() => disk.size === 0);
  });
});

/** Waits until a condition holds; the test's own time limit ends the wait. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}
