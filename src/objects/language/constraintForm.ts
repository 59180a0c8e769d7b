import type { KnownObject } from './knownObjects.ts';
import type { ServerFacts } from './serverFacts.ts';

/** Fields of a constraint on the embedded server, with what they start as. The API description leaves them open. */
export const embeddedConstraint: Readonly<Record<string, string>> = {
  ModuleID: '',
  TableOwner: '',
  TableName: '',
  ColumnName: '',
  Operator: '=',
  Value: '',
  Value2: '',
  Logical: 'AND',
  ColumnType: '',
};

/**
 * Fields that a constraint has on a server, with a usual value: known for certain, else learned from the constraints that
 * its policies hold, the most common form first. Undefined where nothing is known.
 */
export function constraintFields(facts: ServerFacts): Readonly<Record<string, unknown>> | undefined {
  if (facts.constraintFields) return facts.constraintFields;
  const forms = new Map<string, { count: number; constraint: Record<string, unknown> }>();
  for (const constraint of knownConstraints(facts)) {
    const form = JSON.stringify(Object.keys(constraint).sort());
    const seen = forms.get(form);
    forms.set(form, { count: (seen?.count ?? 0) + 1, constraint: seen?.constraint ?? constraint });
  }
  return [...forms.values()].sort((a, b) => b.count - a.count)[0]?.constraint;
}

/** Values that constraints of a server have in a field, the most common first. */
export function constraintValues(facts: ServerFacts, field: string): string[] {
  const counts = new Map<string, number>();
  for (const constraint of knownConstraints(facts)) {
    const value = Object.hasOwn(constraint, field) ? constraint[field] : undefined;
    if (typeof value === 'string' && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
}

function knownConstraints(facts: ServerFacts): Record<string, unknown>[] {
  const policies: Iterable<KnownObject> = facts.objects('policy')?.values() ?? [];
  return [...policies].flatMap(({ policy }) => (policy?.constraints ?? []).filter(isRecord));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
