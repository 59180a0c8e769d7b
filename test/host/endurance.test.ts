import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { isProcessAlive } from '../../src/connections/fileLock.ts';
import { DayOfWork } from '../support/dayOfWork.ts';
import { hostFigure } from '../support/hostFigure.ts';
import { soakSize } from '../support/run/soakSize.ts';
import { waitFor } from '../support/waitFor.ts';

/** Actions of the day: a small one in every run, a full one by `npm run soak -- day`. */
const actions = soakSize(120, 2_000);
const growthAtMost = 1.2;

/** Bytes that live objects of the extension host hold, after garbage was collected. */
async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  for (let round = 0; round < 4; round++) {
    runInNewContext('gc()');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What is open in the extension host, by kind; timers come and go with the editor. */
function openHandles(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

describe('a day of work over two servers', function () {
  this.timeout(4 * 60 * 60_000);
  const rejections: unknown[] = [];
  const note = (reason: unknown) => void rejections.push(reason);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-endurance-'));
    process.on('unhandledRejection', note);
  });
  after(async () => {
    process.off('unhandledRejection', note);
    await rm(folder, { recursive: true, force: true });
  });

  it('leaves no rejection, memory, panel, listener, socket or process behind', async () => {
    const handles = openHandles();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).length;
    const day = await DayOfWork.begin(folder, 20_261_121);
    let first = 0;
    let last = 0;
    try {
      for (let count = 1; count <= actions; count++) {
        await day.act();
        if (count !== Math.ceil(actions / 10) && count !== actions) continue;
        await day.rest();
        last = await heldBytes();
        first ||= last;
      }
      await day.settle();
    } finally {
      await day.end();
    }
    assert.deepEqual(rejections.map(String), []);
    assert.equal(day.listeners, 0, 'listeners to the list of servers');
    assert.deepEqual(day.processes.filter(isProcessAlive), []);
    assert.equal(vscode.window.tabGroups.all.flatMap((group) => group.tabs).length, tabs, 'tabs');
    // Not processes: the editor's own language servers start when a document is first opened.
    for (const kind of ['TCPSocketWrap', 'TCPServerWrap', 'FSEventWrap']) {
      await waitFor(`no more of ${kind}`, async () => (openHandles().get(kind) ?? 0) <= (handles.get(kind) ?? 0));
    }
    const growth = last / first;
    const mb = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
    assert.ok(growth <= growthAtMost, `memory grew from ${mb(first)} to ${mb(last)} MB: ${day.summary()}`);
    const words = `${actions} actions (${day.summary()}): 0 unhandled rejections, 0 panels, listeners, sockets and processes left`;
    hostFigure(
      'day',
      `${words}; memory ${mb(first)} MB after a tenth, ${mb(last)} MB at the end (${growth.toFixed(2)})`,
    );
  });
});
