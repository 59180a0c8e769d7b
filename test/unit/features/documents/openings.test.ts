import type * as vscode from 'vscode';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ClientError } from '../../../../src/client/clientError.ts';
import { awaitServer, runWithSignal } from '../../../../src/client/http/cancelScope.ts';
import { CommandError, showCommandError } from '../../../../src/editor/commandError.ts';
import { openObject } from '../../../../src/editor/nodes/objectTarget.ts';
import { askSecret } from '../../../../src/editor/pickers/askSecret.ts';
import { confirmRisk } from '../../../../src/editor/pickers/confirmRisk.ts';
import type { DocumentServices } from '../../../../src/features/documents/documentServices.ts';
import { Documents } from '../../../../src/features/documents/documents.ts';
import { DocumentFileSystem } from '../../../../src/features/documents/files/documentFileSystem.ts';
import { BaseStore } from '../../../../src/features/documents/files/openDocuments.ts';
import { ServerStates } from '../../../../src/features/documents/files/serverStates.ts';
import { ExplicitSaves } from '../../../../src/features/documents/save/explicitSaves.ts';
import { SaveProblems } from '../../../../src/features/documents/save/saveProblems.ts';
import { conflictQuestion, confirmCreateAgain } from '../../../../src/features/documents/save/saveQuestions.ts';
import type { Json } from '../../../../src/objects/json.ts';
import type { ObjectServer } from '../../../../src/objects/objectServer.ts';
import { documents, documentWorkspace } from '../../../support/vscode/documents.ts';
import { person } from '../../../support/vscode/person.ts';
import { MemoryMemento } from '../../../support/vscode/storage.ts';

/* Openings on a server that answers only when the test lets it: they must end without an answer. */

class SilentServer implements ObjectServer {
  readonly name = 'Shop';
  /** Ids of the groups that were asked for, and of those whose call was cut. */
  readonly asked: string[] = [];
  readonly cut: string[] = [];
  readonly #answers = new Map<string, () => void>();

  async installation(): Promise<string> {
    return 'one';
  }

  call(_path: string, body: object): Promise<Json> {
    const id = 'GroupId' in body ? String(body.GroupId) : '';
    this.asked.push(id);
    return awaitServer(
      this.name,
      undefined,
      (signal) =>
        new Promise<Json>((resolve, reject) => {
          signal?.addEventListener('abort', () => {
            this.cut.push(id);
            reject(new ClientError('cancelled', 'Cancelled', { server: this.name }));
          });
          this.#answers.set(id, () => resolve({ GroupId: id, GroupName: `Group ${id}`, GroupDescription: '' }));
        }),
    );
  }

  answer(id: string): void {
    this.#answers.get(id)?.();
  }
}

let server: SilentServer;
let services: DocumentServices;
let close: () => void;
const errors: string[] = [];

beforeEach(() => {
  server = new SilentServer();
  const [saves, problems, states] = [new ExplicitSaves(), new SaveProblems(), new ServerStates()];
  const files = new DocumentFileSystem({
    ...{ server: async () => server, saves, problems, askSecret, askAboutRisk: confirmRisk },
    bases: new BaseStore(new MemoryMemento()),
    askAboutConflict: conflictQuestion(states),
    askToCreateAgain: confirmCreateAgain,
    onDidSave: () => undefined,
    onDidFind: () => undefined,
  });
  const registered = documentWorkspace.registerFileSystemProvider('analytics', files);
  const opened = new Documents({ server: async () => server, files, states, askSecret });
  services = { connections: new Map(), documents: async () => opened } as unknown as DocumentServices;
  close = () => {
    documents.closeAll();
    for (const part of [registered, files, saves, problems, states]) part.dispose();
  };
});

afterEach(() => {
  close();
  errors.length = 0;
  person.leave();
});

const group = (id: string) => ({ connectionId: 'shop', kind: 'group', id, name: `Group ${id}`, installation: 'one' });
const open = (id: string) => openObject(services, group(id));
const log = { error: (line: string) => void errors.push(line) } as unknown as vscode.LogOutputChannel;

/** What a command that fails so shows and logs. */
async function shownOf(error: unknown): Promise<string[]> {
  const actions = { retry: async () => undefined, forServer: async () => undefined };
  person.mayAnswer('', 'Show Log');
  await showCommandError(error, { ...log, show: () => undefined }, actions);
  return [...person.texts(), ...errors];
}

it('ends what is being opened when something else is opened, and says nothing about it', async () => {
  const first = open('1').catch((error: unknown) => error);
  await expect.poll(() => server.asked).toEqual(['1']);
  const second = open('2').catch((error: unknown) => error);
  const error = await first;
  expect(error).toBeInstanceOf(CommandError);
  await expect.poll(() => server.asked).toEqual(['1', '2']);
  const third = open('3');
  await second;
  await expect.poll(() => server.asked).toEqual(['1', '2', '3']);
  server.answer('3');
  await third;
  expect(server.cut).toEqual(['1', '2']);
  expect(documents.tabs()).toEqual(['/group/3/Group 3.group.json']);
  expect(await shownOf(error)).toEqual([]);
  expect(await shownOf(await second)).toEqual([]);
});

it('opens an object once that is opened again while it is read', async () => {
  const both = Promise.all([open('1'), open('1')]);
  await expect.poll(() => server.asked).toEqual(['1']);
  server.answer('1');
  await both;
  expect(server.asked).toEqual(['1']);
  expect(documents.tabs()).toHaveLength(1);
});

it('is no error when it is cancelled, and opens no tab', async () => {
  const stop = new AbortController();
  const opening = runWithSignal(stop.signal, () => open('1')).catch((error: unknown) => error);
  await expect.poll(() => server.asked).toEqual(['1']);
  stop.abort();
  expect(await shownOf(await opening)).toEqual([]);
  expect(documents.tabs()).toEqual([]);
  expect(server.cut).toEqual(['1']);
});
