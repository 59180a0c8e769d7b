import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namedByColumn, namesInFormula, withNames } from '../../../../src/objects/language/formulaNames.ts';

const place = { reportType: 'Flights', tableAlias: 'f', column: 'delay', name: 'Delay' };

describe('names in formulas', () => {
  it.each([
    ['[Delay] / 60', 'f.delay / 60'],
    ['ROUND("delay", 1) + DELAY', 'ROUND(f.delay, 1) + f.delay'],
    ["CONCAT('[Delay]', Delay)", "CONCAT('[Delay]', f.delay)"],
    ['f.[Delay] + [Delay].x + ?', 'f.[Delay] + [Delay].x + ?'],
    ['DELAY(2) + delays', 'DELAY(2) + delays'],
    ['CASE WHEN [Delay]>0 THEN delay END', 'CASE WHEN f.delay>0 THEN f.delay END'],
  ])('become columns where they are the label: %s', (formula, wanted) => {
    expect(namedByColumn(formula, place, '')).toBe(wanted);
  });

  it('are written so that the formula can be read where a name is no plain word', () => {
    const odd = { ...place, tableAlias: 'order lines', column: 'unit [price]' };
    expect(namedByColumn('[Delay]', odd, '')).toBe('[order lines]."unit [price]"');
    const [name] = namesInFormula('[order lines]."unit [price]" * 2');
    expect(name).toMatchObject({ table: 'order lines', label: 'unit [price]', offset: 0, length: 28 });
  });

  it('leave words of the language alone, and types that CAST names', () => {
    const word = { ...place, name: 'end' };
    expect(namedByColumn('CASE WHEN [end] = 1 THEN 2 END', word, '')).toBe('CASE WHEN f.delay = 1 THEN 2 END');
    expect(namedByColumn('CAST(date AS DATE)', { ...place, name: 'Date' }, '')).toBe('CAST(f.delay AS DATE)');
  });

  it('become columns only where the label means that field and not another one of the name', () => {
    const second = { ...place, namesakes: [{ tableAlias: 'a', column: 'late' }, place] };
    expect(namedByColumn('[Delay] + a.delay', second, 'F')).toBe('f.delay + a.delay');
    expect(namedByColumn('[Delay]', second, 'a')).toBe('[Delay]');
    expect(namedByColumn('[Delay]', second, '')).toBe('[Delay]');
  });

  it('stand where they say, in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`a.[]"'?( `), maxLength: 40 }), (formula) => {
        expect(withNames(formula, ({ offset, length }) => formula.slice(offset, offset + length))).toBe(formula);
      }),
    );
  });
});
