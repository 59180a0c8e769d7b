import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { ClientError } from '../../src/client/clientError.ts';
import { BaseStore } from '../../src/features/documents/files/openDocuments.ts';
import { DocumentFileSystem } from '../../src/features/documents/files/documentFileSystem.ts';
import { documentUri } from '../../src/editor/documentUri.ts';
import { ExplicitSaves } from '../../src/features/documents/save/explicitSaves.ts';
import { SaveProblems } from '../../src/features/documents/save/saveProblems.ts';
import { inertText } from '../../src/editor/displayText.ts';
import { isJsonObject, parseExact, type JsonObject } from '../../src/objects/json.ts';
import type { ObjectServer } from '../../src/objects/objectServer.ts';
import type { ConflictOutcome } from '../../src/objects/save/saveObject.ts';
import type { ChooseSide } from '../../src/objects/merge/threeWayMerge.ts';

/** A scheme of its own, so that the extension's documents are left alone. */
const scheme = 'analytics-test';

describe('documents in the editor', () => {
  const kept = new Map<string, unknown>();
  let policies = new Map<string, JsonObject>();
  let saves: string[] = [];
  let questions: ConflictOutcome[] = [];
  let answer: ChooseSide | undefined;
  let count = 0;
  let id = '';
  let installation = 'one';
  let registration: vscode.Disposable;
  let files: DocumentFileSystem;
  let isUp = true;
  let calls = 0;
  /** What a save waits for before the server takes it. */
  let saving: Promise<void> = Promise.resolve();
  /** What the user does before a conflict is answered. */
  let meanwhile: () => Promise<void> = async () => undefined;
  let risks = 0;
  /** What the server says of a save. */
  let ErrorMessage: string | null = null;

  const server: ObjectServer = {
    name: 'Test',
    installation: async () => installation,
    call: async (path, body) => {
      calls++;
      if (!isUp) throw new ClientError('unreachable', 'Nothing listens there.', { server: 'Test' });
      if (path === 'Shield/GetAllShieldPolicies') return [...policies.values()];
      // What decides about rows: no users, no tags.
      if (path === 'Contact/GetContactList' || path === 'DataTag/GetAllDataTags') return [];
      if (path === 'AppSettings/GetAppSettings') return {};
      const sent = parseExact(JSON.stringify(body));
      if (path !== 'Shield/SaveShieldPolicy' || !isJsonObject(sent) || !isJsonObject(sent.policy))
        throw new Error(path);
      if (sent.policy.Name === 'refused') throw new Error('The name is refused.');
      saves.push(JSON.stringify(sent.policy));
      await saving;
      policies.set(id, { ...sent.policy, ModifiedDate: `save ${saves.length}` });
      return { ...sent.policy, ErrorMessage };
    },
  };

  before(() => {
    const saveReasons = new ExplicitSaves();
    const state: vscode.Memento = {
      keys: () => [...kept.keys()],
      get: <T>(key: string): T | undefined => kept.get(key) as T | undefined,
      update: async (key: string, value: unknown) => {
        if (value === undefined) kept.delete(key);
        else kept.set(key, value);
      },
    };
    const problems = new SaveProblems();
    files = new DocumentFileSystem({
      server: async () => server,
      saves: saveReasons,
      bases: new BaseStore(state),
      askAboutRisk: async () => {
        risks++;
        return true;
      },
      askToCreateAgain: async () => false,
      askAboutConflict: async (_uri, conflict) => {
        questions.push(conflict);
        await meanwhile();
        return answer;
      },
      askSecret: () => async () => undefined,
      problems,
      onDidSave: () => undefined,
      onDidFind: () => undefined,
    });
    registration = vscode.Disposable.from(
      saveReasons,
      problems,
      files,
      vscode.workspace.registerFileSystemProvider(scheme, files, { isCaseSensitive: true }),
    );
  });

  beforeEach(() => {
    // A new object for each test: nothing that the editor still holds of another one matters.
    id = String(++count);
    policies = new Map([
      [
        id,
        {
          ErrorCode: '0',
          id,
          Name: 'Tenants',
          Description: 'abc',
          ModifiedDate: 'd1',
          Constraints: [],
          Groups: [],
          Users: [],
          isActive: false,
        },
      ],
    ]);
    saves = [];
    questions = [];
    answer = undefined;
    installation = 'one';
    isUp = true;
    calls = 0;
    saving = Promise.resolve();
    meanwhile = async () => undefined;
    risks = 0;
    ErrorMessage = null;
  });

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
  after(() => {
    registration.dispose();
  });

  const addressOf = (name: string) =>
    documentUri({ connectionId: 'test', kind: 'policy', id, name }, 'one').with({ scheme });
  /** Does something as if a minute had gone by. */
  const later = async (work: () => Promise<void>) => {
    const { now } = Date;
    Date.now = () => now() + 60_000;
    try {
      await work();
    } finally {
      Date.now = now;
    }
  };
  const open = async () => {
    const uri = addressOf('Tenants');
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: false });
    return document;
  };
  const change = (fields: JsonObject) => policies.set(id, { ...policies.get(id), ...fields });
  const replace = async (document: vscode.TextDocument, from: string, to: string) => {
    const edit = new vscode.WorkspaceEdit();
    const start = document.getText().indexOf(from);
    assert.ok(start >= 0, `${from} is not in the document`);
    edit.replace(
      document.uri,
      new vscode.Range(document.positionAt(start), document.positionAt(start + from.length)),
      to,
    );
    assert.ok(await vscode.workspace.applyEdit(edit));
  };
  /** Saves as the user does; whether the document is clean afterwards. */
  const save = async (document: vscode.TextDocument) => {
    await document.save();
    return !document.isDirty;
  };

  it('opens an object as its editable view and saves an edit, which is read back', async () => {
    const document = await open();
    assert.equal(document.languageId, 'json');
    assert.ok(!document.getText().includes('ErrorCode'));
    await replace(document, '"Tenants"', '"Renamed"');
    assert.equal(await save(document), true);
    assert.equal(saves.length, 1);
    assert.match(saves[0] ?? '', /^\{"ErrorCode":"0","id":"\d+","Name":"Renamed"/);
    await shows(document, '"save 1"');
    // And once more: the base is what was read back.
    await replace(document, '"Renamed"', '"Again"');
    assert.equal(await save(document), true);
    assert.deepEqual(questions, []);
    assert.equal(policies.get(id)?.Name, 'Again');
  });

  it('keeps what the server says of a save visible at the document until the next save', async () => {
    const document = await open();
    const marks = () =>
      vscode.languages.getDiagnostics(document.uri).map(({ message, range }) => [message, range.start.line]);
    ErrorMessage = 'Description of 2 users ([x](command:y)) was set by the users themselves.';
    await replace(document, '"abc"', '"abcd"');
    assert.equal(await save(document), true);
    await shows(document, '"save 1"');
    const line = document.positionAt(document.getText().indexOf('"Description"')).line;
    // As words, not as a link that runs a command.
    assert.deepEqual(marks(), [[inertText(ErrorMessage), line]]);
    ErrorMessage = 'Success';
    await replace(document, '"abcd"', '"abcde"');
    assert.equal(marks().length, 1);
    assert.equal(await save(document), true);
    await shows(document, '"save 2"');
    assert.deepEqual(marks(), []);
  });

  it('joins a change of another field', async () => {
    const document = await open();
    await replace(document, '"Tenants"', '"Mine"');
    change({ isActive: true });
    assert.equal(await save(document), true);
    assert.equal(policies.get(id)?.Name, 'Mine');
    assert.equal(policies.get(id)?.isActive, true);
    await shows(document, '"isActive": true');
  });

  it('shows what the server has, whenever the editor looked at it without showing it', async () => {
    const uri = addressOf('Tenants');
    await vscode.workspace.fs.stat(uri);
    change({ Description: 'changed since' });
    await later(async () => assert.match((await open()).getText(), /"changed since"/));
    // Looked at again: nothing had changed.
    await files.catchUp(uri);
    change({ Description: 'changed again' });
    await later(async () => {
      await vscode.commands.executeCommand('workbench.action.files.revert');
      assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /"changed again"/);
    });
  });

  it('saves a text with the line ends of Windows', async () => {
    const document = await open();
    await vscode.window.activeTextEditor?.edit((edit) => edit.setEndOfLine(vscode.EndOfLine.CRLF));
    assert.ok(document.getText().includes('\r\n'));
    await replace(document, '"abc"', '"def"');
    assert.equal(await save(document), true);
    assert.equal(policies.get(id)?.Description, 'def');
    await shows(document, '"save 1"');
    await replace(document, '"def"', '"ghi"');
    assert.equal(await save(document), true);
    assert.equal(policies.get(id)?.Description, 'ghi');
    assert.deepEqual(questions, []);
  });

  for (const setting of [{ encoding: 'windows1252' }, { encoding: 'utf16le' }, { autoGuessEncoding: true }]) {
    it(`reads and sends every character where the editor is set to ${JSON.stringify(setting)}`, async () => {
      const files = vscode.workspace.getConfiguration('files');
      const [[name, value] = []] = Object.entries(setting);
      assert.ok(name !== undefined);
      change({ Description: 'Grün ☕' });
      await files.update(name, value, vscode.ConfigurationTarget.Global);
      try {
        const document = await open();
        await replace(document, '"Grün ☕"', '"Über ☕ allem"');
        assert.equal(await save(document), true);
        assert.equal(policies.get(id)?.Description, 'Über ☕ allem');
        await shows(document, '"save 1"');
        await replace(document, '"Über ☕ allem"', '"né"');
        assert.equal(await save(document), true);
        assert.equal(policies.get(id)?.Description, 'né');
      } finally {
        await files.update(name, undefined, vscode.ConfigurationTarget.Global);
      }
    });
  }

  it('sends nothing of a text in an encoding that cannot hold every character', async () => {
    const document = await open();
    await vscode.workspace.openTextDocument(document.uri, { encoding: 'windows1252' });
    await replace(document, '"abc"', '"für ☕"');
    assert.equal(await save(document), false);
    assert.deepEqual(saves, []);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.workspace.openTextDocument(document.uri, { encoding: 'utf8' });
    await replace(document, '"abc"', '"für ☕"');
    assert.equal(await save(document), true);
    assert.equal(policies.get(id)?.Description, 'für ☕');
  });

  it('saves what was undone back before earlier saves, though the server has dated them', async () => {
    const document = await open();
    const undoneTo = async (text: string) => {
      for (let step = 0; step < 4 && !document.getText().includes(text); step++) {
        await vscode.commands.executeCommand('undo');
      }
      assert.ok(document.getText().includes(text), document.getText());
    };
    for (const [from, to, date] of [
      ['"Tenants"', '"First"', '"save 1"'],
      ['"First"', '"Second"', '"save 2"'],
    ] as const) {
      await replace(document, from, to);
      assert.equal(await save(document), true);
      await shows(document, date);
    }
    await undoneTo('"Tenants"');
    assert.ok(document.getText().includes('"d1"'));
    assert.equal(await save(document), true);
    assert.equal(policies.get(id)?.Name, 'Tenants');
    await shows(document, '"save 3"');
    // Nobody undoes what somebody else changed without noticing it.
    change({ isActive: true });
    await replace(document, '"Tenants"', '"Third"');
    assert.equal(await save(document), true);
    await shows(document, '"isActive": true');
    await undoneTo('"Tenants"');
    assert.ok(document.getText().includes('"isActive": false'));
    assert.equal(await save(document), true);
    await shows(document, '"isActive": true');
    assert.deepEqual([policies.get(id)?.Name, policies.get(id)?.isActive], ['Tenants', true]);
    // What the user writes by hand is meant.
    await replace(document, '"isActive": true', '"isActive": false');
    assert.equal(await save(document), true);
    assert.equal(policies.get(id)?.isActive, false);
  });

  it('leaves what others changed where undo leads back before it was read', async () => {
    const document = await open();
    const readAgain = async (fields: JsonObject, sign: string) => {
      change(fields);
      await files.catchUp(document.uri);
      await shows(document, sign);
    };
    const undoneTo = async (text: string) => {
      await vscode.commands.executeCommand('undo');
      assert.ok(document.getText().includes(text), document.getText());
    };
    await replace(document, '"Tenants"', '"First"');
    assert.equal(await save(document), true);
    await shows(document, '"save 1"');
    await readAgain({ Description: 'theirs', Note: 'new', ModifiedDate: 'd2' }, '"theirs"');
    await readAgain({ isActive: true, ModifiedDate: 'd3' }, '"d3"');
    await undoneTo('"isActive": false');
    await undoneTo('"abc"');
    assert.ok(!document.getText().includes('"Note"'));
    await replace(document, '"First"', '"Mine"');
    assert.equal(await save(document), true);
    assert.deepEqual(questions, []);
    const { Name, Description, Note, isActive } = policies.get(id) ?? {};
    assert.deepEqual(
      { Name, Description, Note, isActive },
      { Name: 'Mine', Description: 'theirs', Note: 'new', isActive: true },
    );
    await shows(document, '"theirs"');
    // Written by hand it is meant, whatever else is undone afterwards.
    await replace(document, '"theirs"', '"abc"');
    await replace(document, '"Mine"', '"Other"');
    await undoneTo('"Mine"');
    assert.equal(await save(document), true);
    assert.equal(policies.get(id)?.Description, 'abc');
  });

  it('leaves the cursor at its field where what is read back has other lines before and behind it', async () => {
    const document = await open();
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document, document);
    await replace(document, '"Tenants"', '"Mine"');
    change({ Groups: [{ GroupId: '4', GroupName: 'North' }], isActive: true });
    const users = document.positionAt(document.getText().indexOf('Users'));
    editor.selection = new vscode.Selection(users, users);
    assert.equal(await save(document), true);
    await shows(document, '"isActive": true');
    // A step of the real cursor: it tells where that is.
    await vscode.commands.executeCommand('cursorRight');
    await until(() => {
      const { active } = editor.selection;
      return document.getText(new vscode.Range(active, active.translate(0, 4))) === 'sers';
    });
    assert.ok(editor.selection.active.line > users.line, 'No line came before it.');
  });

  // The editor's own check sees a change only by time and size; ours must see all four.
  for (const isNewer of [true, false]) {
    for (const isEqualLength of [true, false]) {
      it(`detects a change of the same field: ${isNewer ? 'newer' : 'same'} time, ${isEqualLength ? 'equal' : 'other'} length`, async () => {
        const document = await open();
        await replace(document, '"Tenants"', '"Mine"');
        change({ Name: isEqualLength ? 'TENANTS' : 'Somebody else', ...(isNewer && { ModifiedDate: 'd2' }) });
        const theirs = policies.get(id)?.Name;
        assert.equal(await save(document), false);
        assert.deepEqual(saves, []);
        await until(() => questions.length === 1);
        assert.deepEqual(
          questions[0]?.conflicts.map(({ path, mine }) => ({ path, mine })),
          [{ path: 'Name', mine: 'Mine' }],
        );
        assert.equal(policies.get(id)?.Name, theirs);
      });
    }
  }

  for (const side of ['mine', 'theirs'] as const) {
    it(`saves with ${side} once the user decides so`, async () => {
      answer = () => side;
      const document = await open();
      await replace(document, '"Tenants"', '"Mine"');
      await replace(document, '"abc"', '"mine too"');
      change({ Name: 'Theirs' });
      assert.equal(await save(document), false);
      await until(() => saves.length === 1 && !document.isDirty);
      assert.equal(policies.get(id)?.Name, side === 'mine' ? 'Mine' : 'Theirs');
      assert.equal(policies.get(id)?.Description, 'mine too');
      await shows(document, side === 'mine' ? '"Mine"' : '"Theirs"');
    });
  }

  it('asks before a risky change that was made while a conflict was asked about, and once only before one that was made earlier', async () => {
    change({ isActive: true });
    answer = () => 'mine';
    const document = await open();
    await replace(document, '"Tenants"', '"Mine"');
    change({ Name: 'Theirs' });
    meanwhile = () => replace(document, '"isActive": true', '"isActive": false');
    assert.equal(await save(document), false);
    await until(() => policies.get(id)?.isActive === false);
    assert.equal(risks, 1);
    await shows(document, '"isActive": false');
    meanwhile = async () => undefined;
    await replace(document, '"isActive": false', '"isActive": true');
    assert.equal(await save(document), true);
    await replace(document, '"isActive": true', '"isActive": false');
    await replace(document, '"Mine"', '"Mine again"');
    change({ Name: 'Theirs again' });
    assert.equal(await save(document), false);
    await until(() => policies.get(id)?.Name === 'Mine again');
    assert.equal(risks, 2);
  });

  for (const isDuring of [true, false]) {
    it(`saves what was typed ${isDuring ? 'during' : 'right after'} a save that joined others' changes`, async () => {
      const document = await open();
      await replace(document, '"Tenants"', '"Mine"');
      change({ Description: 'much longer than before' });
      let go: () => void = () => undefined;
      if (isDuring) saving = new Promise((resolve) => (go = resolve));
      const first = document.save();
      await until(() => saves.length === 1);
      if (!isDuring) await first;
      await replace(document, '"isActive": false', '"isActive": true');
      go();
      await first;
      // What it started from outlives a reload of the window from here on.
      await until(() => /Mine/.test(JSON.stringify([...kept.values()])));
      await document.save();
      await shows(document, '"much longer than before"');
      const { Name, Description, isActive } = policies.get(id) ?? {};
      assert.deepEqual([Name, Description, isActive], ['Mine', 'much longer than before', true]);
      assert.deepEqual(questions, []);
    });
  }

  it('shows what was read back once what was typed right after the save is undone', async () => {
    const document = await open();
    await replace(document, '"Tenants"', '"Mine"');
    change({ Description: 'much longer than before' });
    await document.save();
    await vscode.commands.executeCommand('type', { text: ' ' });
    await vscode.commands.executeCommand('undo');
    await shows(document, '"much longer than before"');
    assert.equal(saves.length, 1);
  });

  it('never sends invalid JSON or JSON that is no policy', async () => {
    const document = await open();
    await replace(document, '"Tenants"', '"Tenants');
    assert.equal(await save(document), false);
    await replace(document, '"Tenants', '12');
    assert.equal(await save(document), false);
    // Nor what documents leave out, which a save would send, or drop and call not taken.
    await replace(document, '12', '"Tenants", "ErrorMessage": "typed"');
    assert.equal(await save(document), false);
    assert.deepEqual(saves, []);
  });

  it('sends nothing to another installation that answers at the same address', async () => {
    const document = await open();
    await replace(document, '"Tenants"', '"Mine"');
    installation = 'two';
    assert.equal(await save(document), false);
    assert.deepEqual(saves, []);
    installation = 'one';
    assert.equal(await save(document), true);
    assert.equal(policies.get(id)?.Name, 'Mine');
  });

  it('is told to be gone by a server that answers, and asks one that does not but once', async () => {
    const document = await open();
    policies.set('other', { ...policies.get(id), id: 'other' });
    policies.delete(id);
    isUp = false;
    calls = 0;
    await assert.rejects(files.catchUp(document.uri));
    assert.equal(calls, 1);
    assert.deepEqual(vscode.languages.getDiagnostics(document.uri), []);
    isUp = true;
    await assert.rejects(files.catchUp(document.uri));
    const problems = vscode.languages.getDiagnostics(document.uri).map(({ message }) => message);
    assert.equal(problems.length, 1);
  });

  it('stays unsaved when the server refuses', async () => {
    const document = await open();
    await replace(document, '"Tenants"', '"refused"');
    assert.equal(await save(document), false);
    await replace(document, '"refused"', '"accepted"');
    assert.equal(await save(document), true);
    assert.equal(policies.get(id)?.Name, 'accepted');
  });

  it('sends nothing that the user did not save: auto-save and writes past the editor', async () => {
    const document = await open();
    const files = vscode.workspace.getConfiguration('files');
    let autoSaves = 0;
    const listener = vscode.workspace.onWillSaveTextDocument((event) => {
      if (event.reason !== vscode.TextDocumentSaveReason.Manual) autoSaves++;
    });
    try {
      await files.update('autoSaveDelay', 50, vscode.ConfigurationTarget.Global);
      await files.update('autoSave', 'afterDelay', vscode.ConfigurationTarget.Global);
      await replace(document, '"Tenants"', '"Half"');
      await until(() => autoSaves > 0);
      await assert.rejects(async () => vscode.workspace.fs.writeFile(document.uri, Buffer.from('{}')));
      assert.equal(document.isDirty, true);
      assert.deepEqual(saves, []);
    } finally {
      listener.dispose();
      await files.update('autoSave', undefined, vscode.ConfigurationTarget.Global);
      await files.update('autoSaveDelay', undefined, vscode.ConfigurationTarget.Global);
    }
    assert.equal(await save(document), true);
    assert.equal(policies.get(id)?.Name, 'Half');
  });

  it('keeps what unsaved changes started from, and lets go of it after the save', async () => {
    const document = await open();
    await replace(document, '"Tenants"', '"Mine"');
    await until(() => kept.size === 1);
    assert.match(JSON.stringify([...kept.values()]), /Tenants/);
    // Whoever reads the file now must not move the base.
    change({ Name: 'Theirs' });
    await vscode.workspace.fs.readFile(document.uri);
    assert.equal(await save(document), false);
    change({ Name: 'Tenants' });
    assert.equal(await save(document), true);
    await until(() => kept.size === 0);
  });
});

/** Waits until a condition holds; the test's own time limit ends the wait. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

async function shows(document: vscode.TextDocument, text: string): Promise<void> {
  await until(() => document.getText().includes(text) && !document.isDirty);
}
