import { type ComparisonOperator, type Operator, valuesTaken } from '../../contract/operators.ts';
import { allOf, anyOf, type ColumnKind, type LikePart, type Predicate, type SqlValue } from './rowSecurityPredicate.ts';
import { readNumber, readTimeSpan, type TimeSpan } from './rowSecurityValues.ts';
import { splitList, ValueError, type FilledPart } from '../../contract/policyValues.ts';

/**
 * The operand of a condition and its kind. `today` is the base of relative dates. `startOf` gives the time stored at the
 * start of a day (`YYYY-MM-DD HH:mm:ss`), for days of another time zone; by default days begin at midnight as stored.
 */
export interface Subject<Operand> {
  operand: Operand;
  kind: ColumnKind;
  today: string;
  startOf?: ((day: string) => string) | undefined;
}

/**
 * The condition `subject operator texts`, typed by the subject's kind: numbers compare as numbers, text exactly and
 * case-sensitively, dates as spans of time. `texts` has as many texts as `valuesTaken` specifies; list items are
 * separate texts.
 * @throws {ValueError} when a text is not a value of the subject's kind.
 */
export function conditionOn<Operand>(
  subject: Subject<Operand>,
  operator: Operator,
  texts: readonly string[],
): Predicate<Operand> {
  const [first = '', second = ''] = texts;
  switch (operator) {
    case 'is null':
    case 'is not null':
      return { kind: 'null', operand: subject.operand, isNegated: operator === 'is not null' };
    case 'like':
    case 'not like':
      return likePattern(subject, patternOf(first), operator === 'not like');
    case 'contains':
    case 'not contains':
      return likePattern(subject, [many, { literal: first }, many], operator === 'not contains');
    case 'starts with':
      return likePattern(subject, [{ literal: first }, many], false);
    case 'ends with':
      return likePattern(subject, [many, { literal: first }], false);
    case 'in':
    case 'not in':
      return membership(subject, texts, operator === 'not in');
    case 'between':
      return allOf([comparison(subject, '>=', first), comparison(subject, '<=', second)]);
    case 'not between':
      return anyOf([comparison(subject, '<', first), comparison(subject, '>', second)]);
    default:
      return comparison(subject, operator, first);
  }
}

const many: LikePart = { any: 'many' };

/** Parses `%` and `_` of a LIKE text as wildcards. */
export function patternOf(text: string): LikePart[] {
  return text
    .split(/([%_])/)
    .filter((part) => part !== '')
    .map((part) => (part === '%' ? many : part === '_' ? { any: 'one' } : { literal: part }));
}

/** The parts of a pattern: wildcards count in a constraint's own text only. */
export function patternParts(part: FilledPart): LikePart[] {
  return part.isTag ? [{ literal: part.text }] : patternOf(part.text);
}

/**
 * A LIKE condition over parsed pattern parts.
 * @throws {ValueError} when the subject is not text: patterns over numbers and dates depend on the database's
 * formatting.
 */
export function likePattern<Operand>(
  { operand, kind }: Subject<Operand>,
  pattern: readonly LikePart[],
  isNegated: boolean,
): Predicate<Operand> {
  if (kind !== 'text') throw new ValueError('LIKE and similar operators compare text only');
  return { kind: 'like', operand, pattern, isNegated };
}

function membership<Operand>(
  subject: Subject<Operand>,
  texts: readonly string[],
  isNegated: boolean,
): Predicate<Operand> {
  const { operand, kind } = subject;
  if (texts.length === 0) throw new ValueError('The list has no values');
  if (isTime(kind)) {
    const tests = texts.map((text) => comparison(subject, isNegated ? '<>' : '=', text));
    return isNegated ? allOf(tests) : anyOf(tests);
  }
  return { kind: 'in', operand, values: texts.map((text) => plainValue(kind, text)), isNegated };
}

function comparison<Operand>(
  { operand, kind, today, startOf }: Subject<Operand>,
  operator: ComparisonOperator,
  text: string,
): Predicate<Operand> {
  if (isTime(kind)) return timeComparison(operand, operator, readTimeSpan(text, kind, today, startOf));
  return { kind: 'compare', operand, operator, value: plainValue(kind, text) };
}

function timeComparison<Operand>(
  operand: Operand,
  operator: ComparisonOperator,
  { from, before }: TimeSpan,
): Predicate<Operand> {
  const test = (sign: ComparisonOperator, value: SqlValue): Predicate<Operand> => ({
    kind: 'compare',
    operand,
    operator: sign,
    value,
  });
  if (!before) return test(operator, from);
  switch (operator) {
    case '=':
      return allOf([test('>=', from), test('<', before)]);
    case '<>':
      return anyOf([test('<', from), test('>=', before)]);
    case '<':
    case '>=':
      return test(operator, from);
    case '<=':
      return test('<', before);
    case '>':
      return test('>=', before);
  }
}

function plainValue(kind: ColumnKind, text: string): SqlValue {
  return kind === 'number' ? readNumber(text) : { type: 'text', text };
}

function isTime(kind: ColumnKind): boolean {
  return kind === 'date' || kind === 'timestamp' || kind === 'unixTime';
}

/** The texts of an operator from two value fields: lists are split, unused fields omitted. */
export function valueTexts(operator: Operator, value1: string, value2: string): string[] {
  switch (valuesTaken(operator)) {
    case 'none':
      return [];
    case 'one':
      return [value1];
    case 'two':
      return [value1, value2];
    case 'list':
      return splitList(value1);
  }
}
