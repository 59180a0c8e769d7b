import { exact, type ExactNumber, isSame, plainText, rounded, wholeBeside } from './exactNumber.ts';

/*
 * Formulas with the result that a person computes: what a test knows of them without asking a database.
 */

/** A row of the shop's sales; numbers as decimal text. */
export interface FigureRow {
  amount: string | null;
  pieces: string | null;
  ratio: string | null;
  sold_on: string | null;
  sold_at: string | null;
  note: string | null;
  tenant: string | null;
}

/** Numbers are compared as such, texts and moments as text. */
export type Figure = ExactNumber | string | null;

export interface FigureCase {
  formula: string;
  figure: (row: FigureRow) => Figure;
}

type Term<Value> = readonly [formula: string, value: (row: FigureRow) => Value | null];
type NumberTerm = Term<ExactNumber>;
type TextTerm = Term<string>;

const number = (text: string | null) => (text === null ? null : exact(text));
const amount: NumberTerm = ['[Amount]', (row) => number(row.amount)];
const pieces: NumberTerm = ['[Pieces]', (row) => number(row.pieces)];
const ratio: NumberTerm = ['[Ratio]', (row) => number(row.ratio)];
const numbers = [amount, pieces, ratio];
const note: TextTerm = ['[Note]', (row) => row.note];
const tenant: TextTerm = ['[Tenant]', (row) => row.tenant];
const texts = [note, tenant];
const day: TextTerm = ['[Sold On]', (row) => row.sold_on];
const moment: TextTerm = ['[Sold At]', (row) => row.sold_at];
const times = [day, moment];
const constant = (text: string): NumberTerm => [text, () => exact(text)];
const quoted = (text: string): TextTerm => [`'${text.replaceAll("'", "''")}'`, () => text];
const nothing: Term<never> = ['NULL', () => null];

/** A call whose result is null where an argument is. */
function strict<Values extends readonly unknown[]>(
  name: string,
  terms: { readonly [Index in keyof Values]: Term<Values[Index]> },
  compute: (...values: Values) => Figure,
): FigureCase {
  return {
    formula: `${name}(${terms.map(([formula]) => formula).join(', ')})`,
    figure(row) {
      const values = terms.map(([, value]) => value(row));
      return values.includes(null) ? null : compute(...(values as unknown as Values));
    },
  };
}

const whole = (value: number): ExactNumber => ({ units: BigInt(value), scale: 0 });
const counted = (value: ExactNumber, least = 0) =>
  Math.min(Math.max(Number(rounded(value, 0).units), least), 1_000_000);
const characters = (text: string) => [...text];

const onTexts: Record<string, (text: string) => Figure> = {
  UPPER: (text) => text.toUpperCase(),
  LOWER: (text) => text.toLowerCase(),
  TRIM: (text) => text.replace(/^ +| +$/g, ''),
  LTRIM: (text) => text.replace(/^ +/, ''),
  RTRIM: (text) => text.replace(/ +$/, ''),
  LENGTH: (text) => whole(characters(text).length),
};
const onNumbers: Record<string, (value: ExactNumber) => Figure> = {
  ABS: ({ units, scale }) => ({ units: units < 0n ? -units : units, scale }),
  ROUND: (value) => rounded(value, 0),
  FLOOR: (value) => wholeBeside(value, 'below'),
  CEILING: (value) => wholeBeside(value, 'above'),
  SIGN: ({ units }) => whole(units === 0n ? 0 : units < 0n ? -1 : 1),
};
const date = (text: string) => new Date(`${text.slice(0, 10)}T00:00:00Z`);
const dayText = (value: Date) => value.toISOString().slice(0, 10);
const weekday = (value: Date) => ((value.getUTCDay() + 6) % 7) + 1;
const dayNumber = (value: Date) => value.getTime() / 86_400_000;
const onTimes: Record<string, (text: string) => Figure> = {
  YEAR: (text) => whole(Number(text.slice(0, 4))),
  QUARTER: (text) => whole(Math.ceil(Number(text.slice(5, 7)) / 3)),
  MONTH: (text) => whole(Number(text.slice(5, 7))),
  WEEK: (text) => whole(isoWeek(date(text))),
  DAY: (text) => whole(Number(text.slice(8, 10))),
  WEEKDAY: (text) => whole(weekday(date(text))),
  HOUR: (text) => whole(Number(text.slice(11, 13))),
  MINUTE: (text) => whole(Number(text.slice(14, 16))),
  DATEONLY: (text) => text.slice(0, 10),
  MONTHSTART: (text) => `${text.slice(0, 7)}-01`,
  QUARTERSTART: (text) => `${text.slice(0, 4)}-${String(quarterMonth(text)).padStart(2, '0')}-01`,
  YEARSTART: (text) => `${text.slice(0, 4)}-01-01`,
};

function quarterMonth(text: string): number {
  return Math.ceil(Number(text.slice(5, 7)) / 3) * 3 - 2;
}

/** The week with the year's first Thursday is the first one. */
function isoWeek(value: Date): number {
  const thursday = new Date(value);
  thursday.setUTCDate(value.getUTCDate() + 4 - weekday(value));
  const first = date(`${dayText(thursday).slice(0, 4)}-01-01`);
  return Math.floor((dayNumber(thursday) - dayNumber(first)) / 7) + 1;
}

const counts = ['0', '2', '-1', '1.5', '50'].map(constant);

function textCases(): FigureCase[] {
  const take = (text: string, from: number, count = Infinity) =>
    characters(text)
      .slice(from - 1, from - 1 + count)
      .join('');
  return texts.flatMap((text) => [
    ...Object.entries(onTexts).map(([name, compute]) => strict(name, [text], compute)),
    ...[...counts, amount, pieces].flatMap((count) => [
      strict('LEFT', [text, count], (value, n) => take(value, 1, counted(n))),
      strict('RIGHT', [text, count], (value, n) => {
        const all = characters(value);
        return all.slice(Math.max(all.length - counted(n), 0)).join('');
      }),
      strict('SUBSTRING', [text, count], (value, from) => take(value, counted(from, 1))),
      strict('SUBSTRING', [text, constant('2'), count], (value, _, n) => take(value, 2, counted(n))),
    ]),
    ...[quoted('7'), quoted(''), quoted('a'), tenant].map((sought) =>
      strict('REPLACE', [text, sought, quoted("x'")], (value, from, to) =>
        from === '' ? value : value.split(from).join(to),
      ),
    ),
  ]);
}

function numberCases(): FigureCase[] {
  return numbers.flatMap((value) => [
    ...Object.entries(onNumbers).map(([name, compute]) => strict(name, [value], compute)),
    ...['0', '1', '2', '-1', '1.5'].map((places) =>
      strict('ROUND', [value, constant(places)], (found, to) => rounded(found, counted(to, -15))),
    ),
  ]);
}

function timeCases(): FigureCase[] {
  const between = (from: TextTerm, to: TextTerm) =>
    strict('DAYSBETWEEN', [from, to], (one, other) => whole(dayNumber(date(other)) - dayNumber(date(one))));
  return [
    ...times.flatMap((time) => Object.entries(onTimes).map(([name, compute]) => strict(name, [time], compute))),
    ...times.flatMap((from) => times.map((to) => between(from, to))),
  ];
}

/** Numbers as text have no zeros at the end of their fraction, moments none in their seconds. */
function textOf(value: ExactNumber | string | null): string | null {
  return value === null || typeof value === 'string' ? value : plainText(value);
}

const numberForm = /^ *[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d{1,2})? *$/i;
const cast = (formula: string, type: string) => `CAST(${formula} AS ${type})`;
const toNumber = (text: string | null) => (text !== null && numberForm.test(text) ? exact(text) : null);
/** NUMBER is a binary fraction of 64 bits. */
const asDouble = (value: ExactNumber | null) => value && exact(String(Number(plainText(value))));
const within64 = (value: ExactNumber | null) =>
  value && BigInt.asIntN(64, value.units) === value.units ? value : null;

/** The day that a text begins with, if it is one of the calendar. */
function dayOf(text: string | null): string | null {
  const found = /^(\d{4}-\d{2}-\d{2})(?!\d)/.exec(text ?? '')?.[1];
  const value = found === undefined ? undefined : date(found);
  return value && !Number.isNaN(value.getTime()) && dayText(value) === found ? (found ?? null) : null;
}

function castCases(): FigureCase[] {
  return [
    ...[...numbers, ...texts, ...times].map(([formula, value]) => ({
      formula: cast(formula, 'TEXT'),
      figure: (row: FigureRow) => textOf(value(row)),
    })),
    ...numbers.flatMap(([formula, value]) => [
      { formula: cast(formula, 'NUMBER'), figure: (row: FigureRow) => asDouble(value(row)) },
      { formula: cast(formula, 'INTEGER'), figure: (row: FigureRow) => roundedOrNull(value(row)) },
    ]),
    { formula: cast('[Note]', 'NUMBER'), figure: (row) => asDouble(toNumber(row.note)) },
    { formula: cast('[Note]', 'INTEGER'), figure: (row) => within64(roundedOrNull(toNumber(row.note))) },
    {
      formula: cast(cast('[Note]', 'INTEGER'), 'TEXT'),
      figure: (row) => textOf(within64(roundedOrNull(toNumber(row.note)))),
    },
    { formula: cast('[Note]', 'DATE'), figure: (row) => dayOf(row.note) },
    { formula: cast('[Sold At]', 'DATE'), figure: (row) => dayOf(row.sold_at) },
    { formula: cast('[Sold On]', 'TIMESTAMP'), figure: (row) => row.sold_on },
    { formula: cast('[Amount] * 2', 'TEXT'), figure: ({ amount: text }) => twice(text) },
    { formula: cast('-[Amount]', 'TEXT'), figure: ({ amount: text }) => negative(text) },
  ];
}

function roundedOrNull(value: ExactNumber | null): ExactNumber | null {
  return value && rounded(value, 0);
}

function twice(text: string | null): string | null {
  if (text === null) return null;
  const { units, scale } = exact(text);
  return plainText({ units: 2n * units, scale });
}

function negative(text: string | null): string | null {
  if (text === null) return null;
  const { units, scale } = exact(text);
  return plainText({ units: -units, scale });
}

function generalCases(): FigureCase[] {
  const joined = (...terms: readonly Term<ExactNumber | string>[]) => ({
    formula: `CONCAT(${terms.map(([formula]) => formula).join(', ')})`,
    figure: (row: FigureRow) => terms.map(([, value]) => textOf(value(row)) ?? '').join(''),
  });
  const pairs: (readonly [Term<ExactNumber | string>, Term<ExactNumber | string>])[] = [
    [amount, pieces],
    [amount, ratio],
    [pieces, constant('0')],
    [note, tenant],
    [tenant, quoted('none')],
    [moment, day],
  ];
  return [
    joined(amount, ratio),
    joined(pieces, note),
    joined(day, moment),
    joined(note),
    joined(nothing, constant('1.50'), tenant),
    {
      formula: "[Amount] || '/' || [Ratio]",
      figure: (row) => `${textOf(amount[1](row)) ?? ''}/${textOf(ratio[1](row)) ?? ''}`,
    },
    ...pairs.flatMap(([[one, first], [other, second]]) => [
      { formula: `COALESCE(${one}, ${other})`, figure: (row: FigureRow) => first(row) ?? second(row) },
      { formula: `NULLIF(${one}, ${other})`, figure: (row: FigureRow) => unlessEqual(first(row), second(row)) },
    ]),
  ];
}

/** A date equals its midnight. */
function unlessEqual(one: Figure, other: Figure): Figure {
  if (one === null || other === null) return one;
  if (typeof one === 'object' && typeof other === 'object') return isSame(one, other) ? null : one;
  return one === other ? null : one;
}

/** Calls with NULL in place of a value. */
function nullCases(): FigureCase[] {
  const names = [...Object.keys(onTexts), ...Object.keys(onNumbers), ...Object.keys(onTimes)];
  const calls = names.map((name) => `${name}(NULL)`);
  return [...calls, 'CAST(NULL AS TEXT)', 'CAST(NULL AS INTEGER)', 'LEFT([Note], NULL)', 'ROUND([Amount], NULL)'].map(
    (formula) => ({ formula, figure: () => null }),
  );
}

/** Formulas over a sale that give the same figure everywhere. */
export const figureCases: readonly FigureCase[] = [
  ...textCases(),
  ...numberCases(),
  ...timeCases(),
  ...castCases(),
  ...generalCases(),
  ...nullCases(),
];
