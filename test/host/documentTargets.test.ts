import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { BaseStore } from '../../src/documents/baseStore.ts';
import { DocumentFileSystem } from '../../src/documents/documentFileSystem.ts';
import { Documents } from '../../src/documents/documents.ts';
import { documentTarget, documentUri } from '../../src/documents/documentUri.ts';
import { ExplicitSaves } from '../../src/documents/explicitSaves.ts';
import { SaveProblems } from '../../src/documents/saveProblems.ts';
import { ServerStates } from '../../src/documents/serverStates.ts';
import { parseExact, isJsonObject, type Json } from '../../src/objects/json.ts';
import type { ObjectServer } from '../../src/objects/objectServer.ts';
import { hostFigure } from '../support/hostFigure.ts';
import { SharedState } from '../support/hostWindow.ts';

type Name = 'one' | 'two';

/** An installation that holds one data tag, under the same id as the other one does. */
class Installation implements ObjectServer {
  readonly name = 'Test';
  readonly writes: string[] = [];
  readonly #id: Name;
  #tag: Json;
  #isDeleted = false;

  constructor(id: Name) {
    this.#id = id;
    this.#tag = { ID: '7', Label: 'state', DefaultValue: '', SecurityGroups: [], Contacts: [] };
  }

  async installation(): Promise<string> {
    return this.#id;
  }

  /** Has the data tag again, after it was deleted. */
  putBack(): void {
    this.#isDeleted = false;
  }

  async call(path: string, body: object): Promise<Json> {
    if (path === 'DataTag/GetAllDataTags') return this.#isDeleted ? [] : [this.#tag];
    this.writes.push(path);
    const sent = parseExact(JSON.stringify(body));
    if (!isJsonObject(sent) || !sent.datatag) throw new Error(`Unexpected call of ${path}`);
    if (path === 'DataTag/SaveDataTag') this.#tag = sent.datatag;
    this.#isDeleted = path === 'DataTag/DeleteDataTag';
    return sent.datatag;
  }
}

/** As if the user had asked for every write. */
class AskedSaves extends ExplicitSaves {
  override take(): boolean {
    return true;
  }
}

const step = fc.record({ verb: fc.constantFrom('switch', 'save', 'delete'), of: fc.constantFrom<Name>('one', 'two') });

describe('documents of a server whose address another installation takes over', () => {
  it('R16: nothing is saved to or deleted on the other one', async function () {
    this.timeout(120_000);
    const installations = { one: new Installation('one'), two: new Installation('two') };
    let now: Name = 'one';
    const server = async () => installations[now];
    const states = new ServerStates();
    const problems = new SaveProblems();
    const saves = new AskedSaves();
    const bases = new BaseStore(new SharedState());
    const askSecret = () => async () => undefined;
    const askAboutConflict = async () => undefined;
    const askAboutRisk = async () => true;
    const onDidSave = () => undefined;
    const asking = { askAboutConflict, askAboutRisk, askSecret, askToCreateAgain: async () => false };
    const files = new DocumentFileSystem({ server, saves, bases, ...asking, problems, onDidSave });
    const documents = new Documents({ server, files, states, askSecret });
    const counts = { sent: 0, refused: 0 };
    let text = 0;
    for (const steps of fc.sample(fc.array(step, { minLength: 1, maxLength: 8 }), { numRuns: 1000, seed: 16 })) {
      for (const { verb, of } of steps) {
        if (verb === 'switch') {
          now = of;
          continue;
        }
        const uri = documentUri({ connectionId: 'test', kind: 'tag', id: '7', name: 'state' }, of);
        const target = documentTarget(uri);
        assert.ok(target);
        const tag = { ID: '7', Label: 'state', DefaultValue: `text ${++text}`, SecurityGroups: [], Contacts: [] };
        const other = installations[of === 'one' ? 'two' : 'one'].writes.length;
        const own = installations[of].writes.length;
        const work =
          verb === 'save' ? files.writeFile(uri, Buffer.from(JSON.stringify(tag))) : documents.remove(target, of);
        if (of === now) await work;
        else await assert.rejects(work, /another installation answers/i);
        assert.equal(installations[of].writes.length, of === now ? own + 1 : own);
        assert.equal(installations[of === 'one' ? 'two' : 'one'].writes.length, other);
        installations[of].putBack();
        counts[of === now ? 'sent' : 'refused']++;
      }
    }
    assert.ok(counts.sent > 500 && counts.refused > 500);
    vscode.Disposable.from(files, states, problems, saves).dispose();
    hostFigure(
      'R16',
      `1,000 random sequences: ${counts.sent} writes sent, ${counts.refused} refused, 0 calls to the other server`,
    );
  });
});
