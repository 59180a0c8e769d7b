import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { BaseStore } from '../../src/features/documents/files/openDocuments.ts';
import { DocumentFileSystem } from '../../src/features/documents/files/documentFileSystem.ts';
import { Documents } from '../../src/features/documents/documents.ts';
import { documentTarget, documentUri, newObjectTarget, type DocumentTarget } from '../../src/editor/documentUri.ts';
import { keptTextOf } from '../../src/features/documents/files/pendingCreates.ts';
import { ExplicitSaves } from '../../src/features/documents/save/explicitSaves.ts';
import { SaveProblems } from '../../src/features/documents/save/saveProblems.ts';
import { ServerStates } from '../../src/features/documents/files/serverStates.ts';
import { parseExact, isJsonObject, type Json } from '../../src/objects/json.ts';
import { type ObjectServer, objectServer } from '../../src/objects/objectServer.ts';
import { confirmDeletions } from '../../src/features/documents/deleteObjects.ts';
import { verifiedServer } from '../../src/editor/pickers/verifiedServer.ts';
import { ServersTree } from '../../src/features/sidebar/serversTree.ts';
import type { TreeConnection } from '../../src/editor/nodes/treeNode.ts';
import { treeConnection } from '../unit/features/sidebar/treeConnection.ts';
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
    if (path.includes('/Get')) return path.includes('Settings') ? {} : [];
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
    const onDidFind = () => undefined;
    const asking = { askAboutConflict, askAboutRisk, askSecret, askToCreateAgain: async () => false };
    const files = new DocumentFileSystem({ server, saves, bases, ...asking, problems, onDidSave, onDidFind });
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
        else await assert.rejects(work, /another installation (now )?answers/i);
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

/** A server of one data tag, as it is now at one address. */
async function tagServer(answer: () => { installation: string; label: string }) {
  const replies = (called: string | undefined): unknown => {
    const { installation, label } = answer();
    switch (called?.replace('/api/', '')) {
      case 'LicenseManager/GetInstallationID':
        return installation;
      case 'DataTag/GetAllDataTags':
        return [{ ID: '7', Label: label, DefaultValue: '', SecurityGroups: [], Contacts: [] }];
      case 'login/DoLogin':
        return { ErrorCode: 0, LoginSession: { SessionToken: 't', SessionTimeLeft: 20 }, LoginUser: { ID: '1' } };
      case 'Session/CheckSession':
        return { ErrorCode: 0, SessionExpir: '2099-01-01T00:00:00' };
      default:
        return [];
    }
  };
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const reply = replies(request.url);
      const isText = typeof reply === 'string';
      response.setHeader('content-type', isText ? 'text/plain' : 'application/json');
      response.end(isText ? reply : JSON.stringify(reply));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${address.port}`, close };
}

describe('rows of the sidebar whose server is taken over by another installation', () => {
  it('R16: nothing is done with them before they are read again', async function () {
    this.timeout(120_000);
    let now = 1;
    const server = await tagServer(() => ({
      installation: `0000-0000-0000-0000-0000-000${now}`,
      label: `tag of ${now}`,
    }));
    const connection = treeConnection(server.url);
    const changed = new vscode.EventEmitter<TreeConnection>();
    const connections = { list: () => [connection], onDidChange: changed.event, onDidChangeState: changed.event };
    const tree = new ServersTree({ connections, localServer: { state: 'stopped' }, showsScopes: () => false });
    const tagNode = async () => {
      const security = (await tree.getChildren(tree.serverNode(connection))).find(({ id }) => id.endsWith('/security'));
      const list = (await tree.getChildren(security)).find(({ id }) => id.endsWith('/dataTags'));
      const [node] = await tree.getChildren(list);
      assert.equal(node?.kind, 'dataTag');
      return node;
    };
    const counts = { bound: 0, refused: 0 };
    const dice = fc.sample(fc.constantFrom('switch', 'refresh', 'write', 'write'), { numRuns: 400, seed: 5 });
    try {
      for (const step of dice) {
        if (step === 'switch') now = 3 - now;
        else if (step === 'refresh') await tree.refresh(tree.serverNode(connection));
        else {
          const node = await tagNode();
          assert.ok(node?.kind === 'dataTag');
          const isShown = node.installation?.endsWith(String(now)) === true;
          const bound = await verifiedServer(connection, node);
          if (isShown) {
            await bound.client();
            assert.equal(node.label, `tag of ${now}`);
          } else await assert.rejects(bound.client(), /another installation (now )?answers/i);
          counts[isShown ? 'bound' : 'refused']++;
        }
      }
      // The object of a document, and a row whose installation is not known.
      await (await verifiedServer(connection, { installation: `0000-0000-0000-0000-0000-000${now}` })).client();
      const { installation: _unknown, ...unread } = await tagNode();
      await assert.rejects((await verifiedServer(connection, unread)).client(), /unknown which installation/);
      // The same id with another name: it may be another object.
      const target = { connectionId: connection.id, kind: 'tag', id: '7', name: 'somebody else' };
      const client = await connection.client();
      await assert.rejects(confirmDeletions(objectServer(client), [target]), /named "tag of/);
    } finally {
      tree.dispose();
      changed.dispose();
      await server.close();
    }
    assert.ok(counts.bound > 50 && counts.refused > 50);
    hostFigure(
      'R16',
      `400 random steps at the sidebar: ${counts.bound} commands let through, ${counts.refused} refused`,
    );
  });
});

describe('a new object whose first save was not answered', () => {
  it('is shown once it is found, where its text is another one by now', async () => {
    const view = { ID: null, Label: 'late', DefaultValue: 'a', SecurityGroups: [], Contacts: [] };
    const writes: string[] = [];
    const there: ObjectServer = {
      name: 'Test',
      installation: async () => 'one',
      call: async (path) => {
        if (path === 'DataTag/NewDataTag') return { ...view, Label: '', DefaultValue: '' };
        if (path === 'DataTag/GetAllDataTags') return [{ ...view, ID: '9' }];
        if (path === 'Shield/GetAllShieldPolicies') return [];
        writes.push(path);
        throw new Error(`Unexpected call of ${path}`);
      },
    };
    const found: DocumentTarget[] = [];
    const problems = new SaveProblems();
    const saves = new AskedSaves();
    const bases = new BaseStore(new SharedState());
    const files = new DocumentFileSystem({
      server: async () => there,
      saves,
      bases,
      askAboutConflict: async () => undefined,
      askAboutRisk: async () => true,
      askToCreateAgain: async () => false,
      askSecret: () => async () => undefined,
      problems,
      onDidSave: () => undefined,
      onDidFind: (target) => void found.push(target),
    });
    const uri = documentUri(newObjectTarget('test', 'tag', 'late'), 'one');
    await bases.keep(uri, { text: keptTextOf([{ view, known: [] }]), mtime: 1, size: 0 });
    const text = Buffer.from(JSON.stringify({ ...view, DefaultValue: 'b' }));
    await assert.rejects(files.writeFile(uri, text), /was already created/);
    // Whoever saves again is led there again.
    await assert.rejects(files.writeFile(uri, text), /was already created/);
    vscode.Disposable.from(files, problems, saves).dispose();
    assert.deepEqual(writes, []);
    assert.deepEqual(
      found.map(({ id }) => id),
      ['9', '9'],
    );
  });
});
