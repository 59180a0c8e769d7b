import { exact, type ExactNumber, plainText } from './exactNumber.ts';
import type { FigureRow } from './figureCases.ts';

/*
 * Aggregates of the columns of a group with the result that a person computes. Means and deviations are fractions: they are
 * compared by their first digits.
 */

/** The result as text, `approximate` where only its first digits count; null for no value. */
export interface AggregateFigure {
  text: string | null;
  approximate?: true;
}

export interface AggregateCase {
  column: keyof FigureRow;
  aggregate: string;
  figure: (group: readonly FigureRow[]) => AggregateFigure;
}

const numbers = ['amount', 'pieces', 'ratio'] as const;
const texts = ['note', 'tenant', 'sold_on'] as const;

const valuesOf = (group: readonly FigureRow[], column: keyof FigureRow) =>
  group.flatMap((row) => (row[column] === null ? [] : [row[column]]));

/** Numbers of one scale, so that their units compare and add up. */
function alike(values: readonly string[]): { units: bigint[]; scale: number } {
  const found = values.map(exact);
  const scale = Math.max(0, ...found.map((one) => one.scale));
  return { units: found.map((one) => one.units * 10n ** BigInt(scale - one.scale)), scale };
}

const shown = (units: bigint, scale: number): AggregateFigure => ({ text: plainText({ units, scale }) });
const nothing: AggregateFigure = { text: null };
const counted = (count: number): AggregateFigure => ({ text: String(count) });

function sum(values: readonly string[]): AggregateFigure {
  const { units, scale } = alike(values);
  return units.length === 0
    ? nothing
    : shown(
        units.reduce((total, each) => total + each, 0n),
        scale,
      );
}

function extreme(values: readonly string[], isLess: (one: bigint, other: bigint) => boolean): AggregateFigure {
  const { units, scale } = alike(values);
  const [first, ...rest] = units;
  return first === undefined
    ? nothing
    : shown(
        rest.reduce((best, each) => (isLess(each, best) ? each : best), first),
        scale,
      );
}

/** n times the sum of squares less the square of the sum: exact, with twice the scale. */
function squares({ units }: { units: readonly bigint[] }): bigint {
  const total = units.reduce((all, each) => all + each, 0n);
  return BigInt(units.length) * units.reduce((all, each) => all + each * each, 0n) - total * total;
}

function variance(values: readonly string[]): number | undefined {
  const found = alike(values);
  const count = found.units.length;
  if (count < 2) return undefined;
  return Number(squares(found)) / (count * (count - 1)) / 10 ** (2 * found.scale);
}

const fraction = (value: number | undefined): AggregateFigure =>
  value === undefined ? nothing : { text: String(value), approximate: true };

const ofNumbers: Readonly<Record<string, (values: readonly string[]) => AggregateFigure>> = {
  SUM: sum,
  MIN: (values) => extreme(values, (one, other) => one < other),
  MAX: (values) => extreme(values, (one, other) => one > other),
  AVG(values) {
    const { units, scale } = alike(values);
    const total: ExactNumber = { units: units.reduce((all, each) => all + each, 0n), scale };
    return fraction(units.length === 0 ? undefined : Number(plainText(total)) / units.length);
  },
  STDDEV(values) {
    const found = variance(values);
    return fraction(found === undefined ? undefined : Math.sqrt(found));
  },
  VARIANCE: (values) => fraction(variance(values)),
  'COUNT DISTINCT': (values) => counted(new Set(values.map((value) => plainText(exact(value)))).size),
};

/** Texts are in the order of their characters' codes, which is that of their bytes. */
const byBytes = (values: readonly string[]) =>
  values.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));

const ofTexts: Readonly<Record<string, (values: readonly string[]) => AggregateFigure>> = {
  MIN: (values) => ({ text: byBytes(values)[0] ?? null }),
  MAX: (values) => ({ text: byBytes(values).at(-1) ?? null }),
  'COUNT DISTINCT': (values) => counted(new Set(values).size),
};

function casesOf(
  columns: readonly (keyof FigureRow)[],
  aggregates: Readonly<Record<string, (values: readonly string[]) => AggregateFigure>>,
): AggregateCase[] {
  const all = { ...aggregates, COUNT: (values: readonly string[]) => counted(values.length) };
  return columns.flatMap((column) =>
    Object.entries(all).map(([aggregate, compute]) => ({
      column,
      aggregate,
      figure: (group: readonly FigureRow[]) => compute(valuesOf(group, column)),
    })),
  );
}

/** Every aggregate of every column that it takes. */
export const aggregateCases: readonly AggregateCase[] = [...casesOf(numbers, ofNumbers), ...casesOf(texts, ofTexts)];

/** Whether a database's result, a number as it wrote it, is the expected one. */
export function isAggregate(actual: string | null, { text, approximate }: AggregateFigure): boolean {
  if (actual === null || text === null) return actual === text;
  if (!approximate) return actual === text;
  const [one, other] = [Number(actual), Number(text)];
  return Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));
}
