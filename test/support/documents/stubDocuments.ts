import type * as vscode from 'vscode';
import type { ObjectServer } from '../../../src/objects/objectServer.ts';
import { documentUri } from '../../../src/editor/documentUri.ts';
import { askSecret } from '../../../src/editor/pickers/askSecret.ts';
import { confirmRisk } from '../../../src/editor/pickers/confirmRisk.ts';
import { DocumentFileSystem } from '../../../src/features/documents/files/documentFileSystem.ts';
import { BaseStore } from '../../../src/features/documents/files/openDocuments.ts';
import { ServerStates } from '../../../src/features/documents/files/serverStates.ts';
import { ExplicitSaves } from '../../../src/features/documents/save/explicitSaves.ts';
import { SaveProblems } from '../../../src/features/documents/save/saveProblems.ts';
import { conflictQuestion, confirmCreateAgain } from '../../../src/features/documents/save/saveQuestions.ts';
import { ObjectStub, stubKinds } from './objectStub.ts';
import { documents, documentWorkspace } from '../vscode/documents.ts';
import { languages } from '../vscode/languages.ts';
import type { Uri } from '../vscode/uri.ts';
import { MemoryMemento } from '../vscode/storage.ts';

/** The document of an object of an {@link ObjectStub}, open in the editor of `test/support/vscode`, with the real questions. */
export async function openStubDocument(kind: string, prepare: (stub: ObjectStub) => void = () => undefined) {
  const stub = new ObjectStub(kind);
  prepare(stub);
  let server: ObjectServer = stub;
  const [saves, problems, states, state] = [
    new ExplicitSaves(),
    new SaveProblems(),
    new ServerStates(),
    new MemoryMemento(),
  ];
  const files = new DocumentFileSystem({
    server: async () => server,
    saves,
    bases: new BaseStore(state),
    askAboutConflict: conflictQuestion(states),
    askAboutRisk: confirmRisk,
    askToCreateAgain: confirmCreateAgain,
    askSecret,
    problems,
    onDidSave: () => undefined,
    onDidFind: () => undefined,
  });
  const registered = documentWorkspace.registerFileSystemProvider('analytics', files);
  const target = { connectionId: 'shop', kind, id: stubKinds[kind]?.id ?? '', name: 'Tenants' };
  const uri = documentUri(target, await stub.installation()) as vscode.Uri & Uri;
  const document = await documentWorkspace.openTextDocument(uri);
  return {
    stub,
    files,
    document,
    state,
    /** Takes the place of the server, until called with the stub. */
    answerWith: (other: ObjectServer) => void (server = other),
    /** Why the document is not saved, as marked in its text. */
    problems: () => languages.getDiagnostics(uri).map(({ message }) => message),
    close: () => {
      documents.closeAll();
      for (const part of [registered, files, saves, problems, states]) part.dispose();
    },
  };
}
