import { describe, expect, it } from 'vitest';
import { TrinoFailure } from '../../../../src/server/databases/trino/failures.ts';
import { readTrinoPage } from '../../../../src/server/databases/trino/page.ts';

const head = '{"id":"q","infoUri":"http://t","nextUri":"http://t/2"';
const stats = '"stats":{"state":"RUNNING","stages":[[1],[2]]},"warnings":[]}';
const columnsOf = (types: readonly string[]) =>
  `"columns":${JSON.stringify(types.map((type, index) => ({ name: `"data":[[${index}`, type })))}`;
const pageOf = (types: readonly string[], rows: readonly string[]) =>
  `${head},${columnsOf(types)},"data":[${rows.join(',')}],${stats}`;

const read = (text: string) => readTrinoPage(Buffer.from(text));

const cut = '],[';
/** Rows that a page of megabytes would have. */
const many = (row: (index: number) => string) => Array.from({ length: 5_000 }, (_, index) => row(index));

describe('a large page of Trino', () => {
  it.each([
    ['texts', ['bigint', 'varchar'], many((index) => JSON.stringify([index, `${'x'.repeat(60)} "é" \\`]))],
    ['texts of several bytes', ['varchar'], many(() => JSON.stringify(['é😀]日本['.repeat(9)]))],
    ['texts that look like the ends of rows', ['varchar'], many(() => JSON.stringify([`"]${cut}"${cut}`.repeat(9)]))],
    ['texts that look like the rows of a page', ['varchar'], many(() => JSON.stringify([`"data":[${cut}`.repeat(9)]))],
    [
      'a text longer than what is parsed at once',
      ['varchar'],
      many(() => '["a"]').with(2_500, `["${cut.repeat(200_000)}"]`),
    ],
    ['lists of lists', ['array(array(integer))'], many((index) => `[[[${index},1],[2],[],${'[3],'.repeat(20)}[4]]]`)],
    ['structures', ['map(varchar, integer)'], many((index) => `[{"data":${index},"${cut}":${'1'.repeat(60)}}]`)],
  ])('has the same rows in parts: %s', (_name, types, rows) => {
    const page = read(pageOf(types, rows));
    expect(page.nextUri).toBe('http://t/2');
    expect(page.columns?.map(({ type }) => type)).toEqual(types);
    const parts = [...(page.parts ?? [])];
    expect(parts.length).toBeGreaterThan(rows.join().length / 400_000);
    expect(JSON.stringify(parts.flat())).toBe(`[${rows.join(',')}]`);
  });

  it('keeps every digit of the parts that need it', () => {
    const rows = many((index) => `[${index === 4_000 ? '9007199254740993' : index},"${'x'.repeat(60)}"]`);
    const parts = [...(read(pageOf(['bigint', 'varchar'], rows)).parts ?? [])];
    expect(JSON.stringify(parts.flat())).toBe(`[${rows.join(',')}]`);
  });

  it('parses no row before it is asked for', () => {
    const rows = many((index) => JSON.stringify([index, 'x'.repeat(60)]));
    const page = read(pageOf(['bigint', 'varchar'], rows.with(-1, '[not JSON]')));
    const parsed: unknown[][] = [];
    expect(() => {
      for (const rows of page.parts ?? []) parsed.push(...rows);
    }).toThrow(SyntaxError);
    expect(parsed[0]).toEqual([0, 'x'.repeat(60)]);
  });

  it('is refused when its end says that the query failed', () => {
    const rows = many((index) => JSON.stringify([index, 'x'.repeat(60)]));
    const error = '"error":{"message":"gone","errorName":"REMOTE_HOST_GONE","errorType":"EXTERNAL"},"stats"';
    const page = read(pageOf(['bigint', 'varchar'], rows).replace('"stats"', error));
    expect(() => [...(page.parts ?? [])]).toThrow(TrinoFailure);
  });

  it('is parsed at once when it does not say before its rows what follows it', () => {
    const rows = many((index) => JSON.stringify([index, 'x'.repeat(60)]));
    const text = pageOf(['bigint', 'varchar'], rows).replace(',"nextUri":"http://t/2"', '');
    const page = read(text.replace(/\}$/, ',"nextUri":"http://t/3"}'));
    expect(page.nextUri).toBe('http://t/3');
    expect([...(page.parts ?? [])].flat()).toHaveLength(5_000);
  });
});

describe('a small page of Trino', () => {
  it('has all rows, or none', () => {
    expect([...(read(pageOf(['bigint'], ['[1]', '[2]'])).parts ?? [])]).toEqual([[[1], [2]]]);
    expect(read(`${head},${stats}`).parts).toBeUndefined();
  });
});
