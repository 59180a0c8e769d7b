import * as l10n from '../../l10n/l10n.ts';
import { isSameJson } from '../merge/canonicalJson.ts';
import { fieldOf, type Json, type JsonObject } from '../json.ts';
import { noteOf } from '../notes/notesOf.ts';
import type { ObjectKind } from '../kinds/objectKind.ts';
import { entriesOf, propertyOf } from '../language/jsonText.ts';
import type { Problem, ProblemContext } from '../language/problems/problem.ts';

/** A change that must be confirmed: of a setting that controls access or affects all users. */
export interface RiskyChange {
  readonly field: string;
  readonly before: Json;
  readonly now: Json;
  /** One sentence about the field; empty if there is no note. */
  readonly meaning: string;
}

/**
 * The risky changes from `base` to `mine`: of fields that control access, restricting lists that become empty, and lists
 * that the server returned as null although a save must send them.
 * Fields missing in `base` cannot be compared.
 */
export function riskyChanges(kind: ObjectKind, base: JsonObject, mine: JsonObject): RiskyChange[] {
  const lists = Object.entries(kind.shape.fields ?? {}).filter(([, shape]) => shape.isRestriction);
  const emptied = lists.map(([field]) => field).filter((field) => !isEmpty(base, field) && isEmpty(mine, field));
  const changes = [...(kind.riskyFields ?? []), ...emptied].flatMap((risk): RiskyChange[] => {
    const { field, to } = typeof risk === 'string' ? { field: risk, to: undefined } : risk;
    const before = fieldOf(base, field);
    const now = fieldOf(mine, field) ?? null;
    if (before === undefined || isSameJson(before, now)) return [];
    if (to !== undefined && now !== null && !isSameJson(to, now)) return [];
    return [{ field, before, now, meaning: meaningOf(kind, base, field) }];
  });
  return [...changes, ...unreadLists(kind, base, mine)];
}

/** Lists that the server returned as null and the edit leaves so: whether they have entries is unknown. */
export function unreadLists({ requiredLists = [] }: ObjectKind, base: JsonObject, mine: JsonObject): RiskyChange[] {
  const isNull = (view: JsonObject, field: string) => (fieldOf(view, field) ?? null) === null;
  return requiredLists
    .filter((field) => fieldOf(base, field) === null && isNull(mine, field))
    .map((field) => ({
      ...{ field, before: null, now: [] },
      meaning: l10n.t(
        'A save must include this list. If it has entries that the server did not return, they are removed.',
      ),
    }));
}

/** A field without effect on the server must not appear to protect anything. */
function meaningOf(kind: ObjectKind, base: JsonObject, field: string): string {
  const inactive = fieldOf(base, inactiveFieldsName);
  if (Array.isArray(inactive) && inactive.includes(field))
    return l10n.t('The server stores this value but does not apply it.');
  return noteOf(kind.name, field)?.text ?? '';
}

/** Whether two risky changes set the same field to the same value. */
export function isSameRisk(one: RiskyChange, other: RiskyChange): boolean {
  return one.field === other.field && isSameJson(one.now, other.now);
}

function isEmpty(view: JsonObject, field: string): boolean {
  const list = fieldOf(view, field);
  return !Array.isArray(list) || list.length === 0;
}

/** Server field with the names of the fields that it stores but ignores. Not in the API description. */
const inactiveFieldsName = 'InactiveSettings';

const offValues: readonly unknown[] = ['', 'False', 'none', 'PIN', false, null];

/** Fields that are enabled although the server reports that they have no effect. */
export function inactiveFieldProblems({ document }: ProblemContext): Problem[] {
  const { root } = document;
  const named = propertyOf(root, inactiveFieldsName)?.children?.[1];
  if (named?.type !== 'array') return [];
  const names = new Set(entriesOf(named).map(({ value }): unknown => value));
  return [...names].flatMap((name) => {
    const [key, value] = (typeof name === 'string' && propertyOf(root, name)?.children) || [];
    // Numbers do not mean on or off.
    if (!key || !value || typeof value.value === 'number' || offValues.includes(value.value)) return [];
    return [
      {
        code: 'inactiveField' as const,
        severity: 'information' as const,
        offset: key.offset,
        length: key.length,
        message: l10n.t('The server stores this value but does not apply it.'),
        fixes: [],
      },
    ];
  });
}
