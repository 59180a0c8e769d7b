import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { forgetServer } from '../../src/features/servers/removeServer.ts';
import { SharedState } from '../support/hostWindow.ts';

const gone = '0b7c7a1e-0000-4000-8000-000000000001';
const other = '0b7c7a1e-0000-4000-8000-000000000002';

describe('a server that is removed', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-forget-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const stateOf = async (...ids: string[]) => {
    const state = new SharedState();
    for (const id of ids) {
      await state.update(`analytics.prompts.${id}.7`, []);
      await state.update(`analytics.promptPresets.${id}.7`, []);
      await state.update(`analytics.base analytics://${id}/policy/1/A.policy.json`, {});
      await state.update(`analytics.tagDraft ${id}/3`, {});
      await state.update(`analytics.toldImport ${id}/0b7c7a1e`, true);
      await state.update(`analytics.builder.server file:///of/${id}.report.json`, id);
    }
    return Object.assign(state, { setKeysForSync: () => undefined });
  };
  const journals = ['imports', 'applications', 'writes'];

  it('leaves nothing of its own, and everything of the others', async () => {
    const [globalState, workspaceState] = [await stateOf(gone, other), await stateOf(other, gone)];
    for (const name of journals) {
      await mkdir(path.join(folder, name));
      for (const id of [gone, other]) {
        await writeFile(path.join(folder, name, `${id}.json`), JSON.stringify({ connectionId: id }));
      }
    }
    await forgetServer({ globalState, workspaceState, globalStorageUri: vscode.Uri.file(folder) }, gone);
    const kept = [...(await stateOf(other)).keys()];
    for (const state of [globalState, workspaceState]) {
      assert.deepEqual(
        state
          .keys()
          .filter((key) => state.get(key) !== undefined)
          .sort(),
        kept.toSorted(),
      );
    }
    for (const name of journals) assert.deepEqual(await readdir(path.join(folder, name)), [`${other}.json`]);
  });

  it('is forgotten where nothing was ever kept', async () => {
    const state = await stateOf();
    const globalStorageUri = vscode.Uri.file(path.join(folder, 'never made'));
    await forgetServer({ globalState: state, workspaceState: state, globalStorageUri }, 'local');
    assert.deepEqual(await readdir(folder), []);
  });
});
