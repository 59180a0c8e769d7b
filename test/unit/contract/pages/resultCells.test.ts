import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packRows, unpackRows, linkAddress } from '../../../../src/contract/pages/resultCells.ts';

describe('row windows', () => {
  it('come out as they went in', () => {
    const rows = fc.array(fc.array(fc.option(fc.string({ unit: 'grapheme' }), { nil: null })));
    fc.assert(
      fc.property(rows, fc.nat(), (cells, start) => {
        const window = packRows(start, cells);
        expect({ start: window.start, count: window.count }).toEqual({ start, count: cells.length });
        expect(unpackRows(window)).toEqual(cells);
      }),
    );
  });

  it('own their whole buffer, so that nothing else travels with them', () => {
    for (const length of [0, 1, 50, 5_000]) {
      const { bytes } = packRows(
        0,
        Array.from({ length }, (_, i) => [`row ${i}`, null]),
      );
      expect(bytes.byteLength).toBe(bytes.buffer.byteLength);
      expect(Buffer.isBuffer(bytes)).toBe(false);
    }
  });
});

describe('links', () => {
  it.each(['https://example.com/a?b=c', ' http://example.com ', 'mailto:a@example.com'])('%s may be opened', (text) => {
    expect(linkAddress(text)).toBeInstanceOf(URL);
  });

  it.each([
    'javascript:alert(1)',
    'command:workbench.action.quit',
    'file:///etc/passwd',
    'vscode://x',
    '//example.com',
    'example',
    '',
    'data:text/html,x',
  ])('%s may not', (text) => expect(linkAddress(text)).toBeUndefined());
});
