import { describe, expect, it } from 'vitest';
import { blockRows } from '../../../../../src/client/results/resultCell.ts';
import { readResult } from '../../../../../src/client/results/readResult.ts';
import { csvFormat, jsonFormat, markdownFormat, tsvFormat, type TextFormat } from '../../../../../src/editor/csv.ts';
import type { ExportSource } from '../../../../../src/features/reports/export/exportSource.ts';
import { writeText, type TextEngine } from '../../../../../src/features/reports/export/writeText.ts';
import { engines } from '../../../../property/results/resultsOracle.ts';

/*
 * Files against what was written down by hand, and against the digits of the reply: no value here has been a number on
 * the way, so that a reader that rounds cannot agree with a writer that rounds.
 */

const textEngines: readonly TextEngine[] = ['wasm', 'js'];

/** A source of the rows of a reply, read by `engine` in pieces that end anywhere. */
async function sourceOf(
  reply: string,
  engine: (typeof engines)[number],
  rows?: readonly number[],
): Promise<ExportSource> {
  async function* pieces() {
    const bytes = Buffer.from(reply);
    for (let at = 0; at < bytes.length; at += 4_099) yield bytes.subarray(at, at + 4_099);
  }
  const { store, done } = readResult(pieces(), { engine });
  expect((await done).kind).toBe('complete');
  const columns = store.columns.map((_, column) => column);
  return { store, columns, rows: rows && Uint32Array.from(rows), title: 't' };
}

async function written(source: ExportSource, format: TextFormat, engine: TextEngine): Promise<string> {
  const parts: Buffer[] = [];
  await writeText(source, format, async (bytes) => void parts.push(Buffer.from(bytes)), {}, engine);
  return Buffer.concat(parts).toString();
}

const ways = engines.flatMap((read) => textEngines.map((write) => ({ read, write })));

describe.each(ways)('rows that $read reads and $write writes', ({ read, write }) => {
  const reply = String.raw`{"Columns":[{"key":"a","headerText":"A, b"},{"key":"b","headerText":"=B"},{"key":"c"}],"Data":[
    {"a":9007199254740993,"b":"=1+1","c":null},
    {"a":-1234567890123456789,"b":"say \"hi\", x","c":true},
    {"a":0.1,"b":"two\r\nlines","c":[1234567890123456789,"x"]},
    {"b":"tab\there","c":-0.5},
    {"a":1e2,"b":"＝SUM(A1)|*","c":{"k":"v"}}]}`;

  it('are a CSV file as written by hand', async () => {
    expect(await written(await sourceOf(reply, read), csvFormat, write)).toBe(
      [
        `"A, b",'=B,c`,
        `9007199254740993,'=1+1,`,
        '-1234567890123456789,"say ""hi"", x",true',
        '0.1,"two\r\nlines","[1234567890123456789,""x""]"',
        ',"tab\there",-0.5',
        `100,'＝SUM(A1)|*,"{""k"":""v""}"`,
        '',
      ].join('\r\n'),
    );
  });

  it('are a TSV file as written by hand', async () => {
    expect(await written(await sourceOf(reply, read), tsvFormat, write)).toBe(
      [
        `A, b\t'=B\tc`,
        `9007199254740993\t'=1+1\t`,
        '-1234567890123456789\t"say ""hi"", x"\ttrue',
        '0.1\t"two\r\nlines"\t"[1234567890123456789,""x""]"',
        '\t"tab\there"\t-0.5',
        `100\t'＝SUM(A1)|*\t"{""k"":""v""}"`,
        '',
      ].join('\r\n'),
    );
  });

  it('are a JSON file as written by hand', async () => {
    expect(await written(await sourceOf(reply, read), jsonFormat, write)).toBe(
      [
        '[',
        '{"a":9007199254740993,"b":"=1+1","c":null},',
        String.raw`{"a":-1234567890123456789,"b":"say \"hi\", x","c":true},`,
        String.raw`{"a":0.1,"b":"two\r\nlines","c":[1234567890123456789,"x"]},`,
        String.raw`{"b":"tab\there","c":-0.5},`,
        '{"a":100,"b":"＝SUM(A1)|*","c":{"k":"v"}}',
        ']',
        '',
      ].join('\n'),
    );
  });

  it('are a Markdown table as written by hand', async () => {
    expect(await written(await sourceOf(reply, read), markdownFormat, write)).toBe(
      [
        '| A, b | =B | c |',
        '| --- | --- | --- |',
        '| 9007199254740993 | =1+1 |  |',
        '| -1234567890123456789 | say "hi", x | true |',
        String.raw`| 0.1 | two<br>lines | \[1234567890123456789,"x"\] |`,
        '|  | tab\there | -0.5 |',
        String.raw`| 100 | ＝SUM(A1)\|\* | \{"k":"v"\} |`,
        '',
      ].join('\n'),
    );
  });

  /** Digits that a double mostly cannot hold: 16 to 19 of them, never the same, with a sign on every third. */
  const digitsOf = (row: number) => {
    const length = 16 + (row % 4);
    const tail = String(row * 7_919 + 1).padStart(9, '0');
    return `${row % 3 === 0 ? '-' : ''}9${'0719925474099'.slice(0, length - tail.length - 1).padEnd(length - tail.length - 1, '3')}${tail}`;
  };
  const rows = Array.from({ length: blockRows + 1 }, (_, row) => digitsOf(row));

  it('keep every digit over the end of a block, in order and out of it', async () => {
    expect(rows.every((digits) => /^-?[1-9]\d{15,18}$/.test(digits))).toBe(true);
    expect(new Set(rows).size).toBe(blockRows + 1);
    const lines = rows.map((digits, row) => `{"n":${digits},"t":"${digits}","r":${row}}`);
    const long = `{"Data":[${lines.join(',')}]}`;
    for (const order of [
      undefined,
      [blockRows, 0, blockRows - 1, 1, blockRows],
      rows.map((_, row) => blockRows - row),
    ]) {
      const source = await sourceOf(long, read, order);
      const taken = order ?? rows.map((_, row) => row);
      const csv = (await written(source, csvFormat, write)).split('\r\n');
      expect(csv.shift()).toBe('n,t,r');
      expect(csv.pop()).toBe('');
      expect(csv).toEqual(taken.map((row) => `${rows[row]},${rows[row]},${row}`));
      const json = await written(source, jsonFormat, write);
      expect(json).toBe(`[\n${taken.map((row) => lines[row]).join(',\n')}\n]\n`);
    }
  });
});
