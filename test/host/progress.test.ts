import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { awaitServer, runInScope } from '../../src/client/http/cancelScope.ts';
import { withProgress } from '../../src/editor/progress.ts';

describe('work that shows a notice of its own', () => {
  it('waits for servers under that notice, not under a second one', async () => {
    const told: string[] = [];
    const giveUp = new AbortController();
    const waitsFor = (server: string) => {
      told.push(server);
      return () => undefined;
    };
    const ask = (server: string) => awaitServer(server, undefined, async (signal) => signal !== undefined);
    await runInScope({ signal: giveUp.signal, waitsFor }, async () => {
      await ask('before');
      // Either Cancel ends it.
      assert.equal(await withProgress('Looking', () => ask('within')), true);
    });
    assert.deepEqual(told, ['before']);
  });
});
