import { describe, expect, test } from 'vitest';
import { readResult } from '../../../../src/client/results/readResult.ts';
import { ResultReadError } from '../../../../src/client/results/resultError.ts';
import type { ResultCaps } from '../../../../src/client/results/resultError.ts';
import { readReply } from '../../../property/results/resultsOracle.ts';

const rows = (count: number) => `"Data":[${Array.from({ length: count }, (_, i) => `{"a":${i}}`).join(',')}]`;

describe('the outcome of reading a result', () => {
  test('is complete, also for no rows and null rows, and an ErrorCode that is only noise', async () => {
    for (const text of ['{"Data":[]}', '{"Data":null}', '{"Data":[ ],"HasError":false,"ErrorCode":3}']) {
      const { store, outcome } = await readReply(text);
      expect(outcome).toEqual({ kind: 'complete' });
      expect(store).toMatchObject({ complete: true, hasRows: true, rowCount: 0 });
    }
  });

  test('is refused when the server reports an error, with what else it sent kept', async () => {
    const { store, outcome } = await readReply(
      `{"HasError":true,"ErrorCode":0,"ErrorMessage":"no such table",${rows(2)}}`,
    );
    expect(outcome).toMatchObject({ kind: 'refused', message: 'no such table' });
    expect(store).toMatchObject({ complete: true, rowCount: 2 });
    expect(store.envelope).toMatchObject({ HasError: true, ErrorMessage: 'no such table' });
  });

  test('is refused with the code of a rejected token', async () => {
    const { outcome } = await readReply('{"ErrorCode":101,"ErrorMessage":"Session Expired"}');
    expect(outcome).toEqual({ kind: 'refused', code: 101, message: 'Session Expired' });
  });

  test.each([
    ['[]', []],
    ['"text"', 'text'],
    ['null', null],
    ['12', 12],
    ['\ufeff[1,\n{}]', [1, {}]],
  ])('says that %s is no result, and hands it over', async (text, reply) => {
    for (const sizes of [[1], [Infinity]]) {
      const { store, outcome } = await readReply(text, sizes);
      expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'notAResult' }, reply });
      expect(store.rowCount).toBe(0);
    }
  });

  test.each([
    ['{}', {}],
    ['{"ErrorCode":0,"Columns":[]}', { ErrorCode: 0, Columns: [] }],
    ['{"HasError":"yes","Data":[]}', { HasError: 'yes' }],
  ])('says that %s is no result, and hands its members over', async (text, reply) => {
    const { outcome } = await readReply(text);
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'notAResult' }, reply });
  });

  test.each([
    ['', 'truncated', 0, 'a report result'],
    ['<html>', 'malformed', 0, 'a JSON object'],
    ['{"Data":[{"a":1}', 'truncated', 16, "',' or ']'"],
    ['{"Data":[{"a":"x', 'truncated', 16, 'the end of a string'],
    ['{"Data":[{"a":1 "b":2}]}', 'malformed', 16, "',' or '}'"],
    ['{"Data":[{"a":01}]}', 'malformed', 15, "',' or '}'"],
    ['{"Data":[{"a":1.}]}', 'malformed', 16, 'a digit'],
    ['{"Data":[{"a":NaN}]}', 'malformed', 14, 'a value'],
    ['{"Data":[{"a":nul}]}', 'malformed', 17, 'the word null'],
    ['{"Data":[{"a":"\t"}]}', 'malformed', 15, 'control characters'],
    ['{"Data":[{"a":"\\x"}]}', 'malformed', 16, 'an escape'],
    ['{"Data":[{"a":"\\u12g4"}]}', 'malformed', 19, 'hexadecimal'],
    ['{"Data":[{"a":[1,]}]}', 'malformed', 17, 'a value'],
    ['{"Data":[{"a":1,}]}', 'malformed', 16, 'a key'],
    ['{"Data":[{"a":1},]}', 'malformed', 17, 'a row'],
    ['{"Data":[7]}', 'malformed', 9, 'a row'],
    ['{"Data":{"a":1}}', 'malformed', 8, 'an array of rows'],
    ['{"Data":[],"Data":[]}', 'malformed', 18, 'no second Data'],
    ['{"Data":[]}x', 'malformed', 11, 'nothing more'],
    ['{"Data":[]}\0', 'malformed', 11, 'nothing more'],
    ['{"Data":[\0]}', 'malformed', 9, 'a row'],
  ] as const)('names the place where %j goes wrong', async (text, code, offset, expected) => {
    for (const sizes of [[1], [5], [Infinity]]) {
      const { store, outcome } = await readReply(text, sizes);
      expect(outcome).toMatchObject({ kind: 'failed', error: { code, offset } });
      expect(outcome.kind === 'failed' && outcome.error.message).toContain(expected);
      expect(store).toMatchObject({ complete: false, hasEnded: true });
    }
  });

  test('keeps the rows before the place where it goes wrong', async () => {
    const { store } = await readReply(`{"Columns":[{"key":"a"}],${rows(5000).slice(0, -1)},{"a":oops}]}`, [1000]);
    expect(store.rowCount).toBe(5000);
    expect(store.cell(4999, 0)).toBe(4999);
    expect(store.complete).toBe(false);
  });
});

describe('caps', () => {
  const deep = `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`;
  test.each<[string, Partial<ResultCaps>, string, number]>([
    ['bytes', { maxBytes: 500 }, `{${rows(100)}}`, 55],
    ['rows', { maxRows: 70 }, `{${rows(100)}}`, 70],
    ['columns', { maxColumns: 1 }, '{"Data":[{"a":1},{"a":1,"b":2}]}', 1],
    ['listed columns', { maxColumns: 1 }, '{"Data":[{"a":1}],"Columns":[{"key":"a"},{"key":"b"}]}', 1],
    ['depth of a cell', {}, `{"Data":[{"a":1},{"a":${deep}}]}`, 1],
    ['depth of a member', {}, `{"Data":[{"a":1}],"b":${deep}}`, 1],
    ['bytes of a row', { maxRowBytes: 10_000 }, `{"Data":[{"a":1},{"a":"${'x'.repeat(100_000)}"}]}`, 1],
    ['bytes of a member', { maxRowBytes: 10_000 }, `{"Data":[{"a":1}],"b":"${'x'.repeat(100_000)}"}`, 1],
    ['bytes of another reply', { maxRowBytes: 10_000 }, `["${'x'.repeat(100_000)}"]`, 0],
    ['memory', { maxHeldBytes: 600_000 }, `{"Data":[${`{"a":"${'x'.repeat(1000)}"},`.repeat(1000)}{}]}`, 521],
  ])('on %s end reading, and keep what was read', async (_, caps, text, kept) => {
    const { store, outcome } = await readReply(text, [1000], { caps });
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'tooLarge' } });
    expect(outcome.kind === 'failed' && outcome.error.message).toMatch(/more than|longer than/);
    expect(store.rowCount).toBe(kept);
    expect(store.complete).toBe(false);
  });

  test('allow exactly as much as they say', async () => {
    const text = `{${rows(100)}}`;
    const caps = { maxBytes: text.length, maxRows: 100, maxColumns: 1, maxDepth: 3 };
    expect((await readReply(text, [7], { caps })).outcome).toEqual({ kind: 'complete' });
    expect((await readReply(text, [7], { caps: { ...caps, maxDepth: 2 } })).outcome.kind).toBe('complete');
    expect((await readReply('{"Data":[{"a":[[1]]}]}', [7], { caps: { maxDepth: 5 } })).outcome.kind).toBe('complete');
    expect((await readReply('{"Data":[{"a":[[1]]}]}', [7], { caps: { maxDepth: 4 } })).outcome.kind).toBe('failed');
  });
});

describe('cancelling and failing sources', () => {
  test('ends at once when the source is silent, and closes it', async () => {
    const abort = new AbortController();
    let isClosed = false;
    const source: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]() {
        let turn = 0;
        return {
          next: () =>
            turn++ === 0
              ? Promise.resolve({ done: false, value: Buffer.from('{"Data":[{"a":1},') })
              : new Promise<never>(() => setImmediate(() => abort.abort('enough'))),
          return: () => {
            isClosed = true;
            return Promise.resolve({ done: true, value: undefined });
          },
        };
      },
    };
    const { store, done } = readResult(source, { signal: abort.signal });
    expect(await done).toEqual({ kind: 'cancelled', reason: 'enough' });
    expect(store).toMatchObject({ rowCount: 1, complete: false, hasEnded: true });
    expect(isClosed).toBe(true);
  });

  test('reads nothing when the signal has fired before', async () => {
    const { store, outcome } = await readReply(`{${rows(3)}}`, [5], { signal: AbortSignal.abort('no') });
    expect(outcome).toEqual({ kind: 'cancelled', reason: 'no' });
    expect(store.bytes).toBe(0);
  });

  test('says after how many bytes the source failed, and why', async () => {
    const cause = new Error('socket hang up');
    async function* broken() {
      yield Buffer.from('{"Data":[{"a":1},{"a"');
      await Promise.resolve();
      throw cause;
    }
    const { store, done } = readResult(broken());
    const outcome = await done;
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'source', offset: 21, cause } });
    expect(outcome.kind === 'failed' && outcome.error).toBeInstanceOf(ResultReadError);
    expect(outcome.kind === 'failed' && outcome.error.message).toContain('socket hang up');
    expect(store.rowCount).toBe(1);
  });
});

test('other work runs while one large chunk is read', async () => {
  const text = `{${rows(3_000_000)}}`;
  let turns = 0;
  let isReading = true;
  const count = () => {
    turns++;
    if (isReading) setImmediate(count);
  };
  setImmediate(count);
  const { store, outcome } = await readReply(text);
  isReading = false;
  expect(outcome).toEqual({ kind: 'complete' });
  expect(store.rowCount).toBe(3_000_000);
  expect(turns).toBeGreaterThan(2);
});
