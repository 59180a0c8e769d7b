import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { platforms } from '../../../../src/server/catalogue/registeredServers.ts';
import { ReportError } from '../../../../src/server/reports/reportError.ts';
import { dialectOf } from '../../../../src/server/reports/sql/dialects.ts';
import { readableSql, statementOf } from '../../../../src/server/reports/sql/emit.ts';
import { functions } from '../../../../src/server/reports/sql/functions.ts';
import { plan } from '../../../support/reports/runPlan.ts';
import { shopField, shopReport } from '../../../support/reports/shopData.ts';

/* Short formulas that become deep or long: none takes the server's stack, its memory or everybody's time. */

const report = (...formulas: string[]) => shopReport(formulas.map((Formula) => shopField('s.amount', { Formula })));
const nested = (levels: number, wrap: (inner: string) => string, inner: string): string =>
  levels === 0 ? inner : wrap(nested(levels - 1, wrap, inner));

let started: NodeJS.CpuUsage;
beforeEach(() => (started = process.cpuUsage()));
// Without the bounds each of them takes all of the memory, or hours.
afterEach(() => expect(process.cpuUsage(started).user / 1_000).toBeLessThan(5_000));

describe('operators', () => {
  const chains = [
    ['a sum', '1', '+1'],
    ['a product', '1', '*1'],
    ['joined texts', `'a'`, `||'a'`],
  ] as const;
  it.each(chains)('join 500 values: %s', (_, first, more) => {
    const whole = plan(report(`${first}${more.repeat(499)}`)).select;
    for (const platform of platforms) {
      const dialect = dialectOf(platform);
      if (dialect) expect(statementOf(whole, dialect).sql.length, platform).toBeLessThan(200_000);
    }
    for (const count of [500, 1_500, 2_400]) {
      expect(() => plan(report(`${first}${more.repeat(count)}`))).toThrow(ReportError);
      expect(() => plan(report(`SUM(LENGTH(${first}${more.repeat(count)}))`))).toThrow('Field "Amount": ');
    }
  });

  it.each(['AND', 'OR'])('join 500 conditions: %s', (word) => {
    const chain = (count: number) => `CASE WHEN 1=1${` ${word} 1=1`.repeat(count)} THEN 1 END`;
    expect(() => plan(report(chain(400)))).not.toThrow();
    expect(() => plan(report(chain(1_000)))).toThrow(
      'It joins more than 500 values by operators; split it into fields',
    );
  });

  it('compare with a long list without a deep tree', () => {
    const list = Array.from({ length: 2_400 }, (_, n) => n % 10).join();
    expect(() => plan(report(`IIF(? IN (${list}), 1, 0)`))).not.toThrow();
  });
});

describe('what is compared', () => {
  it.each([
    ['IN', (inner: string) => `CASE WHEN ${inner} IN (1,2,3) THEN 1 END`],
    ['NOT IN', (inner: string) => `CASE WHEN ${inner} NOT IN (1,2,3) THEN 1 END`],
    ['BETWEEN', (inner: string) => `CASE WHEN ${inner} BETWEEN 1 AND 2 THEN 1 END`],
    ['CASE', (inner: string) => `CASE ${inner} WHEN 1 THEN 2 WHEN 2 THEN 3 WHEN 3 THEN 4 END`],
    ['IN within IIF', (inner: string) => `IIF(${inner} IN (1,2,3), 1, 0)`],
  ])('is not repeated without end: %s', (_, wrap) => {
    expect(() => plan(report(nested(4, wrap, '?')))).not.toThrow();
    expect(() => plan(report(nested(24, wrap, '?')))).toThrow('repeat what they compare');
    expect(() => plan(report(`SUM(${nested(24, wrap, '?')})`))).toThrow('repeat what they compare');
  });

  it('is counted over the fields and calculations of a report', () => {
    const long = `IIF(? IN (${Array.from({ length: 2_400 }, (_, n) => n % 10).join()}), 1, 0)`;
    expect(() => plan(report(...Array.from({ length: 20 }, () => long)))).toThrow('have more than 100000 parts');
    const one = report(`IIF(? IN (${Array.from({ length: 2_000 }, (_, n) => n % 10).join()}), 1, 0)`);
    const AdHocFields = Array.from({ length: 20 }, () => ({
      type: 'calc',
      field1: 's_amount',
      func: '+',
      Value2: '1',
    }));
    expect(() => plan({ ...one, AdHocFields })).toThrow('have more than 100000 parts');
  });
});

describe.each(platforms)('functions on %s', (platform) => {
  const values = { text: `'a'`, number: '?', time: '[Sold On]', any: '?', same: '?' };
  const taken = { text: 'TEXT', number: 'NUMBER', time: 'DATE', any: 'NUMBER', same: 'NUMBER' };
  /** Each argument of each function, nested in itself with the casts that make it fit. */
  const nestings = Object.entries(functions).flatMap(([name, { takes }]) =>
    takes.map((kind, place) => [
      `${name}, argument ${place + 1}`,
      (inner: string) => {
        const words = `CAST(${inner} AS TEXT)`;
        // By way of a number, whose text is short: growing texts are refused for what they are.
        const own = kind === 'text' ? `CAST(CAST(${words} AS NUMBER) AS TEXT)` : `CAST(${words} AS ${taken[kind]})`;
        return `${name}(${takes.map((each, at) => (at === place ? own : values[each])).join(', ')})`;
      },
    ]),
  ) as [string, (inner: string) => string][];
  const casts = ['NUMBER', 'INTEGER', 'DATE', 'TIMESTAMP'].map((type): [string, (inner: string) => string] => [
    `CAST to ${type}`,
    (inner) => `CAST(CAST(${inner} AS TEXT) AS ${type})`,
  ]);
  const signs = ['+', '-', '*', '/', '%'].flatMap((sign): [string, (inner: string) => string][] => [
    [`${sign}, left`, (inner) => `(${inner} ${sign} ?)`],
    [`${sign}, right`, (inner) => `(? ${sign} ${inner})`],
  ]);

  it('nested in themselves are short, or refused in words', (context) => {
    const dialect = dialectOf(platform);
    if (!dialect) context.skip(`${platform} has no dialect`);
    else {
      for (const [name, wrap] of [...nestings, ...casts, ...signs]) {
        for (const levels of [1, 8, 11]) {
          const { select } = plan(report(nested(levels, wrap, '?')));
          for (const write of [() => readableSql(select, dialect, true), () => statementOf(select, dialect).sql]) {
            const text = outcome(write);
            expect(typeof text === 'string' ? text.length : 0, `${name}, ${levels} levels`).toBeLessThan(250_000);
            if (levels === 1) expect(text, name).toBeTypeOf('string');
            else if (typeof text !== 'string') {
              expect(text, name).toBeInstanceOf(ReportError);
              expect(text.message).toBe(
                `The report's formulas become too long in the SQL of ${dialect.displayName}; ` +
                  'nest fewer functions in each other, or use fewer formulas',
              );
            }
          }
        }
      }
    }
  });
});

function outcome(write: () => string): string | Error {
  try {
    return write();
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}
