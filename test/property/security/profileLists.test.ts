import fc from 'fast-check';
import { expect, it } from 'vitest';
import { policyConstraint } from '../../../src/server/security/policyConstraint.ts';
import { noOtherPaths, secure, type SourceTable } from '../../../src/server/security/rowSecurity.ts';
import { splitList } from '../../../src/contract/policyValues.ts';
import { propertyRuns } from '../../support/run/soakSize.ts';

/*
 * Users write some of their profile themselves. In a policy's list it may stand anywhere, between any quotes, and hold
 * anything: never may it add an item of its own.
 */

const numRuns = 5 * propertyRuns(400, 10_000);
const written = fc.constantFrom(
  ',',
  ', ',
  ',\n',
  "'",
  '"',
  "''",
  '""',
  ' ',
  '\t',
  'West',
  '/#company#/',
  '/#company#/',
);
const list = fc.array(written, { maxLength: 8 }).map((pieces) => pieces.join(''));
const profile = fc
  .array(fc.constantFrom(',', ', ', '\n', "'", '"', ' ', 'North', '\0', '/#company#/'), { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(''))
  .filter((text) => text.trim() !== '');

const table: SourceTable = {
  moduleId: '7',
  owner: '',
  name: 'sales',
  alias: 's',
  columns: [{ name: 'tenant', kind: 'text' }],
  otherPaths: noOtherPaths,
};

/** What the column is compared with; undefined where no row is seen. */
function compared(Value: string, company: string): string[] | undefined {
  const given = { TableName: 'sales', ColumnName: 'tenant', Operator: 'in', Value };
  const { restriction } = secure(table, {
    policies: [{ constraints: [policyConstraint.parse(given)] }],
    tagValues: () => [company],
    today: '2026-03-18',
  });
  const actual = restriction?.kind === 'template' ? restriction.actual : restriction;
  return actual?.kind === 'in' ? actual.values.map(({ text }) => text.trim()) : undefined;
}

/** What an administrator means: the items as they are written, each with the profile's text in its place. */
function meant(Value: string, company: string): string[] | undefined {
  try {
    return splitList(Value.replaceAll('/#company#/', '⌂')).map((item) => item.replaceAll('⌂', () => company).trim());
  } catch {
    return undefined;
  }
}

it('a text of a profile stays within its item of a list, or no row is seen', () => {
  let whole = 0;
  fc.assert(
    fc.property(list, profile, (Value, company) => {
      const items = compared(Value, company);
      if (items === undefined) return;
      expect(items).toEqual(meant(Value, company));
      if (/[,'"]/.test(company) && items.includes(company.trim())) whole += 1;
    }),
    { numRuns },
  );
  expect(whole).toBeGreaterThan(numRuns / 50);
});
