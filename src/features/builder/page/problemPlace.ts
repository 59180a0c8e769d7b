import type { BuilderReport, BuilderTotal, LiveSqlState } from '../pageContract.ts';

/** Where the page shows why there is no SQL. */
interface ProblemPlace {
  tab: 'fields' | 'criteria' | 'totals';
  /** Index in `FieldList`; undefined if no field is the cause. */
  field?: number;
  /** Index in `AdHocFields`. */
  total?: number;
}

/**
 * Where to mark a server error: at the total or criteria that the message mentions, else at the field that it names.
 * Undefined if unknown, for example if the server uses another language.
 */
export function problemPlace(
  { problem, problemField }: Pick<LiveSqlState, 'problem' | 'problemField'>,
  { fields, totals }: Pick<BuilderReport, 'fields' | 'totals'>,
): ProblemPlace | undefined {
  if (problem === '') return undefined;
  const field = fields.find(({ index }) => index === problemField);
  const number = Number(/\btotals (\d+)/i.exec(problem)?.[1] ?? 0);
  const named =
    totals[number - 1] ?? totals.find((total) => field !== undefined && isOf(total, [field.alias, field.name]));
  if (/\b(totals?|calculat)/i.test(problem) && (named ?? totals[0])) {
    const total = named ?? (totals.length === 1 ? totals[0] : undefined);
    return { tab: 'totals', ...(total && { total: total.index }) };
  }
  // A new total has no column yet, which servers report as "".
  const unnamed = totals.find(({ field1 }) => field1.trim() === '');
  if (unnamed && /""|''/.test(problem)) return { tab: 'totals', total: unnamed.index };
  if (field === undefined) return undefined;
  const isCriteria = /\b(criteri|prompt)/i.test(problem) && field.criteria.length > 0;
  return { tab: isCriteria ? 'criteria' : 'fields', field: field.index };
}

function isOf({ field1, field2 }: BuilderTotal, names: readonly string[]): boolean {
  const own = [field1, field2].map((name) => name.trim().toLowerCase()).filter((name) => name !== '');
  return names.some((name) => own.includes(name.toLowerCase()));
}
