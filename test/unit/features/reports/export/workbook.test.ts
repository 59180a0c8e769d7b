import { describe, expect, it } from 'vitest';
import { exportFormats } from '../../../../../src/features/reports/export/exportFile.ts';
import { readWorkbook, type ReadSheet } from '../../../../support/readWorkbook.ts';
import { hostileTexts } from '../../../../support/webview/hostileTexts.ts';
import { storeOf, type TestColumn } from '../view/results.ts';

const xlsx = exportFormats.find(({ id }) => id === 'xlsx')!;

/** Exports rows and reads the file as another program does. */
async function exported(
  columns: readonly TestColumn[],
  rows: readonly object[],
  title = 'Cities',
  shown = columns.map((_, column) => column),
): Promise<ReadSheet[]> {
  const store = await storeOf(columns, rows);
  const parts: Buffer[] = [];
  const source = { store, columns: shown, rows: undefined, title };
  await xlsx.write(source, async (bytes) => void parts.push(Buffer.from(bytes)), {});
  return readWorkbook(Buffer.concat(parts));
}

const text = { key: 'text', headerText: 'Text', yurbitype: 'cha' };
const texts = async (values: readonly unknown[]) => {
  const [sheet] = await exported(
    [text],
    values.map((value) => ({ text: value })),
  );
  return sheet?.rows.slice(1).map(([cell]) => cell);
};

describe('a workbook, read by another program', () => {
  it('holds dates as stored, numbers with all their digits, truth values, and nothing where there is nothing', async () => {
    const columns = [
      { key: 'day', headerText: 'Day', yurbitype: 'doz' },
      { key: 'n', headerText: 'N', yurbitype: 'num' },
      { key: 'is', headerText: 'Is', yurbitype: 'cha' },
    ];
    const [sheet] = await exported(columns, [
      { day: '2026-02-28T10:30:00', n: 1.5, is: true },
      { day: '1899-12-31', n: '12345678901234567890', is: false },
      { day: null, n: null, is: null },
      { day: '0001-01-01', n: '123456789012345', is: true },
      { day: '', n: '-0.10', is: false },
      { n: 1e21, day: '2026-11-01T01:30:00-05:00', is: true },
    ]);
    expect(sheet?.rows).toEqual([
      ['Day', 'N', 'Is'],
      ['2026-02-28T10:30:00', 1.5, true],
      ['1899-12-31', '12345678901234567890', false],
      [],
      ['0001-01-01', 123456789012345, true],
      ['', -0.1, false],
      ['2026-11-01T01:30:00-05:00', 1e21, true],
    ]);
  });

  it('makes numbers of the texts of number columns alone, also where columns are hidden and moved', async () => {
    const columns = [
      { key: 'code', headerText: 'Code', yurbitype: 'cha' },
      { key: 'hidden', headerText: 'Hidden', yurbitype: 'cha' },
      { key: 'n', headerText: 'N', yurbitype: 'num' },
    ];
    const rows = [{ code: '007', hidden: '1', n: '1.5' }];
    const [moved] = await exported(columns, rows, 'Cities', [2, 0]);
    expect(moved?.rows).toEqual([
      ['N', 'Code'],
      [1.5, '007'],
    ]);
    const [cut] = await exported(columns, rows, 'Cities', [0, 2]);
    expect(cut?.rows).toEqual([
      ['Code', 'N'],
      ['007', 1.5],
    ]);
  });

  it('holds every text as it is, and none as a formula', async () => {
    const formulas = [
      '=1+1',
      '+1',
      '-1',
      '@SUM(A1)',
      '\t=1',
      "'=1",
      '=HYPERLINK("https://example.com")',
      '=cmd|"/c x"!A0',
    ];
    const edges = [
      ' both ends ',
      'two\nlines',
      '<b>&amp;"\'',
      ']]>',
      '_x0041_',
      '_x005F_x0041_',
      '_X002f_',
      '😀',
      'שלום',
    ];
    const [sheet] = await exported(
      [text, { key: 'n', headerText: '=1+1', yurbitype: 'num' }],
      [...formulas, ...edges].map((value) => ({ text: value, n: 1 })),
    );
    expect(sheet?.hasFormulas).toBe(false);
    expect(sheet?.rows.map(([cell]) => cell)).toEqual(['Text', ...formulas, ...edges]);
    expect(sheet?.rows[0]?.[1]).toBe('=1+1');
    expect(await texts(['\u0001 and \ud800', 'x'.repeat(40_000)])).toEqual(['\ufffd and \ufffd', 'x'.repeat(32_767)]);
    const ofXml = hostileTexts.map((each) =>
      each.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd'),
    );
    expect(await texts(hostileTexts)).toEqual(ofXml.map((each) => each.replace(/\r\n?/g, '\n')));
  });

  it('names its sheets as a spreadsheet takes them', async () => {
    const titles = ['a/b\\c?d*e[f]g:h', "'quoted'", 'History', '', 'x'.repeat(60), '_x002F_', '<&">', '\u202egnp.exe'];
    const names = await Promise.all(
      titles.map(async (title) => (await exported([text], [{ text: '1' }], title))[0]?.name),
    );
    expect(names).toEqual([
      'a b c d e f g h',
      'quoted',
      'Report',
      'Report',
      'x'.repeat(28),
      '_x002F_',
      '<&">',
      'gnp.exe',
    ]);
  });

  it('goes on upon another sheet, with the titles again, behind row 1,048,576', { timeout: 120_000 }, async () => {
    const count = 1_048_576 + 10;
    const rows = Array.from({ length: count }, (_, n) => ({ n }));
    const sheets = await exported([{ key: 'n', headerText: 'N', yurbitype: 'num' }], rows, 'y'.repeat(31));
    expect(sheets.map(({ rows: { length } }) => length)).toEqual([1_048_576, 12]);
    expect(sheets.map(({ rows: [first] }) => first)).toEqual([['N'], ['N']]);
    expect(sheets[0]?.rows.at(-1)).toEqual([1_048_574]);
    expect([sheets[1]?.rows[1], sheets[1]?.rows.at(-1)]).toEqual([[1_048_575], [count - 1]]);
    const names = sheets.map(({ name }) => name);
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(2);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(31);
  });
});
