import { describe, expect, test } from 'vitest';
import { expectRows, readReply } from '../../../property/results/resultsOracle.ts';

type Row = Record<string, unknown>;

const reply = (rows: readonly Row[], columns: readonly Row[] = []) =>
  JSON.stringify({ Columns: columns, Data: rows, ErrorCode: 0 });

describe('a result store', () => {
  test('holds many blocks of rows whose columns change their kind, come late and go', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i): Row => ({
      id: i,
      negative: -1 - i * 1_000_000,
      price: i / 100,
      few: `city ${i % 7}`,
      unique: `ticket ${i} of many`,
      mixed: i % 3 === 0 ? i : i % 3 === 1 ? `text ${i}` : i % 2 === 0,
      kind: i < 9000 ? i : i < 14_000 ? `now text ${i % 11}` : { now: ['an', 'object'] },
      flag: i % 5 === 0,
      empty: null,
      huge: 2 ** 40 * i + 0.5,
      ...(i >= 5000 && i < 12_000 ? { late: i % 2 === 0 ? 'é' : null } : {}),
      ...(i === 17_000 ? { once: 'there' } : {}),
    }));
    const { store, outcome } = await readReply(reply(rows), [50_000]);
    expect(outcome.kind).toBe('complete');
    expectRows(store, rows);
    expect(store.heldBytes).toBeLessThan(store.bytes / 2);
  });

  test('is read while it grows, packed rows and rows being filled alike', async () => {
    const rows = Array.from({ length: 6000 }, (_, i): Row => ({ n: i, t: `row ${i}` }));
    const seen = new Set<number>();
    await readReply(reply(rows), [4096], {
      onProgress: (store) => {
        const last = store.rowCount - 1;
        seen.add(store.rowCount);
        if (last < 0) return;
        expect(store.complete).toBe(store.hasEnded);
        expect(store.rows([0, last])).toEqual([
          [0, 'row 0'],
          [last, `row ${last}`],
        ]);
      },
    });
    expect(seen.size).toBeGreaterThan(10);
  });

  test('keeps texts from empty to larger than a page', async () => {
    const lengths = [0, 1, 3, 4, 254, 255, 256, 70_000, 262_136, 262_137, 262_143, 262_144, 262_145, 1_000_000, 5];
    const rows = lengths.map((length, i): Row => ({
      text: String.fromCharCode(97 + i).repeat(length),
      pad: 'p'.repeat(300),
    }));
    const { store } = await readReply(reply(rows), [65_536]);
    expectRows(store, rows);
  });

  test('keeps numbers that a double cannot hold as their text', async () => {
    const { store } = await readReply('{"Data":[{"n":12345678901234567890.10},{"n":1e400},{"n":0.1},{"n":-0}]}');
    expect([0, 1, 2, 3].map((row) => store.cell(row, 0))).toEqual([
      { kind: 'exact', text: '12345678901234567890.10' },
      { kind: 'exact', text: '1e400' },
      0.1,
      -0,
    ]);
  });

  test('tells missing from null', async () => {
    const { store } = await readReply('{"Columns":[{"key":"a"},{"key":"b"},{"key":"c"}],"Data":[{"a":null,"b":1}]}');
    expect([0, 1, 2, 3].map((column) => store.cell(0, column))).toEqual([null, 1, undefined, undefined]);
    expect(store.cell(1, 0)).toBeUndefined();
    expect(store.cell(-1, 0)).toBeUndefined();
    expect(store.window(0, 9)).toEqual([[null, 1, { kind: 'missing' }]]);
  });

  test('orders columns as Columns does, then by first appearance, whichever comes first', async () => {
    const listed = [
      {
        key: 'b',
        headerText: 'Bee',
        yurbitype: 'num',
        dataType: 'int',
        width: 80,
        dataFormatString: 'n2',
        columngroup: 'g',
      },
      { key: 'never', headerText: null },
      { key: 'a', width: 'wide' },
      { key: 'b', headerText: 'again' },
      { headerText: 'no key' },
      'no object',
    ];
    const data = '[{"x":1,"a":2,"y":3,"b":4}]';
    for (const text of [
      `{"Data":${data},"Columns":${JSON.stringify(listed)}}`,
      `{"Columns":${JSON.stringify(listed)},"Data":${data}}`,
    ]) {
      const { store } = await readReply(text);
      expect(store.columns.map(({ key, header, isListed }) => [key, header, isListed])).toEqual([
        ['b', 'Bee', true],
        ['never', 'never', true],
        ['a', 'a', true],
        ['x', 'x', false],
        ['y', 'y', false],
      ]);
      expect(store.columns[0]).toMatchObject({
        fieldType: 'num',
        dataType: 'int',
        width: 80,
        format: 'n2',
        group: 'g',
      });
      expect(store.columns[2]?.width).toBeUndefined();
      expect(store.columns[2]?.source).toEqual({ key: 'a', width: 'wide' });
      expect(store.window(0, 1)).toEqual([[4, { kind: 'missing' }, 2, 1, 3]]);
      expect(store.window(0, 1, [2, 0])).toEqual([[2, 4]]);
    }
  });

  test('announces growth and new columns until the listener is disposed of', async () => {
    const versions = new Set<number>();
    let calls = 0;
    const { store } = await readReply('{"Data":[{"a":1},{"a":1,"b":2}],"Columns":[{"key":"b"}],"more":1}', [1], {
      onProgress: (growing) => {
        calls++;
        versions.add(growing.schemaVersion);
      },
    });
    expect(versions.size).toBe(4);
    const before = calls;
    const subscription = store.onDidGrow(() => calls++);
    subscription.dispose();
    store.advance(0);
    expect(calls).toBe(before + 1);
  });

  test('keeps every other member, and pollutes nothing', async () => {
    const text = '{"__proto__":{"polluted":1},"etime":"12","Data":[{"__proto__":{"polluted":2}}],"new":{"deep":[1]}}';
    const { store } = await readReply(text);
    expect(Object.keys(store.envelope)).toEqual(['__proto__', 'etime', 'new']);
    expect(store.columns.map(({ key }) => key)).toEqual(['__proto__']);
    expect(store.cell(0, 0)).toEqual({ kind: 'json', text: '{"polluted":2}' });
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  });

  test('gives rows that survive a message', async () => {
    const { store } = await readReply('{"Data":[{"a":1e400,"b":{"x":[1]},"c":"é","d":true},{}]}');
    const rows = store.window(0, 2);
    expect(structuredClone(rows)).toEqual(rows);
    expect(JSON.parse(JSON.stringify(rows))).toEqual(rows);
  });
});
