import { type FunctionName, isFunctionName } from '../sql/functions.ts';
import type { CastType } from '../sql/tree.ts';

const castTypes: Record<string, CastType> = {
  TEXT: 'text',
  VARCHAR: 'text',
  NUMBER: 'number',
  DOUBLE: 'number',
  FLOAT: 'number',
  INTEGER: 'integer',
  INT: 'integer',
  BIGINT: 'integer',
  DATE: 'date',
  DATETIME: 'timestamp',
  TIMESTAMP: 'timestamp',
};
const synonyms: Record<string, FunctionName> = {
  LEN: 'LENGTH',
  SUBSTR: 'SUBSTRING',
  CEIL: 'CEILING',
  UCASE: 'UPPER',
  LCASE: 'LOWER',
  IFNULL: 'COALESCE',
  ISNULL: 'COALESCE',
  NVL: 'COALESCE',
};

/** The type that a word after AS means, whatever its case; undefined for none. */
export function castTypeOf(word: string): CastType | undefined {
  const name = word.toUpperCase();
  return Object.hasOwn(castTypes, name) ? castTypes[name] : undefined;
}

/** The function that a word in capitals calls, by its name or by what other databases call it; undefined for none. */
export function functionOf(word: string): FunctionName | undefined {
  const name = Object.hasOwn(synonyms, word) ? synonyms[word] : word;
  return name !== undefined && isFunctionName(name) ? name : undefined;
}
