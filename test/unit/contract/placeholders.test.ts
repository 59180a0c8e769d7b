import { describe, expect, it } from 'vitest';
import { parseValue, placeholdersOf, problemOf, readLabel } from '../../../src/contract/placeholders.ts';

describe('labels', () => {
  it.each([
    [' Company\t', 'company'],
    ['\u00a0\u2003\u3000LOGIN\u0085', 'login'],
    ['the\u2028  Tag', 'the tag'],
    ['Größe', 'GRÖSSE'],
    ['STRAẞE', 'strasse'],
    ['Sırada', 'SIRADA'],
    ['İzmir', 'izmir'],
    ['ΟΔΟΣ', 'οδός'.normalize('NFD').replace('\u0301', '')],
    ['Caf\u0065\u0301', 'CAFÉ'],
    ['部門（東京）１', '部門(東京)1'],
    ['ﬁrm', 'FIRM'],
    ['K', 'k'],
  ])('%j names what %j names', (one, other) => {
    expect(readLabel(one).normal).toBeTruthy();
    expect(readLabel(one)).toEqual(readLabel(other));
  });

  it.each([
    ['cafe', 'café'],
    ['a b', 'ab'],
    ['company', 'сompany'],
    ['u', 'ü'],
  ])('%j names another one than %j', (one, other) => {
    expect(readLabel(one).normal).not.toBe(readLabel(other).normal);
  });

  it.each([
    ['', 'empty'],
    [' \u3000\n', 'empty'],
    ['com\u200bpany', 'unreadable'],
    ['\ufeffcompany', 'unreadable'],
    ['a\0b', 'unreadable'],
    ['\ud800', 'unreadable'],
    ['a\u202eb', 'unreadable'],
    ['a/b', 'unreadable'],
    ['a＃b', 'unreadable'],
    ['ｃompany', 'lookalike'],
    ['fırstname', 'lookalike'],
    ['FİRSTNAME', 'lookalike'],
    ['laſtname', 'lookalike'],
    ['tag１', 'lookalike'],
  ])('%j names nothing: %s', (written, problem) => {
    expect(readLabel(written)).toEqual({ problem });
  });

  it('keep their normal form when it is read again, for every character of Unicode', () => {
    const unstable: string[] = [];
    for (let code = 1; code <= 0x10ffff; code += 1) {
      const { normal } = readLabel(`x${String.fromCodePoint(code)}`);
      if (normal !== undefined && readLabel(normal).normal !== normal) unstable.push(code.toString(16));
    }
    expect(unstable).toEqual([]);
  });
});

describe('values', () => {
  it('come apart without a loss', () => {
    for (const value of ['', 'x', '/#a#/', 'x/#a#//#b #/y', '/#a', '#/ /#b#/', '/#/#/', '/#/#a#/#/', '/#a\n#/']) {
      expect(
        parseValue(value)
          .map(({ text }) => text)
          .join(''),
      ).toBe(value);
      for (const { offset, text } of placeholdersOf(value)) expect(value.slice(offset).startsWith(text)).toBe(true);
    }
  });

  it.each([
    ['/#company', 'broken'],
    ['company#/', 'broken'],
    ['/#a#/ and /#b', 'broken'],
    ['/#a#/b#/', 'broken'],
    ['／＃company＃／', 'broken'],
    ['/\u200b#company#\u200b/', 'broken'],
    ['/##/', 'empty'],
    ['/#a/#b#/', 'unreadable'],
    ['/#ｃompany#/', 'lookalike'],
  ])('%j cannot be filled: %s', (value, problem) => {
    expect(problemOf(value)?.problem).toBe(problem);
  });

  it.each(['', 'C# / Java', 'a/b#c', '/ # t # /', '/# Company #/,x', '/#a#//#b#/'])('%j can be filled', (value) => {
    expect(problemOf(value)).toBeUndefined();
  });
});

describe('long values', () => {
  it.each([
    ['marks that are never closed', '/# '.repeat(300_000)],
    ['marks that are never opened', ' #/'.repeat(300_000)],
    ['a label with a gap', `/#a${' '.repeat(900_000)}b#/`],
    ['placeholders without end', '/#a#/'.repeat(200_000)],
  ])('are read once from start to end: %s', (_, value) => {
    const started = process.cpuUsage();
    const parts = parseValue(value);
    // A look through the rest of the value at every mark would take minutes.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
    expect(parts.map(({ text }) => text).join('')).toBe(value);
  });

  it('hold no label of more than 1,000 characters', () => {
    expect(readLabel('a'.repeat(1_000))).toEqual({ normal: 'a'.repeat(1_000) });
    expect(readLabel('a'.repeat(1_001))).toEqual({ problem: 'unreadable' });
  });
});
