import { commonForm } from '../../client/dialect/entryText.ts';
import type { Json, JsonObject } from '../json.ts';
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

/** What is known of a server's constraints. */
export type ConstraintFacts = Pick<ServerFacts, 'objects' | 'constraintFields'>;

/** What a constraint starts with. */
export interface ConstraintStart {
  readonly application?: string;
  readonly owner?: string;
  readonly table?: string;
  readonly column?: string;
  readonly value?: string;
}

/** A constraint of a form from {@link constraintFields} with the given start; other texts are empty, numbers kept. */
export function startedConstraint(form: Readonly<Record<string, unknown>>, start: ConstraintStart): JsonObject {
  const textOf = (name: string, before: string): string => {
    if (/^(=|AND)$/.test(before)) return before;
    if (/type/i.test(name)) return '';
    if (/owner|schema/i.test(name)) return start.owner ?? '';
    if (/table/i.test(name)) return start.table ?? '';
    if (/column|field/i.test(name)) return start.column ?? '';
    if (/module|application/i.test(name)) return start.application ?? '';
    if (/operator|^op$/i.test(name)) return '=';
    return /^value1?$/i.test(name) ? (start.value ?? '') : '';
  };
  return Object.fromEntries(
    Object.entries(form).map(([name, value]) => [
      name,
      typeof value === 'string' ? textOf(name, value) : (value as Json),
    ]),
  );
}

/**
 * Fields of a constraint on a server, with a common value: from known facts, or else from the constraints of its
 * policies, the most common form first. Undefined if unknown.
 */
export function constraintFields(facts: ConstraintFacts): Readonly<Record<string, unknown>> | undefined {
  if (facts.constraintFields) return facts.constraintFields;
  return commonForm(knownConstraints(facts));
}

/** Values of a field in a server's constraints, the most common first. */
export function constraintValues(facts: ConstraintFacts, field: string): string[] {
  const counts = new Map<string, number>();
  for (const constraint of knownConstraints(facts)) {
    const value = Object.hasOwn(constraint, field) ? constraint[field] : undefined;
    if (typeof value === 'string' && value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([value]) => value);
}

function knownConstraints(facts: ConstraintFacts): Record<string, unknown>[] {
  const policies: Iterable<KnownObject> = facts.objects('policy')?.values() ?? [];
  return [...policies].flatMap(({ policy }) => (policy?.constraints ?? []).filter(isRecord));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
