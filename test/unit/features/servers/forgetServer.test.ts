import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type * as vscode from 'vscode';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UnknownWrites } from '../../../../src/connections/unknownWrites.ts';
import { BaseStore } from '../../../../src/features/documents/files/openDocuments.ts';
import { PromptMemory } from '../../../../src/features/reports/prompts/promptMemory.ts';
import { forgetServer } from '../../../../src/features/servers/removeServer.ts';
import { TagDrafts } from '../../../../src/features/tagValues/tagDrafts.ts';
import { ImportJournalStore } from '../../../../src/features/userImport/importJournal.ts';
import { Uri } from '../../../support/vscode/basics.ts';
import { MemoryMemento } from '../../../support/vscode/storage.ts';

const gone = '0b7c7a1e-0000-4000-8000-000000000001';
const other = '0b7c7a1e-0000-4000-8000-000000000002';
/** An id that begins with that of the server that goes. */
const longer = `${gone}1`;
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'analytics-forget-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Lets every writer of the extension keep something about a server. */
async function keepAbout(id: string, state: MemoryMemento): Promise<void> {
  const prompts = new PromptMemory(state);
  const shape = { name: 'State', mode: 'one', isSkipable: false } as never;
  const value = { low: 'Kept' } as never;
  await prompts.keep(id, '7', [shape], [value]);
  await prompts.keepPreset({ connectionId: id, reportId: '7' }, 'North', [shape], [value]);
  const uri = { toString: () => `analytics://${id}/policy/1/A.policy.json?i` } as vscode.Uri;
  await new BaseStore(state).keep(uri, { text: '{}', mtime: 1, size: 2 });
  await new TagDrafts(state).keep(`${id}/3`, { defaultValue: { from: '', to: 'x' }, groups: [], users: [] });
  const header = { connectionId: id, installation: 'i', file: 'f', fileName: 'f', startedAt: '2026-01-01T00:00:00Z' };
  await new ImportJournalStore(path.join(folder, 'imports')).begin(header, []);
  const write = { kind: 'change', object: 'policy A' } as never;
  await new UnknownWrites(path.join(folder, 'writes')).journalOf({ id, name: 'Shop' }).begin(write);
}

/** Everything that is kept, as text. */
async function kept(...states: MemoryMemento[]): Promise<string> {
  const ofStates = states.flatMap((state) => state.keys().map((key) => `${key} ${JSON.stringify(state.get(key))}`));
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map(({ parentPath, name }) => path.join(parentPath, name));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return [...ofStates, ...texts].join('\n');
}

it('leaves nothing of what the writers kept of its own, and everything of the others', async () => {
  const [globalState, workspaceState, ofOthers] = [new MemoryMemento(), new MemoryMemento(), new MemoryMemento()];
  for (const state of [globalState, workspaceState]) for (const id of [gone, other, longer]) await keepAbout(id, state);
  for (const id of [other, longer]) await keepAbout(id, ofOthers);
  await forgetServer({ globalState, workspaceState, globalStorageUri: Uri.file(folder) as vscode.Uri }, gone);
  expect((await kept(globalState, workspaceState)).replaceAll(longer, '')).not.toContain(gone);
  for (const state of [globalState, workspaceState]) {
    expect([...state.keys()].sort()).toEqual([...ofOthers.keys()].sort());
    expect(state.keys()).toHaveLength(8);
  }
  // Those of two servers, by three writers each.
  expect(await readdir(path.join(folder, 'imports'))).toHaveLength(6);
  expect(await readdir(path.join(folder, 'writes'))).toHaveLength(6);
});

it('forgets a server of which nothing was ever kept', async () => {
  const state = new MemoryMemento();
  const globalStorageUri = Uri.file(path.join(folder, 'never made')) as vscode.Uri;
  await forgetServer({ globalState: state, workspaceState: state, globalStorageUri }, 'local');
  expect(await readdir(folder)).toEqual([]);
});
