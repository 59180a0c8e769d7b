import type { PolicyConstraint } from '../../../src/server/security/policyConstraint.ts';
import type { ShopData, ShopRow } from './shopData.ts';

/** Values of the tags of one caller. */
export type Tags = Readonly<Record<string, readonly string[] | undefined>>;

const numbers = new Set(['id', 'store_id', 'clerk_id', 'amount', 'pieces', 'ratio', 'level']);
const dates = new Set(['sold_on', 'opened']);

/**
 * The rows of the shop that policies let a caller see: what row security means, said a second time and row by row. Shares
 * nothing with the gate but the constraint's form.
 */
export function permittedRows(data: ShopData, policies: readonly PolicyConstraint[][], tags: Tags): ShopData {
  const keep = (table: keyof ShopData) =>
    data[table].filter((row) =>
      policies.every((constraints) =>
        allows(
          constraints.filter(({ TableName }) => TableName.toLowerCase() === table),
          row,
          tags,
        ),
      ),
    );
  return { sales: keep('sales'), stores: keep('stores'), clerks: keep('clerks') };
}

function allows(constraints: readonly PolicyConstraint[], row: ShopRow, tags: Tags): boolean {
  if (constraints.length === 0) return true;
  // AND binds tighter: the chain is an OR of runs of AND.
  const runs: boolean[][] = [[]];
  constraints.forEach((constraint, index) => {
    if (index > 0 && constraints[index - 1]?.Logical === 'OR') runs.push([]);
    runs.at(-1)?.push(holds(constraint, row, tags));
  });
  return runs.some((run) => run.every(Boolean));
}

function holds(constraint: PolicyConstraint, row: ShopRow, tags: Tags): boolean {
  const column = constraint.ColumnName.toLowerCase();
  if (!(column in row)) return false;
  const lows = valuesOf(constraint.Value, tags);
  const highs = constraint.Operator === 'between' ? valuesOf(constraint.Value2, tags) : [];
  if (!lows || !highs) return false;
  const listed = constraint.Operator.endsWith('in')
    ? lows.flatMap((text) => text.split(',').map((item) => item.trim()))
    : lows;
  const texts = [...listed, ...highs].filter((text) => !constraint.Operator.endsWith('in') || text !== '');
  if (texts.length === 0 || !texts.every((text) => isValue(column, text))) return false;
  if (isTextColumn(column) && !isCertainOfText(constraint.Operator, texts)) return false;
  const value = row[column];
  if (value === null || value === undefined) return false;
  switch (constraint.Operator) {
    case '=':
    case 'in':
      return texts.some((text) => order(column, value, text) === 0);
    case '<>':
    case 'not in':
      return texts.every((text) => order(column, value, text) !== 0);
    case 'like':
      return !numbers.has(column) && !dates.has(column) && likes(constraint.Value, tags, String(value));
    case 'between':
      return (
        lows.length === 1 &&
        highs.length === 1 &&
        order(column, value, lows[0] ?? '') >= 0 &&
        order(column, value, highs[0] ?? '') <= 0
      );
    default: {
      if (lows.length !== 1) return false;
      const sign = order(column, value, lows[0] ?? '');
      return { '<': sign < 0, '<=': sign <= 0, '>': sign > 0, '>=': sign >= 0 }[constraint.Operator];
    }
  }
}

function isTextColumn(column: string): boolean {
  return !numbers.has(column) && !dates.has(column);
}

/** Texts have no order that a policy could mean, and a day may be spelled in many ways. */
function isCertainOfText(operator: string, texts: readonly string[]): boolean {
  if (['<', '<=', '>', '>=', 'between'].includes(operator)) return false;
  const isNegated = operator === '<>' || operator === 'not in';
  return !texts.some((text) => /^\[(today|this month)\]$/i.test(text) || (isNegated && /^\d{4}-\d/.test(text)));
}

/** The texts that a value stands for; undefined when a tag has none. */
function valuesOf(value: string, tags: Tags): string[] | undefined {
  const label = /^\/#(.*)#\/$/.exec(value)?.[1];
  if (label === undefined) return [value];
  const values = (tags[label] ?? []).filter((text) => text !== '');
  return values.length > 0 ? values : undefined;
}

function isValue(column: string, text: string): boolean {
  if (numbers.has(column)) return /^-?\d+(\.\d+)?$/.test(text);
  return !dates.has(column) || /^\d{4}-(0\d|1[0-2])-([01]\d|2\d|30|31)$/.test(text);
}

function order(column: string, value: string | number | bigint, text: string): number {
  if (numbers.has(column)) return Math.sign(Number(value) - Number(text));
  return Buffer.compare(Buffer.from(String(value)), Buffer.from(text));
}

/** LIKE where `%` and `_` of the policy's own text are wildcards, and a tag's text is only itself. */
function likes(template: string, tags: Tags, value: string): boolean {
  const placeholder = /^\/#(.*)#\/$/.exec(template)?.[1];
  const isTag = placeholder !== undefined;
  const texts = valuesOf(template, tags) ?? [];
  return texts.some((text) => {
    const quoted = [...text].map((character) => {
      if (!isTag && character === '%') return '[^]*';
      if (!isTag && character === '_') return '[^]';
      return character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
    });
    return new RegExp(`^${quoted.join('')}$`, 'u').test(value);
  });
}
