import { describe, expect, it } from 'vitest';
import { planFields } from '../../../../src/server/reports/fieldPlan.ts';
import { ReportTables } from '../../../../src/server/reports/reportTables.ts';
import { shopType } from '../../../support/reports/shopData.ts';

const tables = new ReportTables(shopType);
const plan = (...formulas: string[]) =>
  planFields(
    {
      FieldList: formulas.map((Formula, index) => ({
        DbTableAlias: 's',
        DbFieldName: 'note',
        DisplayFieldName: `F${index}`,
        Formula,
      })),
    },
    tables,
    '2026-03-18',
  );

/** Each level makes a text `factor` times as long. */
function nested(levels: number, factor: number, inner = '?'): string {
  let formula = inner;
  for (let level = 0; level < levels; level += 1) {
    const [from, to] = level % 2 === 0 ? ['a', 'b'] : ['b', 'a'];
    formula = `REPLACE(${formula}, '${from}', '${to.repeat(factor)}')`;
  }
  return formula;
}

describe('texts that formulas make', () => {
  it.each([
    ['nested replacements', nested(8, 10), 'REPLACE'],
    ['nested replacements of a short text', nested(8, 5, "'a'"), 'REPLACE'],
    ['a column put into another one', "REPLACE(?, 'a', ?)", 'REPLACE'],
    ['a column that is looked for', 'REPLACE(?, ?, ?)', 'REPLACE'],
    [
      'a text joined to itself again and again',
      `CONCAT(${Array.from({ length: 101 }, () => '?').join(', ')})`,
      'CONCAT',
    ],
    ['joins within joins', `CONCAT(UPPER(${Array.from({ length: 60 }, () => '?').join(' || ')}), '')`, 'UPPER'],
    ['a growth inside a condition', `CASE WHEN ${nested(8, 10)} = 'x' THEN 1 ELSE 0 END`, 'REPLACE'],
    ['a growth that LIKE looks at', `IIF(${nested(8, 10)} LIKE '%x%', 1, 0)`, 'REPLACE'],
    ['a growth whose length is asked for', `LENGTH(${nested(8, 10)})`, 'REPLACE'],
    ['a growth in an aggregate', `MAX(${nested(8, 10)})`, 'REPLACE'],
    ['a growth that is cut only afterwards', `LEFT(${nested(8, 10)}, 5)`, 'REPLACE'],
    ['a growth beside another one', `COALESCE(NULL, ${nested(1, 60)}, ${nested(1, 60)})`, 'REPLACE'],
    [
      'a number that is written again and again',
      `REPLACE(CAST(s.amount AS TEXT), '1', '${'x'.repeat(2_000)}')`,
      'REPLACE',
    ],
  ])('are refused before a database sees them: %s', (_, formula, name) => {
    expect(() => plan(formula)).toThrow(`Field "F0": ${name} could make its texts longer than 100000 characters`);
  });

  it.each([
    ['a list of columns', Array.from({ length: 90 }, () => '?').join(' || ')],
    ['replacements of single characters', nested(20, 1)],
    ['a longer word in place of a long one', `REPLACE(?, 'street', '${'x'.repeat(300)}')`],
    ['a short column put into another one', "REPLACE(?, 'a', LEFT(?, 50))"],
    ['what is cut before it grows', nested(3, 10, 'SUBSTRING(?, 1, 20)')],
    ['exactly as many characters as are allowed', `REPLACE(?, 'a', '${'x'.repeat(100)}')`],
  ])('are made: %s', (_, formula) => {
    expect(plan(formula)).toHaveLength(1);
  });

  it('are counted over all fields of a report', () => {
    const large = `REPLACE(?, 'a', '${'x'.repeat(100)}')`;
    expect(plan(large, large, large, large)).toHaveLength(4);
    expect(() => plan(large, large, large, large, 'UPPER(?)')).toThrow(
      'Field "F4": the formulas up to this one could make texts of more than 400000 characters per row',
    );
  });
});
