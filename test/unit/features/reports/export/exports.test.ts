import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { parquetReadObjects } from 'hyparquet';
import { readXlsx } from 'hucre/xlsx';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  exportFile,
  exportFormats,
  type ExportFormat,
  fileName,
} from '../../../../../src/features/reports/export/exportFile.ts';
import type { ExportSource } from '../../../../../src/features/reports/export/exportSource.ts';
import { formulaSafe } from '../../../../../src/editor/csv.ts';
import { sheetName } from '../../../../../src/features/reports/export/writeWorkbook.ts';
import { copySql, sqlDialect } from '../../../../../src/features/reports/view/copy/copyForms.ts';
import { hostileTexts } from '../../../../support/webview/hostileTexts.ts';
import { storeOf } from '../view/results.ts';

const columns = [
  { key: 'city', headerText: 'City', yurbitype: 'cha' },
  { key: 'n', headerText: '=N', yurbitype: 'num' },
];
const format = (id: ExportFormat['id']) => exportFormats.find((each) => each.id === id)!;

async function sourceOf(rows: object[], order?: number[]): Promise<ExportSource> {
  const store = await storeOf(columns, rows);
  return { store, columns: [0, 1], rows: order && Uint32Array.from(order), title: 'Cities' };
}

async function bytesOf(id: ExportFormat['id'], source: ExportSource): Promise<Buffer> {
  const parts: Buffer[] = [];
  await format(id).write(source, async (bytes) => void parts.push(Buffer.from(bytes)), {});
  return Buffer.concat(parts);
}

const textOf = async (id: ExportFormat['id'], source: ExportSource) => (await bytesOf(id, source)).toString('utf8');

/** Reads CSV by the rules of RFC 4180. */
function readCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|$)/y;
  while (field.lastIndex < text.length) {
    const [, quoted, plain = '', end] = field.exec(text) ?? [];
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}

const rows = [
  { city: 'Oslo', n: 1.5 },
  { city: 'São "Paulo", BR', n: -7 },
  { city: '=1+1', n: null },
  { city: 'two\nlines|<b>', n: '-12.50' },
  { city: null, n: 0 },
  {},
];

describe('an export', () => {
  it('writes CSV that a spreadsheet reads as text and numbers, never as formulas', async () => {
    expect(await textOf('csv', await sourceOf(rows))).toBe(
      ["City,'=N", 'Oslo,1.5', '"São ""Paulo"", BR",-7', "'=1+1,", '"two\nlines|<b>",-12.50', ',0', ',', ''].join(
        '\r\n',
      ),
    );
  });

  it('keeps rows without a value, or with an empty text, where there is one column', async () => {
    const few = ['Oslo', null, '', undefined, 'Rome'].map((city) => ({ city }));
    const many = Array.from({ length: 5_000 }, (_, n) => ({
      city: n % 7 === 0 ? null : n % 5 === 0 ? '' : `city ${n}`,
    }));
    for (const given of [few, many]) {
      const source = { ...(await sourceOf(given)), columns: [0] };
      for (const id of ['csv', 'csvWithMark', 'tsv'] as const) {
        const lines = (await textOf(id, source)).split('\r\n');
        expect(lines.slice(1, -1)).toEqual(given.map(({ city }) => (city == null || city === '' ? '""' : city)));
      }
    }
    expect(await textOf('csvWithMark', { ...(await sourceOf([{}])), columns: [0] })).toBe('\ufeffCity\r\n""\r\n');
  });

  it('keeps the order and the rows of the view', async () => {
    expect(await textOf('tsv', await sourceOf(rows, [4, 0]))).toBe("City\t'=N\r\n\t0\r\nOslo\t1.5\r\n");
  });

  it('writes JSON that reads back as it came', async () => {
    expect(JSON.parse(await textOf('json', await sourceOf(rows)))).toEqual(rows);
    expect(JSON.parse(await textOf('json', await sourceOf([])))).toEqual([]);
  });

  it('writes a Markdown table without markup of its own', async () => {
    const lines = (await textOf('markdown', await sourceOf(rows))).split('\n');
    expect(lines.slice(0, 3)).toEqual(['| City | =N |', '| --- | --- |', '| Oslo | 1.5 |']);
    expect(lines[5]).toBe('| two<br>lines\\|\\<b\\> | -12.50 |');
  });

  it('writes a workbook whose texts are no formulas, and whose numbers are numbers', async () => {
    const book = await readXlsx(await bytesOf('xlsx', await sourceOf(rows)));
    const [sheet] = book.sheets;
    expect(sheet?.name).toBe('Cities');
    expect(sheet?.rows.slice(0, 5)).toEqual([
      ['City', '=N'],
      ['Oslo', 1.5],
      ['São "Paulo", BR', -7],
      ['=1+1', null],
      ['two\nlines|<b>', -12.5],
    ]);
  });

  it('tells of every text that a cell of a workbook has no room for', async () => {
    const given = ['x'.repeat(32_767), 'x'.repeat(32_768), '_x0041_', 'é'.repeat(40_000)].map((city) => ({ city }));
    for (const [id, told] of [
      ['xlsx', 2],
      ['csv', 0],
      ['parquet', 0],
    ] as const) {
      let cut = 0;
      await format(id).write(await sourceOf(given), async () => undefined, { onCut: () => void cut++ });
      expect([id, cut]).toEqual([id, told]);
    }
  });

  it('writes Parquet with numbers as numbers where a column holds nothing else, also as text', async () => {
    const read = async (given: object[]) => {
      const bytes = await bytesOf('parquet', await sourceOf(given));
      const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
      return (await parquetReadObjects({ file })).map(({ n }) => n as unknown);
    };
    expect(await read(rows)).toEqual([1.5, -7, null, -12.5, 0, null]);
    expect(await read([...rows, { n: 'n/a' }])).toEqual(['1.5', '-7', null, '-12.50', '0', null, 'n/a']);
    expect(await read([{ n: '9007199254740993' }, { n: 1 }])).toEqual(['9007199254740993', '1']);
    const many = Array.from({ length: 20_000 }, (_, i) => ({ city: `c${i}`, n: i / 2 }));
    const large = await bytesOf('parquet', await sourceOf(many));
    const largeFile = large.buffer.slice(large.byteOffset, large.byteOffset + large.byteLength) as ArrayBuffer;
    expect(await parquetReadObjects({ file: largeFile })).toEqual(many);
  });

  it('writes CSV and Parquet that a database reads as the same rows', async () => {
    const given = [...rows.slice(0, 5), ...hostileTexts.slice(0, 50).map((text, n) => ({ city: text, n }))];
    const folder = await mkdtemp(path.join(os.tmpdir(), 'analytics-read-'));
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    try {
      const read = async (id: 'csv' | 'parquet', from: (file: string) => string) => {
        const file = path.join(folder, `rows.${id}`);
        await writeFile(file, await bytesOf(id, await sourceOf(given)));
        return (await connection.runAndReadAll(`SELECT * FROM ${from(file)}`)).getRowsJson();
      };
      const stored = given.map(({ city, n }) => [city, n === null ? null : Number(n)]);
      expect(await read('parquet', (file) => `read_parquet('${file}')`)).toEqual(stored);
      // In CSV no text begins as a formula does, and nothing and an empty text are one.
      const safe = stored.map(([city, n]) => [city === null ? null : formulaSafe(String(city)), n]);
      const csv = `header = true, quote = '"', escape = '"', delim = ',', auto_detect = false`;
      const types = `columns = {'city': 'VARCHAR', 'n': 'DOUBLE'}`;
      const shown = await read('csv', (file) => `read_csv('${file}', ${csv}, ${types})`);
      expect(shown.map(([city, n]) => [city ?? '', n])).toEqual(safe.map(([city, n]) => [city ?? '', n]));
    } finally {
      connection.closeSync();
      instance.closeSync();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('writes numbers as the language does', async () => {
    const numbers = [
      0,
      -0,
      7,
      10,
      99,
      100,
      0.1,
      0.05,
      1.005,
      -2.5,
      12345678.25,
      1e9,
      999999999,
      1e21,
      1e-7,
      5e-324,
      1 / 3,
    ];
    numbers.push(...Array.from({ length: 2_000 }, (_, i) => (Math.sin(i) * 10 ** (i % 12)) / 10 ** (i % 5)));
    const source = await sourceOf(numbers.map((n) => ({ n })));
    const written = readCsv(await textOf('csv', source)).slice(1);
    expect(written.map(([, n]) => n)).toEqual(numbers.map((n) => String(JSON.parse(JSON.stringify(n)))));
  });

  it('is CSV behind a byte order mark where that is chosen', async () => {
    const source = await sourceOf([{ city: 'München', n: 1 }]);
    const [plain, marked] = [await bytesOf('csv', source), await bytesOf('csvWithMark', source)];
    expect([...marked.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(marked.subarray(3)).toEqual(plain);
  });

  it('neutralises 500 hostile texts in cells and headers, and reads back every one of them', async () => {
    const store = await storeOf(
      [{ key: 'city', headerText: `@SUM(1)${hostileTexts[0]}`, yurbitype: 'cha' }],
      hostileTexts.flatMap((text) => [{ city: text }, { city: `=${text}` }]),
    );
    const source = { store, columns: [0], rows: undefined, title: 'x' };
    const read = readCsv(await textOf('csv', source)).map(([cell = '']) => cell);
    expect(read).toHaveLength(1 + 2 * hostileTexts.length);
    expect(read.filter((cell) => /^[=+\-@\t\r\n]/.test(cell))).toEqual([]);
    expect(read.slice(1)).toEqual(hostileTexts.flatMap((text) => [formulaSafe(text), `'=${text}`]));
    expect(JSON.parse(await textOf('json', source))).toHaveLength(2 * hostileTexts.length);
    const markdown = await textOf('markdown', source);
    expect(markdown.split('\n')).toHaveLength(2 + 2 * hostileTexts.length + 1);
    expect(markdown.replaceAll('<br>', '')).not.toMatch(/(?<!\\)[<>]/);
  });

  it('keeps a text in one cell where lists are separated by semicolons, and knows wide signs', async () => {
    const texts = ['x;=1+1', 'x\t=1+1', '；', '＝1+1', '＋1', '－1', '＠A1', 'Größe', 'ïx'];
    const rows = await storeOf(
      [columns[0]!],
      texts.map((city) => ({ city })),
    );
    const written = await textOf('csv', { store: rows, columns: [0], rows: undefined, title: 'x' });
    const quoted = ['"x;=1+1"', '"x\t=1+1"', '；', "'＝1+1", "'＋1", "'－1", "'＠A1", 'Größe', 'ïx'];
    expect(written).toBe(`City\r\n${quoted.join('\r\n')}\r\n`);
  });

  it('leaves signed numbers alone', () => {
    expect(['-5', '+1.5e3', '-1-cmd', '@x', '\tx', '1', ''].map(formulaSafe)).toEqual([
      '-5',
      '+1.5e3',
      "'-1-cmd",
      "'@x",
      "'\tx",
      '1',
      '',
    ]);
  });
});

describe('cells for the clipboard', () => {
  it('are SQL lists and statements with quotes doubled', async () => {
    const source = await sourceOf([
      { city: "O'Hare", n: 1 },
      { city: "O'Hare", n: null },
      { city: null, n: 2.5 },
    ]);
    expect(await copySql({ ...source, columns: [0] }, 'inList', sqlDialect('postgresql')!)).toBe("('O''Hare')");
    expect(await copySql(source, 'insert', sqlDialect('postgresql')!)).toBe(
      `INSERT INTO "Cities" ("city", "n") VALUES\n  ('O''Hare', 1),\n  ('O''Hare', NULL),\n  (NULL, 2.5);\n`,
    );
  });
});

describe('SQL for the clipboard', () => {
  /** A text literal as each kind of database reads it; undefined where it does not end with the text. */
  function readLiteral(literal: string, hasBackslashes: boolean): string | undefined {
    const inner = /^N?'([^]*)'$/.exec(literal)?.[1];
    if (inner === undefined) return undefined;
    let text = '';
    for (let at = 0; at < inner.length; at += 1) {
      const [one, next] = [inner[at]!, inner[at + 1]];
      if (hasBackslashes && one === '\\') text += inner[++at] ?? '';
      else if (one !== "'") text += one;
      else if (next === "'") text += inner[++at]!;
      else return undefined;
    }
    return text;
  }

  it.each([
    ['postgresql', false],
    ['DuckDB', false],
    ['SQLite', false],
    ['MSSQL', false],
    ['Oracle', false],
    ['MySQL', true],
    ['MariaDB', true],
    ['ClickHouse', true],
    ['snowflake', true],
    ['databricks', true],
  ])('lets no text of a cell end before its end on %s', async (platform, hasBackslashes) => {
    const dialect = sqlDialect(platform)!;
    const evil = ["\\'; DROP TABLE x; -- ", 'ends in \\', "'' OR ''=''", "\\\\'", 'plain', 'Zürich'];
    for (const text of [...evil, ...hostileTexts]) {
      expect(readLiteral(dialect.text(text), hasBackslashes)).toBe(text);
      const list = await copySql({ ...(await sourceOf([{ city: text, n: 1 }])), columns: [0] }, 'inList', dialect);
      expect(list).toBe(`(${dialect.text(text)})`);
    }
  });

  it('has names, booleans and rows as each database wants them', async () => {
    const source = await sourceOf([
      { city: true, n: 1 },
      { city: null, n: null },
    ]);
    const hostile = { ...source, title: 'a]b`c"d\\' };
    const insert = (platform: string) => copySql(hostile, 'insert', sqlDialect(platform)!);
    expect(await insert('postgresql')).toBe(
      `INSERT INTO "a]b\`c""d\\" ("city", "n") VALUES\n  (TRUE, 1),\n  (NULL, NULL);\n`,
    );
    expect(await insert('mysql')).toContain('INSERT INTO `a]b``c"d\\` (`city`, `n`)');
    expect(await insert('clickhouse')).toContain('INSERT INTO `a]b\\`c"d\\\\` (`city`, `n`)');
    expect(await insert('sqlserver')).toBe(
      'INSERT INTO [a]]b`c"d\\] ([city], [n]) VALUES\n  (1, 1),\n  (NULL, NULL);\n',
    );
    expect((await insert('oracle')).match(/INSERT INTO/g)).toHaveLength(2);
    expect(sqlDialect('something new')).toBeUndefined();
  });

  it('has no list without values', async () => {
    const source = await sourceOf([{ city: null, n: 1 }]);
    expect(await copySql({ ...source, columns: [0] }, 'inList', sqlDialect('duckdb')!)).toBe('(NULL)');
  });
});

describe('names of files', () => {
  it('stay inside the folder, whatever a report is called', () => {
    const hostile = [
      '../../etc/passwd',
      '..',
      '.',
      '',
      'a/b\\c',
      'CON',
      'nul.txt',
      'a\u0000b',
      '\u202egnp.exe',
      'x'.repeat(500),
      '報'.repeat(500),
      '👩‍💻'.repeat(100),
    ];
    const folder = path.resolve('/exports');
    for (const title of [...hostile, ...hostileTexts, ...hostileTexts.map((text) => `../${text}`)]) {
      const name = fileName(title);
      expect(path.dirname(path.resolve(folder, `${name}.csv`))).toBe(folder);
      expect(path.win32.basename(`C:\\exports\\${name}.csv`)).toBe(`${name}.csv`);
      expect(name).toMatch(/^[^/\\:*?"<>|\p{Cc}\p{Cf}]{1,121}$/u);
      expect(name).not.toMatch(/^(con|nul)(\.|$)/i);
      expect(name.trim()).toBe(name);
      expect(Buffer.byteLength(`${name}.parquet.details.json`)).toBeLessThan(255);
      expect(sheetName(title)).toMatch(/^[^\\/?*[\]:]{1,31}$/);
    }
    expect(fileName('Delays by State')).toBe('Delays by State');
  });
});

describe('the file of an export', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'export-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is there whole, with its hash', async () => {
    const target = path.join(folder, 'a.csv');
    const told: number[] = [];
    const { bytes, hash } = await exportFile(target, format('csv'), await sourceOf(rows), {
      onProgress: (count) => told.push(count),
      wantsHash: true,
    });
    const content = await readFile(target);
    expect(content.length).toBe(bytes);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(told).toEqual([6]);
  });

  it.each(exportFormats)('leaves nothing behind when $name is cancelled, and keeps what was there', async (each) => {
    const target = path.join(folder, `b.${each.extension}`);
    await writeFile(target, 'before');
    const many = Array.from({ length: 30_000 }, (_, n) => ({ city: `city ${n}`, n }));
    const stop = new AbortController();
    const progress = { signal: stop.signal, onProgress: () => stop.abort(new Error('stopped')) };
    await expect(exportFile(target, each, await sourceOf(many), progress)).rejects.toThrow('stopped');
    expect(await readFile(target, 'utf8')).toBe('before');
    expect((await readdir(folder)).filter((name) => name.includes('partial'))).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('may be read by nobody else where what was there was so', async () => {
    const target = path.join(folder, 'own.csv');
    await writeFile(target, 'before', { mode: 0o600 });
    await exportFile(target, format('csv'), await sourceOf(rows), {});
    expect((await stat(target)).mode & 0o777).toBe(0o600);
  });

  it('may be named with as many bytes as a file system takes', async () => {
    const target = path.join(folder, `${'ж'.repeat(125)}.csv`);
    await exportFile(target, format('csv'), await sourceOf(rows), {});
    expect((await readFile(target, 'utf8')).startsWith('City')).toBe(true);
  });

  it('is not there when it cannot be written', async () => {
    const target = path.join(folder, 'none', 'a.csv');
    await expect(exportFile(target, format('csv'), await sourceOf(rows), {})).rejects.toThrow(/ENOENT/);
  });
});
