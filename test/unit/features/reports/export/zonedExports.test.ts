import { parquetReadObjects } from 'hyparquet';
import { readXlsx } from 'hucre/xlsx';
import { describe, expect, it } from 'vitest';
import { csvFormat, jsonFormat } from '../../../../../src/editor/csv.ts';
import { exportFormats, type ExportFormat } from '../../../../../src/features/reports/export/exportFile.ts';
import type { ExportSource } from '../../../../../src/features/reports/export/exportSource.ts';
import { writeText } from '../../../../../src/features/reports/export/writeText.ts';
import { copySql, copyText, sqlDialect } from '../../../../../src/features/reports/view/copy/copyForms.ts';
import { storeOf } from '../view/results.ts';

const columns = [
  { key: 'at', headerText: 'At', yurbitype: 'dat' },
  { key: 'stored', headerText: 'Stored', yurbitype: 'dtz' },
];
const zones = { stored: 'America/New_York', shown: 'Asia/Kolkata' };
const rows = [
  { at: '2026-01-05T08:30:00', stored: '2026-01-05T08:30:00' },
  { at: '2026-07-05 08:30:00.125', stored: '2026-07-05 08:30:00.125' },
  { at: '2026-01-05T08:30:00Z', stored: null },
  { at: '2026-01-05', stored: 'soon' },
  { at: null, stored: null },
];
const expected = [
  '2026-01-05T19:00:00+05:30',
  '2026-07-05T18:00:00.125+05:30',
  '2026-01-05T14:00:00+05:30',
  '2026-01-05',
  null,
];

async function sourceOf(all: object[] = rows): Promise<ExportSource> {
  return { store: await storeOf(columns, all), columns: [0, 1], rows: undefined, title: 'Times', zones };
}

async function bytesOf(id: ExportFormat['id'], source: ExportSource): Promise<Buffer> {
  const parts: Buffer[] = [];
  const format = exportFormats.find((each) => each.id === id)!;
  await format.write(source, async (bytes) => void parts.push(Buffer.from(bytes)), {});
  return Buffer.concat(parts);
}

describe('times of a server in files', () => {
  it.each(['csv', 'tsv', 'markdown', 'csvWithMark'] as const)('are ISO 8601 with the offset in %s', async (id) => {
    const text = (await bytesOf(id, await sourceOf())).toString();
    for (const each of expected.filter((found) => found !== null)) expect(text).toContain(each);
    expect(text).not.toContain('2026-01-05T08:30:00Z');
    expect(text).toContain('2026-07-05 08:30:00.125');
  });

  it('are ISO 8601 with the offset in JSON, Excel and Parquet', async () => {
    const json = JSON.parse((await bytesOf('json', await sourceOf())).toString()) as { at: unknown }[];
    expect(json.map(({ at }) => at)).toEqual(expected);
    const { sheets } = await readXlsx(await bytesOf('xlsx', await sourceOf()));
    // Empty rows at the end are not read.
    expect(sheets[0]?.rows.slice(1, 5).map(([at]) => at)).toEqual(expected.slice(0, 4));
    const file = await bytesOf('parquet', await sourceOf());
    const read: Record<string, unknown>[] = await parquetReadObjects({ file: new Uint8Array(file).buffer });
    expect(read.map(({ at }) => at)).toEqual(expected);
    expect(read.map(({ stored }) => stored)).toEqual(rows.map(({ stored }) => stored));
  });

  it('are the same in large files, which WebAssembly writes, with few and with many different texts', async () => {
    const moment = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 61_000).toISOString().slice(0, 19);
    const many = Array.from({ length: 9_000 }, (_, index) => ({ at: moment(index), stored: moment(index % 7) }));
    const few = many.map((_, index) => ({ at: moment(index % 7), stored: moment(index) }));
    for (const all of [many, few]) {
      const source = await sourceOf(all);
      for (const format of [csvFormat, jsonFormat]) {
        const [wasm = '', js = ''] = await Promise.all(
          (['wasm', 'js'] as const).map(async (engine) => {
            const parts: Buffer[] = [];
            await writeText(source, format, async (bytes) => void parts.push(Buffer.from(bytes)), {}, engine);
            return Buffer.concat(parts).toString();
          }),
        );
        expect(wasm === js).toBe(true);
        expect(wasm.match(/\+05:30/g)).toHaveLength(all.length);
      }
    }
  });

  it('are copied as files have them, and as stored into SQL', async () => {
    const source = await sourceOf();
    expect(await copyText(source, 'csv')).toContain('2026-01-05T19:00:00+05:30');
    const sql = await copySql({ ...source, columns: [0] }, 'inList', sqlDialect('duckdb')!);
    expect(sql).toBe("('2026-01-05T08:30:00', '2026-07-05 08:30:00.125', '2026-01-05T08:30:00Z', '2026-01-05')");
  });
});
