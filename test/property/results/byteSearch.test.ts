import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { BytePages } from '../../../src/client/results/bytePages.ts';
import { ByteSearch } from '../../../src/client/results/cellTest.ts';

const letters = fc.constantFrom('a', 'b', 'A', 'B', '1', '-', ' ', '\u0000', 'ÿ', 'İ', 'K', '😀');
/** Short ones, those around the length that takes more bytes to write down, and those that need a page of their own. */
const text = fc.oneof(
  { weight: 20, arbitrary: fc.string({ unit: letters, maxLength: 8 }) },
  { weight: 20, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', 'A', '1'), maxLength: 8 }) },
  { weight: 3, arbitrary: fc.integer({ min: 250, max: 260 }).map((length) => 'x'.repeat(length - 2) + 'aB') },
  { weight: 1, arbitrary: fc.constantFrom('y'.repeat(200_000) + 'ab1', 'A'.repeat(300_000)) },
);
const needle = fc.string({ unit: fc.constantFrom('a', 'b', '1', '-'), minLength: 1, maxLength: 5 });

function keep(texts: readonly string[]): { pages: BytePages; addresses: number[] } {
  const pages = new BytePages();
  const addresses = texts.map((each) => {
    const bytes = Buffer.from(each);
    const source = Buffer.concat([bytes, Buffer.alloc(4, '}')]);
    return pages.append(new DataView(source.buffer, source.byteOffset, source.byteLength), 0, bytes.length);
  });
  return { pages, addresses };
}

test('a text is found in pages as it is in each string', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), needle, (texts, wanted) => {
      const { pages, addresses } = keep(texts);
      const search = new ByteSearch(pages, wanted);
      for (const [at, each] of texts.entries()) {
        const expected = each.toLowerCase().includes(wanted);
        const found = search.isIn(addresses[at] ?? NaN);
        // Only what is ASCII can be told without making a string of it.
        if (found === undefined) expect(/[^\0-\x7f]/.test(each)).toBe(true);
        else expect(found, JSON.stringify([each, wanted])).toBe(expected);
      }
    }),
    { numRuns: 2000 },
  );
});

test('strings are passed over together only where none of them holds the text', () => {
  const range = fc.tuple(fc.nat({ max: 39 }), fc.nat({ max: 39 }));
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 40 }), needle, range, (texts, wanted, [one, other]) => {
      const { pages, addresses } = keep(texts);
      const first = Math.min(one, other, texts.length - 1);
      const last = Math.min(Math.max(one, other), texts.length - 1);
      const isNowhere = new ByteSearch(pages, wanted).isNowhere(addresses[first] ?? NaN, addresses[last] ?? NaN);
      const isThere = texts.slice(first, last + 1).some((each) => each.toLowerCase().includes(wanted));
      if (isNowhere) expect(isThere).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test('strings in pages without the text are passed over together', () => {
  const { pages, addresses } = keep(Array.from({ length: 60_000 }, (_, at) => `TK-${at.toString(36)}`));
  const ends: [number, number] = [addresses[0] ?? NaN, addresses.at(-1) ?? NaN];
  expect(pages.pageCount).toBeGreaterThan(1);
  expect(new ByteSearch(pages, 'a-b').isNowhere(...ends)).toBe(true);
  expect(new ByteSearch(pages, 'tk-zz').isNowhere(...ends)).toBe(false);
});

test.each([
  ['holds the text in most strings', 'tk-'],
  ['holds other bytes than ASCII', 'denver'],
])('a page that %s is looked into once', (_, wanted) => {
  const { pages, addresses } = keep([...Array.from({ length: 5_000 }, (__, at) => `TK-${at.toString(36)}`), 'ä']);
  const search = new ByteSearch(pages, wanted);
  const bytes = vi.spyOn(pages, 'bytesOf');
  search.isIn(addresses[0] ?? NaN);
  const first = bytes.mock.calls.length;
  for (const address of addresses.slice(1, 1_001)) search.isIn(address);
  // One to read each string, and none to look through its page again.
  expect(bytes.mock.calls.length - first).toBe(1_000);
  expect(first).toBe(2);
});
