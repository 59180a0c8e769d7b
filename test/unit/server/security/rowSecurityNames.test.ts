import { describe, expect, it } from 'vitest';
import { policyConstraint, type PolicyConstraint } from '../../../../src/server/security/policyConstraint.ts';
import {
  needsDescription,
  noOtherPaths,
  OtherPathError,
  type RowSecurity,
  SecuredSource,
  secure,
  type SourceTable,
} from '../../../../src/server/security/rowSecurity.ts';

/* Which tables and columns a constraint means, however either of them is written. */

const table: SourceTable = {
  moduleId: '7',
  owner: '',
  name: 'sales',
  alias: 's',
  columns: [{ name: 'Tenant', kind: 'text' }],
  otherPaths: noOtherPaths,
};

function constraint(fields: Partial<PolicyConstraint>): PolicyConstraint {
  return policyConstraint.parse({ TableName: 'sales', ColumnName: 'tenant', Operator: '=', Value: 'x', ...fields });
}

function isRestricted(fields: Partial<PolicyConstraint>, more: Partial<SourceTable>): boolean {
  const security: RowSecurity = {
    policies: [{ constraints: [constraint(fields)] }],
    tagValues: () => undefined,
    today: '2026-03-18',
  };
  return secure({ ...table, ...more }, security).restriction !== undefined;
}

describe('a constraint means a table', () => {
  it.each<[Partial<PolicyConstraint>, Partial<SourceTable>, boolean]>([
    [{ TableOwner: 'main' }, { owner: 'main' }, true],
    [{ TableOwner: 'MAIN' }, { owner: '"main"' }, true],
    [{ TableOwner: 'main' }, { owner: 'other' }, false],
    [{ TableName: 'main.sales' }, { owner: 'main' }, true],
    [{ TableName: 'main.sales' }, { owner: 'other' }, false],
    [{ TableName: 'db.main.sales' }, { owner: 'main' }, true],
    [{ TableName: 'main.other.sales' }, { owner: 'main' }, false],
    [{ TableOwner: 'main' }, { name: 'main.sales' }, true],
    [{ TableOwner: 'main' }, { name: 'other.sales' }, false],
    [{ TableOwner: 'main' }, { owner: 'main', name: 'other.sales' }, true],
    [{ TableOwner: 'main', TableName: 'other.sales' }, { owner: 'main' }, true],
    [{}, { owner: 'main' }, true],
    [{ TableOwner: 'main' }, {}, true],
    // A name without an owner is nobody's, and not its own owner.
    [{ TableName: 'sales' }, { owner: 'other' }, true],
    [{ TableOwner: 'main', TableName: 'stores' }, { owner: 'main' }, false],
    [{ TableName: '`sales`' }, { name: '[sales]' }, true],
    [{ TableName: 'straße' }, { name: 'strasse' }, false],
    [{ TableName: 'sa"les' }, {}, false],
    [{ TableName: 'sales' }, { name: 'sa"les' }, false],
    [{ TableName: 'sa[les' }, { name: 'sa]les' }, false],
  ])('%o on %o: %s', (fields, more, expected) => {
    expect(isRestricted(fields, more)).toBe(expected);
  });
});

describe('the columns of a table are asked for', () => {
  const isAsked = (...constraints: Partial<PolicyConstraint>[]) =>
    needsDescription(table, [{ constraints: [] }, { constraints: constraints.map(constraint) }]);

  it('where a policy compares one of them, known or not', () => {
    expect(isAsked({ ColumnName: ' "TENANT" ' })).toBe(true);
    expect(isAsked({ ColumnName: 'region' })).toBe(true);
    expect(isAsked({ TableName: 'stores' }, {})).toBe(true);
  });

  it('where no policy is about the table: never', () => {
    expect(isAsked()).toBe(false);
    expect(isAsked({ ColumnName: 'region', TableName: 'stores' })).toBe(false);
    expect(isAsked({ ModuleID: '8' })).toBe(false);
  });
});

describe('a table without other ways to its rows', () => {
  it('shares them with nothing', () => {
    expect(noOtherPaths).toEqual({ relations: [], isComplete: true, moduleIds: [] });
  });
});

describe('a source', () => {
  it.each([[null], [undefined], ['text'], [7], [Symbol('x')], [{}], [() => undefined]])('is not %s', (value) => {
    expect(SecuredSource.isGenuine(value)).toBe(false);
  });
});

describe('OtherPathError', () => {
  it('names the tables, its own name and what an administrator can do', () => {
    const known = new OtherPathError(table, 'stores');
    expect([known.name, known.message]).toEqual([
      'OtherPathError',
      '"sales" shows rows of "stores", which a policy restricts. An administrator can add a constraint on "sales" to that ' +
        'policy, or the report can use "stores"',
    ]);
    expect(new OtherPathError(table, undefined).message).toBe(
      'It is unknown which rows "sales" shows, and a policy restricts rows that may be among them. An administrator ' +
        'can add a constraint on "sales" to that policy',
    );
  });
});
