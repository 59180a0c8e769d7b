import * as z from 'zod';

/*
 * Field shapes as replies really carry them: releases leave listed fields out, send null where text is listed and
 * write error codes as text. Nothing here transforms its input, so a value that passes is still the value that came.
 */

/** Text; may be null or left out. */
export const text = z.string().nullish();
/** Whole number; may be null or left out. */
export const integer = z.number().nullish();
/** Number with decimals; may be null or left out. */
export const decimal = z.number().nullish();
/** True or false; may be null or left out. */
export const flag = z.boolean().nullish();
/** The words `True` and `False`, as instance settings and mail settings write booleans. */
export const textFlag = z.string().nullish();
/** Value whose type the description leaves open; may be null or left out. */
export const scalar = z.union([z.string(), z.number(), z.boolean()]).nullish();
/** Moment in time as text; the format differs by resource. */
export const timestamp = z.string().nullish();
/** An identifier: a string that looks numeric; some releases send the number itself. */
export const identifier = z.union([z.string(), z.number()]).nullish();
/** Error code: a number, or text such as `0`. */
export const errorCode = z.union([z.number(), z.string()]).nullish();
/** Array of anything; may be null or left out. */
export const anyList = z.array(z.unknown()).nullish();
/** Any object; may be null or left out. */
export const anyObject = z.looseObject({}).nullish();

/** Array of `item`; may be null or left out. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.array(item).nullish();
}

/** Fields `ErrorCode` and `ErrorMessage` that most resources carry. */
export const standardErrorFields = { ErrorCode: errorCode, ErrorMessage: text };
