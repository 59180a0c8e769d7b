import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { damage, hasBackslashKey, pieceSizes, reply } from './resultsArbitrary.ts';
import { expectParsed, expectRows, readReply, engines } from './resultsOracle.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';

/** A reply with one of everything that is awkward. */
const awkward =
  '\ufeff{ "Data" : [{"a":1,"b":"x","c":null},{"a":-0,"b":"\\uD83D\\uDE00\\u0000","c":true},\n' +
  '{"c":false,"b":"😀 ключ","d":{"n":[1,{"x":"]}"}],"e":"\\""}}, {"b":"\\ud83d","a":12345678901234567890.10,"a":2.5e-3} ,' +
  '{},{"__proto__":{"polluted":1},"a":1e400,"d":[],"\\u0061\\ud800":"lone"}],"Columns":[{"key":"b","headerText":"B"}],' +
  '"ErrorCode":0 , "more":[{"deep":[[["\\\\"]]]}],"etime":"12"}  ';

describe.each(engines)('a reply, however it is written and cut, read by %s', (engine) => {
  test('holds what JSON.parse makes of it', async () => {
    await fc.assert(
      fc.asyncProperty(reply, pieceSizes, async (text, sizes) => {
        const { store, outcome } = await readReply(text, sizes, { engine });
        expect(outcome).toEqual({ kind: 'complete' });
        expect(store.complete).toBe(true);
        expect(store.bytes).toBe(Buffer.byteLength(text));
        expectParsed(store, text);
      }),
      { numRuns: propertyRuns(100, 10_000) },
    );
  });

  test('is the same when cut at any byte', async () => {
    const bytes = Buffer.from(awkward);
    for (let cut = 1; cut < bytes.length; cut++) {
      const { store, outcome } = await readReply(bytes, [cut, bytes.length], { engine });
      expect(outcome, `cut at ${cut}`).toEqual({ kind: 'complete' });
      expectParsed(store, awkward.slice(1));
    }
    expectParsed((await readReply(bytes, [1], { engine })).store, awkward.slice(1));
  });

  test('never counts as complete when it ends early', async () => {
    const bytes = Buffer.from(awkward.trimEnd());
    const { Data: rows } = JSON.parse(awkward.slice(1)) as { Data: Record<string, unknown>[] };
    for (let length = 0; length < bytes.length; length++) {
      const { store, outcome } = await readReply(bytes.subarray(0, length), [7], { engine });
      expect(outcome, `${length} bytes`).toMatchObject({
        kind: 'failed',
        error: { code: 'truncated', offset: length },
      });
      expect(store.complete).toBe(false);
      expect(store.hasEnded).toBe(true);
      expectRows(store, rows.slice(0, store.rowCount));
    }
  });

  test('never counts as complete when any reply ends early, and keeps its whole rows', async () => {
    await fc.assert(
      fc.asyncProperty(reply, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), async (text, part) => {
        const bytes = Buffer.from(text.trimEnd());
        const { store, outcome } = await readReply(bytes.subarray(0, Math.floor(bytes.length * part)), [11], {
          engine,
        });
        expect(outcome.kind).toBe('failed');
        expect(store.complete).toBe(false);
        const { Data: rows } = JSON.parse(text) as { Data: Record<string, unknown>[] | null };
        expectRows(store, rows?.slice(0, store.rowCount) ?? null);
      }),
      { numRuns: propertyRuns(100, 5_000) },
    );
  });

  test('is refused exactly where JSON.parse refuses it', async () => {
    await fc.assert(
      fc.asyncProperty(reply, damage, pieceSizes, async (text, spoil, sizes) => {
        const damaged = spoil(text);
        fc.pre(!hasBackslashKey(damaged));
        const { store, outcome } = await readReply(damaged.toWellFormed(), sizes, { engine });
        const isRead = outcome.kind !== 'failed' || outcome.error.code === 'notAResult';
        if (!isRead && isAllowedRefusal(damaged)) return;
        expect(isRead).toBe(isJson(damaged));
        if (outcome.kind === 'complete') expectParsed(store, damaged.toWellFormed());
      }),
      { numRuns: propertyRuns(200, 10_000) },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether valid JSON is no report result all the same: `Data` is no array of objects, or comes twice. */
function isAllowedRefusal(text: string): boolean {
  if (!isJson(text)) return false;
  const { Data: data } = (JSON.parse(text) ?? {}) as { Data?: unknown };
  const isRow = (row: unknown) => typeof row === 'object' && row !== null && !Array.isArray(row);
  const isData = data === undefined || data === null || (Array.isArray(data) && data.every(isRow));
  return !isData || text.split('"Data"').length > 2;
}
