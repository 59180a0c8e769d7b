import { describe, expect, it } from 'vitest';
import { csvFormat, markdownFormat, tsvFormat, type TextFormat } from '../../../../../src/editor/csv.ts';
import { writeText, type TextEngine } from '../../../../../src/features/reports/export/writeText.ts';
import { storeOf } from '../view/results.ts';

/*
 * Each cell as the file must contain it, written by hand from RFC 4180, the IANA notes on TSV and GitHub Flavored Markdown,
 * not by another writer of ours. Both engines write the same.
 */

/** Value, and its cell in CSV, TSV and Markdown. */
const cells: readonly (readonly [value: unknown, csv: string, tsv: string, markdown: string])[] = [
  ['plain', 'plain', 'plain', 'plain'],
  ['', '', '', ''],
  [null, '', '', ''],
  [undefined, '', '', ''],
  ['null', 'null', 'null', 'null'],
  ['say "hi"', '"say ""hi"""', '"say ""hi"""', 'say "hi"'],
  ['"', '""""', '""""', '"'],
  ['a,b', '"a,b"', 'a,b', 'a,b'],
  ['a;b', '"a;b"', 'a;b', 'a;b'],
  ['a\tb', '"a\tb"', '"a\tb"', 'a\tb'],
  ['a\r\nb', '"a\r\nb"', '"a\r\nb"', 'a<br>b'],
  ['a\nb', '"a\nb"', '"a\nb"', 'a<br>b'],
  ['a\rb', '"a\rb"', '"a\rb"', 'a<br>b'],
  ['a\0b', 'a\0b', 'a\0b', 'a\0b'],
  ['=1+1', "'=1+1", "'=1+1", '=1+1'],
  ['+cmd', "'+cmd", "'+cmd", '+cmd'],
  ['-x', "'-x", "'-x", '-x'],
  ['@SUM(A1,B2)', `"'@SUM(A1,B2)"`, "'@SUM(A1,B2)", '@SUM(A1,B2)'],
  ['\t=1', `"'\t=1"`, `"'\t=1"`, '\t=1'],
  ['\u202e=1', "'\u202e=1", "'\u202e=1", '\u202e=1'],
  ['＝1+1', "'＝1+1", "'＝1+1", '＝1+1'],
  ['\u202eabc', '\u202eabc', '\u202eabc', '\u202eabc'],
  ['-5', '-5', '-5', '-5'],
  ['9007199254740993', '9007199254740993', '9007199254740993', '9007199254740993'],
  ['مرحبا', 'مرحبا', 'مرحبا', 'مرحبا'],
  ['😀', '😀', '😀', '😀'],
  ['a|b', 'a|b', 'a|b', 'a\\|b'],
  ['<b>*x*</b>', '<b>*x*</b>', '<b>*x*</b>', '\\<b\\>\\*x\\*\\</b\\>'],
  ['\\', '\\', '\\', '\\\\'],
  // Half a character has no bytes in UTF-8: it is replaced, and what follows stays.
  ['\ud83dx', '\ufffdx', '\ufffdx', '\ufffdx'],
  ['x\ude00', 'x\ufffd', 'x\ufffd', 'x\ufffd'],
];

async function written(format: TextFormat, engine: TextEngine): Promise<string> {
  const columns = ['k', 'v', 'z'].map((key) => ({ key, headerText: key, yurbitype: 'cha' }));
  const rows = cells.map(([v], at) => ({ k: `k${at}`, ...(v !== undefined && { v }), z: 'z' }));
  const source = { store: await storeOf(columns, rows), columns: [0, 1, 2], rows: undefined, title: 't' };
  const parts: Buffer[] = [];
  await writeText(source, format, async (bytes) => void parts.push(Buffer.from(bytes)), {}, engine);
  return Buffer.concat(parts).toString('utf8');
}

describe.each(['wasm', 'js'] as const)('the bytes that %s writes', (engine) => {
  const lines = (line: (row: (typeof cells)[number], at: number) => string) => cells.map(line).join('');

  it('are CSV', async () => {
    const rows = lines(([, csv], at) => `k${at},${csv},z\r\n`);
    expect(await written(csvFormat, engine)).toBe(`k,v,z\r\n${rows}`);
  });

  it('are TSV', async () => {
    const rows = lines(([, , tsv], at) => `k${at}\t${tsv}\tz\r\n`);
    expect(await written(tsvFormat, engine)).toBe(`k\tv\tz\r\n${rows}`);
  });

  it('are a Markdown table', async () => {
    const rows = lines(([, , , markdown], at) => `| k${at} | ${markdown} | z |\n`);
    expect(await written(markdownFormat, engine)).toBe(`| k | v | z |\n| --- | --- | --- |\n${rows}`);
  });
});
