import type { JsonValueWriter } from './queryRules.ts';

/** Types whose text is a JSON number, by their object id: int8, int2, int4, oid. */
const wholeTypes = new Set([20, 21, 23, 26]);
/** numeric, float4, float8: NaN and infinity are among their values. */
const fractionTypes = new Set([1700, 700, 701]);
/** date, timestamp, timestamptz: infinity is among their values. */
const timeTypes = new Set([1082, 1114, 1184]);
const booleanType = 16;

const isFinite = /\d/;

/** How a column's values, which PostgreSQL gives as text, become JSON. */
export function postgresqlWriter(typeId: number): JsonValueWriter<string> {
  if (wholeTypes.has(typeId)) return (text) => text;
  if (fractionTypes.has(typeId)) return (text) => (isFinite.test(text) ? text : 'null');
  if (timeTypes.has(typeId)) return (text) => (isFinite.test(text) ? `"${text}"` : 'null');
  if (typeId === booleanType) return (text) => (text === 't' ? 'true' : 'false');
  return (text) => JSON.stringify(text);
}
