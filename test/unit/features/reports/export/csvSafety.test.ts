import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { blockRows } from '../../../../../src/client/results/resultCell.ts';
import { outcomeCsv } from '../../../../../src/features/userImport/csvText.ts';
import { exportFormats } from '../../../../../src/features/reports/export/exportFile.ts';
import { hostileTexts } from '../../../../support/webview/hostileTexts.ts';
import { storeOf } from '../view/results.ts';

/*
 * What a spreadsheet would make of each cell is judged here on its own: a program that leaves out what cannot be seen, and
 * quotes, before it looks at the first character.
 */

const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
const invisible = [
  ' ',
  '\u00a0',
  '\u3000',
  '\t',
  '\r',
  '\n',
  '\r\n',
  '\ufeff',
  '\u200b',
  '\u2028',
  '\0',
  '\x1b',
  '"',
  "'",
];
const bodies = ['1+1', 'HYPERLINK("http://x","y")', "cmd|' /C calc'!A0", 'SUM(A1;B2)', 'x\n=1+1', '1,2', ''];
const numbers = ['-5', '+1.5', '-1e-7', '0', '+12', '-0.10', ' -5'];
const harmless = [
  'ada',
  'Müller-Lüdenscheidt',
  'a=1',
  "O'Hare",
  'かな',
  'مرحبا',
  '🙂',
  '½',
  'x@y.org',
  '1-2',
  ' plain',
  '" quoted "',
  '',
];

/** The values of 1,000 rows: each sign bare and behind everything invisible, numbers, and what is harmless. */
const formulas = signs.flatMap((sign) =>
  bodies.flatMap((body) => ['', ...invisible, '  ', '" '].map((before) => `${before}${sign}${body}`)),
);
const starts = ['\t', '\r', '\n', '\r\n', '\n\n'].flatMap((start) => [`${start}x`, `${start}1`]);
const dangerous = [...formulas, ...starts].filter((text) => !numbers.includes(text));
const values = [...dangerous, ...numbers, ...harmless, ...hostileTexts];
const rows = Array.from({ length: Math.max(1_000, values.length) }, (_, at) => values[at % values.length] ?? '');

/** Whether a program would run a cell, or read another value than the text says. */
function isRun(cell: string): boolean {
  if (/^ *[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(cell)) return false;
  const seen = [...cell];
  if (['\t', '\r', '\n'].includes(seen[0] ?? '')) return true;
  // An apostrophe in front is what makes a text of a cell.
  if (seen[0] === "'") return false;
  while (seen[0] !== undefined && (invisible.includes(seen[0]) || seen[0].trim() === '')) seen.shift();
  return signs.includes(seen[0] ?? '');
}

function expectSafe(cells: readonly string[], originals: readonly string[]): void {
  expect(cells).toHaveLength(originals.length);
  expect(originals.filter(isRun).length).toBeGreaterThan(400);
  expect(cells.filter(isRun)).toEqual([]);
  for (const [at, original] of originals.entries()) expect([original, `'${original}`]).toContain(cells[at]);
  const changed = (texts: readonly string[]) =>
    originals.filter((original, at) => texts.includes(original) && cells[at] !== original);
  expect(changed([...numbers, ...harmless]), 'numbers and harmless texts are left alone').toEqual([]);
}

/** The cells of a file as an independent reader finds them, without the line of titles. */
function read(text: string, delimiter: string): string[][] {
  return parse(text, { delimiter, relax_column_count: false, bom: true, record_delimiter: '\r\n' }).slice(1);
}

async function exported(id: string, texts: readonly string[]): Promise<string> {
  const columns = ['text', 'n', 'again'].map((key) => ({
    key,
    headerText: key,
    yurbitype: key === 'n' ? 'num' : 'cha',
  }));
  const store = await storeOf(
    columns,
    texts.map((text, n) => ({ text, n: -n - 0.5, again: text })),
  );
  const format = exportFormats.find((each) => each.id === id);
  const parts: Buffer[] = [];
  const source = { store, columns: [0, 1, 2], rows: undefined, title: 'x' };
  await format?.write(source, async (bytes) => void parts.push(Buffer.from(bytes)), {});
  return Buffer.concat(parts).toString('utf8');
}

describe('cells that a spreadsheet would run', () => {
  it.each([
    ['csv', ','],
    ['csvWithMark', ','],
    ['tsv', '\t'],
  ])('are texts in an export as %s, and numbers are numbers', async (id, delimiter) => {
    const distinct = rows.map((text, at) => (at % 2 === 0 ? text : `${text} ${at}`));
    // Behind a block of texts that are all new, texts are no longer known but copied from the reply.
    const copied = Array.from({ length: blockRows + 2 * rows.length }, (_, at) => `${rows[at % rows.length]} ${at}`);
    for (const given of [rows, distinct, copied]) {
      const cells = read(await exported(id, given), delimiter);
      for (const column of [0, 2])
        expectSafe(
          cells.map((row) => row[column] ?? ''),
          given,
        );
      expect(cells.map((row) => row[1])).toEqual(given.map((_, n) => String(-n - 0.5)));
    }
  });

  it('are texts in the outcome of an import', () => {
    const given = rows.map((text, at) => ({ text, reason: rows[(at * 7 + 3) % rows.length] ?? '' }));
    const written = outcomeCsv(
      given.map(({ text, reason }, line) => ({
        ...{
          line,
          loginName: text,
          name: '',
          email: '',
          groups: '',
          role: '',
          look: 'failed',
          status: 'Refused',
          reason,
        },
      })),
    );
    const cells = read(written, ',');
    expect(cells.map(([line]) => line)).toEqual(given.map((_, line) => String(line)));
    expectSafe(
      cells.map((row) => row[1] ?? ''),
      rows,
    );
    expectSafe(
      cells.map((row) => row[3] ?? ''),
      given.map(({ reason }) => reason),
    );
  });
});
