/** Operators that compare one value with another in order. */
export const comparisonOperators = ['=', '<>', '<', '<=', '>', '>='] as const;

export type ComparisonOperator = (typeof comparisonOperators)[number];

/**
 * Every operator of criteria rows and of policy constraints, with the other ways in which reports spell it. The one table
 * of them: the server compares by it, the builder and the language help read by it. API description, Criteria (Op).
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

/** Every operator, spelled as reports are written here. */
export const operators: readonly Operator[] = Object.keys(spellings).filter(isOperator);

const operatorBySpelling = new Map<string, Operator>();
for (const operator of operators) {
  for (const spelling of [operator, ...spellings[operator]]) operatorBySpelling.set(spelling, operator);
}

/** The operator that `text` spells, in any case and with any of `_`, `-` or blanks between its words. */
export function readOperator(text: string): Operator | undefined {
  return operatorBySpelling.get(
    text
      .trim()
      .toLowerCase()
      .replace(/[\s_-]+/g, ' '),
  );
}

/** How many values an operator takes: none, one, two, or one text that lists any number. */
export type ValueCount = 'none' | 'one' | 'two' | 'list';

/** How many values `operator` takes. */
export function valuesTaken(operator: Operator): ValueCount {
  if (operator === 'is null' || operator === 'is not null') return 'none';
  if (operator === 'between' || operator === 'not between') return 'two';
  return operator === 'in' || operator === 'not in' ? 'list' : 'one';
}

/** What a prompt says of the operator of the row that asks. API description, Prompt. */
export interface OperatorFlags {
  isBetween: boolean;
  isInList: boolean;
  isLike: boolean;
  isGreaterThan: boolean;
  isLessThan: boolean;
}

const texts: readonly Operator[] = ['like', 'not like', 'contains', 'not contains', 'starts with', 'ends with'];

/** The flags of a prompt whose row compares by `operator`; all false where it is unknown. API description, Prompt. */
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
