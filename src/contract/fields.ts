import * as z from 'zod';

/*
 * Field types as found in real replies: releases omit listed fields, send null for text and send error codes as text.
 * Nothing here transforms its input, so a valid value is still the value that was received.
 */

/** Text; may be null or omitted. */
export const text = z.string().nullish();
/** Whole number; may be null or omitted. */
export const integer = z.number().nullish();
/** Number with decimals; may be null or omitted. */
export const decimal = z.number().nullish();
/** True or false; may be null or omitted. */
export const flag = z.boolean().nullish();
/** The text `True` or `False`, as instance settings and mail settings encode booleans. */
export const textFlag = z.string().nullish();
/** Value whose type the description does not define; may be null or omitted. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]).nullish();
/** Date and time as text; the format differs by resource. */
export const timestamp = z.string().nullish();
/** An identifier: numeric text; some releases send a number. */
export const identifier = z.union([z.string(), z.number()]).nullish();
/** Error code: a number, or text such as `0`. */
export const errorCode = z.union([z.number(), z.string()]).nullish();
/** Array of anything; may be null or omitted. */
export const anyList = z.array(z.unknown()).nullish();
/** Any object; may be null or omitted. */
export const anyObject = z.looseObject({}).nullish();

/** Array of `item`; may be null or omitted. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.array(item).nullish();
}

/** Fields `ErrorCode` and `ErrorMessage`, which most resources have. */
export const standardErrorFields = { ErrorCode: errorCode, ErrorMessage: text };
