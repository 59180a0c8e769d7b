/** Operators that compare one value with another in order. */
export const comparisonOperators = ['=', '<>', '<', '<=', '>', '>='] as const;

export type ComparisonOperator = (typeof comparisonOperators)[number];

/**
 * Every operator of criteria rows and policy constraints, with its alternative spellings in reports. The single table
 * of operators: the server compares with it, the builder and the language features read with it. API description,
 * Criteria (Op).
 */
const spellings = {
  '=': ['==', 'equals', 'equal to', 'is', 'is equal to', 'eq'],
  '<>': ['!=', 'not equal', 'not equals', 'not equal to', 'does not equal', 'is not', 'is not equal to', 'ne'],
  '<': ['less than', 'is less than', 'before', 'lt'],
  '<=': ['less than or equal', 'less than or equal to', 'at most', 'le', 'lte'],
  '>': ['greater than', 'is greater than', 'after', 'gt'],
  '>=': ['greater than or equal', 'greater than or equal to', 'at least', 'ge', 'gte'],
  between: ['is between'],
  'not between': ['is not between'],
  in: ['in list', 'is in list', 'is in', 'one of'],
  'not in': ['not in list', 'is not in list', 'is not in', 'none of'],
  like: ['is like'],
  'not like': ['is not like'],
  contains: ['contain', 'containing'],
  'not contains': ['does not contain', 'not containing'],
  'starts with': ['start with', 'begins with', 'startswith', 'beginswith'],
  'ends with': ['end with', 'endswith'],
  'is null': ['null', 'isnull', 'is empty', 'is blank'],
  'is not null': ['not null', 'isnotnull', 'is not empty', 'is not blank'],
} as const satisfies Record<string, readonly string[]>;

export type Operator = keyof typeof spellings;

/** Every operator in its primary spelling. */
export const operators: readonly Operator[] = Object.keys(spellings).filter(isOperator);

/** Operators of policy constraints, spelled exactly so. */
export const policyOperators = [
  '=',
  '<>',
  '<',
  '<=',
  '>',
  '>=',
  'in',
  'not in',
  'like',
  'between',
] as const satisfies readonly Operator[];

export type PolicyOperator = (typeof policyOperators)[number];

/** Whether policy constraints can use an operator. */
export function isPolicyOperator(text: string): text is PolicyOperator {
  return (policyOperators as readonly string[]).includes(text);
}

const operatorBySpelling = new Map<string, Operator>();
for (const operator of operators) {
  for (const spelling of [operator, ...spellings[operator]]) operatorBySpelling.set(spelling, operator);
}

/** Parses an operator, ignoring case, with any of `_`, `-` or blanks between its words. */
export function readOperator(text: string): Operator | undefined {
  return operatorBySpelling.get(
    text
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, ' '),
  );
}

/** Number of values that an operator takes: none, one, two, or one text with a list of any length. */
export type ValueCount = 'none' | 'one' | 'two' | 'list';

/** Number of values that `operator` takes. */
export function valuesTaken(operator: Operator): ValueCount {
  if (operator === 'is null' || operator === 'is not null') return 'none';
  if (operator === 'between' || operator === 'not between') return 'two';
  return operator === 'in' || operator === 'not in' ? 'list' : 'one';
}

/** Fields of a prompt that describe the operator of its criteria row. API description, Prompt. */
export interface OperatorFlags {
  isBetween: boolean;
  isInList: boolean;
  isLike: boolean;
  isGreaterThan: boolean;
  isLessThan: boolean;
}

const texts: readonly Operator[] = ['like', 'not like', 'contains', 'not contains', 'starts with', 'ends with'];

/** The flags of a prompt whose row uses `operator`; all false when it is unknown. API description, Prompt. */
export function operatorFlags(operator: Operator | undefined): OperatorFlags {
  const taken = operator && valuesTaken(operator);
  return {
    isBetween: taken === 'two',
    isInList: taken === 'list',
    isLike: operator !== undefined && texts.includes(operator),
    isGreaterThan: operator === '>' || operator === '>=',
    isLessThan: operator === '<' || operator === '<=',
  };
}

function isOperator(text: string): text is Operator {
  return Object.hasOwn(spellings, text);
}
