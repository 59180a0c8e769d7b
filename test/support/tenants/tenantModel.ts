/*
 * What an administrator and the users of two tenants do to each other's access, said a second time: who is in which group, which
 * values tags and profiles have, and which rows a policy leaves. It shares nothing with the server.
 */

/** A row of the table that everything is about. `sold` is a date in the database, `released` a date kept as text. */
export interface Deal {
  id: number;
  tenant: string | null;
  code: string | null;
  released: string | null;
  sold: string | null;
  amount: number | null;
}

/** What the database itself calls each column. */
export const columnClasses = {
  id: 'number',
  tenant: 'text',
  code: 'text',
  released: 'text',
  sold: 'date',
  amount: 'number',
} as const;

export type DealColumn = keyof typeof columnClasses;

/** Field types whose values are of the class that the database names. */
const faithful = { number: ['num', 'cur', 'per'], text: ['cha'], date: ['doz'] };

/** A constraint of a policy on the deals. */
export interface DealConstraint {
  ColumnName: DealColumn;
  Operator: '=' | '<>' | '<' | '<=' | '>' | '>=' | 'in' | 'not in' | 'like' | 'between';
  Value: string;
  Value2: string;
  Logical: 'AND' | 'OR';
}

/** Values of the data tag `region`. */
export interface TagValues {
  users: (string | undefined)[];
  groups: (string | undefined)[];
  fallback: string;
}

/** What a policy is, as last saved. */
export interface PolicyState {
  constraints: DealConstraint[];
  isActive: boolean;
  users: boolean[];
  groups: boolean[];
}

/** All that decides what two users see; arrays go by user or by group. */
export interface TenantState {
  /** Role of each user in each group; undefined for none. */
  roles: (string | undefined)[][];
  tag: TagValues;
  company: { value: string; isSelfSet: boolean }[];
  tag1: string[];
  policy: PolicyState | undefined;
}

export const users = [0, 1] as const;
export const groups = [0, 1] as const;

/** One thing that somebody does. */
export type Change =
  | { kind: 'join'; user: number; group: number; role: string }
  | { kind: 'leave'; user: number; group: number }
  | { kind: 'tag'; values: TagValues }
  | { kind: 'ownCompany'; user: number; value: string }
  | { kind: 'company'; user: number; value: string; confirms: boolean }
  | { kind: 'tag1'; user: number; value: string }
  | { kind: 'policy'; policy: PolicyState }
  | { kind: 'noPolicy' };

/** The table as one report type shows it. */
export interface DealTable {
  rows: readonly Deal[];
  /** Registered field types. */
  types: Record<DealColumn, string>;
  /** Columns of which the database itself says nothing certain. */
  vague: readonly DealColumn[];
}

/** Whether a stored policy compares with the users' own company, whatever the spelling. */
export function namesCompany(state: TenantState): boolean {
  return (state.policy?.constraints ?? []).some(({ Value, Value2 }) =>
    /\/#\s*company\s*#\//i.test(`${Value} ${Value2}`),
  );
}

/** What a user may see: the ids that are permitted, in every way that closing an uncertain constraint could leave. */
export function permitted(
  state: TenantState,
  who: number,
  { rows, types, vague }: DealTable,
  today: string,
): number[][] {
  const { policy: applied } = state;
  const isMember = groups.some((each) => applied?.groups[each] && state.roles[who]?.[each] !== undefined);
  if (!applied?.isActive || !(applied.users[who] || isMember)) return [rows.map(({ id }) => id)];
  const isUncertain = applied.constraints.map((each) => !isCertain(each, types) || vague.includes(each.ColumnName));
  const ways = isUncertain.includes(true) ? [isUncertain, isUncertain.map(() => false)] : [isUncertain];
  const results = ways.map((closed) =>
    rows.filter((row) =>
      chain(applied.constraints, (each, index) => !closed[index] && holds(each, row, state, who, today)),
    ),
  );
  return [...results.map((kept) => kept.map(({ id }) => id)), ...(isUncertain.includes(true) ? [[]] : [])];
}

function isCertain({ ColumnName }: DealConstraint, types: Record<DealColumn, string>): boolean {
  return faithful[columnClasses[ColumnName]].includes(types[ColumnName]);
}

/** AND binds tighter than OR. */
function chain(
  constraints: readonly DealConstraint[],
  test: (each: DealConstraint, index: number) => boolean,
): boolean {
  const runs: boolean[][] = [[]];
  constraints.forEach((each, index) => {
    if (index > 0 && constraints[index - 1]?.Logical === 'OR') runs.push([]);
    runs.at(-1)?.push(test(each, index));
  });
  return runs.some((run) => run.every(Boolean));
}

/** The texts that a value means for a user; none when a placeholder has no value. */
function texts(value: string, state: TenantState, who: number, isList: boolean): { text: string; isOwn: boolean }[] {
  const label = /^\/#\s*(\w+)\s*#\/$/.exec(value)?.[1]?.toLowerCase();
  const split = (text: string) =>
    isList
      ? text
          .split(',')
          .map((item) => item.trim())
          .filter(Boolean)
      : [text];
  if (label === undefined) return split(value).map((text) => ({ text, isOwn: false }));
  return valuesOf(label, state, who)
    .filter((text) => text !== '')
    .flatMap((text) => (label === 'company' ? [text] : split(text)))
    .map((text) => ({ text, isOwn: true }));
}

function valuesOf(label: string, state: TenantState, who: number): string[] {
  if (label === 'tag1') return [state.tag1[who] ?? ''];
  if (label === 'company') return state.company[who]?.isSelfSet ? [] : [state.company[who]?.value ?? ''];
  const { tag } = state;
  const own = tag.users[who];
  if (own) return [own];
  const byGroup = groups.flatMap((each) =>
    Number(state.roles[who]?.[each] ?? '0') > 0 ? (tag.groups[each] ?? []) : [],
  );
  return byGroup.length > 0 ? [...new Set(byGroup)] : [tag.fallback];
}

function holds(
  { ColumnName, Operator, Value, Value2 }: DealConstraint,
  row: Deal,
  state: TenantState,
  who: number,
  today: string,
): boolean {
  const cell = row[ColumnName];
  const isList = Operator === 'in' || Operator === 'not in';
  const lows = texts(Value, state, who, isList);
  const highs = Operator === 'between' ? texts(Value2, state, who, false) : [];
  const isOrder = ['<', '<=', '>', '>=', 'between'].includes(Operator);
  if (
    cell === null ||
    lows.length === 0 ||
    (isOrder && (lows.length > 1 || (Operator === 'between' && highs.length !== 1)))
  )
    return false;
  const values = [...lows, ...highs].map(({ text }) => text);
  if (columnClasses[ColumnName] === 'text') {
    if (isOrder || values.some((text) => /^\s*\[.*\]\s*$/.test(text))) return false;
    if (Operator === 'like') return lows.some(({ text, isOwn }) => like(String(cell), text, isOwn));
    const equals = values.some((text) => text === cell);
    return Operator === '=' || Operator === 'in' ? equals : !equals;
  }
  if (Operator === 'like') return false;
  const spans = values.map((text) =>
    columnClasses[ColumnName] === 'number' ? numberSpan(text) : daySpan(text, today),
  );
  if (!spans.every((span) => span !== undefined)) return false;
  return ordered(Operator, columnClasses[ColumnName] === 'number' ? Number(cell) : Date.parse(String(cell)), spans);
}

type Span = readonly [from: number, to: number];

/** A number is a span of one point, a period one of days: `to` is the last of them. */
function ordered(operator: DealConstraint['Operator'], at: number, spans: readonly Span[]): boolean {
  const [[from, to] = [0, 0], [, last] = [0, 0]] = spans;
  const isWithin = spans.some(([low, high]) => at >= low && at <= high);
  switch (operator) {
    case '=':
    case 'in':
      return isWithin;
    case '<>':
    case 'not in':
      return !isWithin;
    case '<':
      return at < from;
    case '<=':
      return at <= to;
    case '>':
      return at > to;
    case '>=':
      return at >= from;
    case 'between':
      return at >= from && at <= last;
    default:
      return false;
  }
}

function numberSpan(text: string): Span | undefined {
  const value = /^\s*[+-]?\d+(\.\d+)?(e\d+)?\s*$/i.test(text) ? Number(text) : undefined;
  return value === undefined ? undefined : [value, value];
}

const oneDay = 86_400_000;

function daySpan(text: string, today: string): Span | undefined {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return [Date.parse(text), Date.parse(text)];
  const now = Date.parse(today);
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7)) - 1;
  const yearSpan = (which: number): Span => [Date.UTC(which, 0, 1), Date.UTC(which, 11, 31)];
  const spans: Record<string, Span> = {
    '[Today]': [now, now],
    '[Yesterday]': [now - oneDay, now - oneDay],
    '[Tomorrow]': [now + oneDay, now + oneDay],
    '[This Year]': yearSpan(year),
    '[Next Year]': yearSpan(year + 1),
    '[Last Month]': [Date.UTC(year, month - 1, 1), Date.UTC(year, month, 0)],
  };
  return spans[text];
}

function like(cell: string, pattern: string, isOwn: boolean): boolean {
  if (isOwn) return cell === pattern;
  const source = [...pattern].map((each) => {
    if (each === '%') return '[^]*';
    return each === '_' ? '[^]' : each.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  });
  return new RegExp(`^${source.join('')}$`, 'u').test(cell);
}
