/** The sale that {@link unevenFormulas} read. */
export const unevenSale = { amount: 270.7, ratio: 1.005 } as const;

/** Formulas that no dialect makes the same, with what a reader needs to know of their values. */
export const unevenFormulas: readonly (readonly [formula: string, values: string])[] = [
  ["UPPER('ŉ')", ''],
  ["LOWER('ΑΣ')", ''],
  ['CAST(12345678.5 / 1 AS TEXT)', ''],
  ['CAST(1e15 / 1 AS TEXT)', ''],
  ['CAST(1e-7 / 1 AS TEXT)', ''],
  ['ROUND([Amount] * 1.5, 1)', 'Amount is the decimal 270.70'],
  ['ROUND([Ratio], 2)', 'Ratio is the binary fraction 1.005'],
];

const begin = '<!-- uneven: begin, written by test/property/sql/sameFigures.test.ts with WRITE_MATRIX=1 -->';
const end = '<!-- uneven: end -->';

/** The README with another table of what engines compute, by formula; the results are named by engine. */
export function withUnevenTable(readme: string, results: readonly ReadonlyMap<string, string>[]): string {
  const rows = unevenFormulas.map(([formula, values], index) => {
    const byResult = Map.groupBy(results[index] ?? [], ([, result]) => result);
    const groups = [...byResult].map(([result, engines]) => {
      const names = new Set(engines.map(([engine]) => engine.replace(/ [\d.]+$/, '')));
      return `${result.replace('#', '')}: ${[...names].join(', ')}`;
    });
    return `| \`${formula}\` | ${values} | ${groups.join('; ')} |`.replaceAll('|  |', '| |');
  });
  const table = ['| Formula | Where | Results |', '| --- | --- | --- |', ...rows].join('\n');
  const [before = '', rest = ''] = readme.split(begin);
  return `${before}${begin}\n\n${table}\n\n${end}${rest.split(end)[1] ?? ''}`;
}
