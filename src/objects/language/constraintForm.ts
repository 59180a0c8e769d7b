import type { KnownObject } from './knownObjects.ts';
import type { ServerFacts } from './serverFacts.ts';

/** Fields of a constraint on the embedded server, with initial values. The API description does not define them. */
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
 * Fields of a constraint on a server, with a common value: from known facts, or else from the constraints of its
 * policies, the most common form first. Undefined if unknown.
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

/** Values of a field in a server's constraints, the most common first. */
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
