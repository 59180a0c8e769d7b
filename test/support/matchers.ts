import { expect } from 'vitest';

/*
 * Vitest's asymmetric matchers, typed so that a strict compiler lets them stand for values of any type.
 */

/** Text that matches a pattern. */
export const textLike = (pattern: RegExp): unknown => expect.stringMatching(pattern);
/** Text that contains a part. */
export const textWith = (part: string): unknown => expect.stringContaining(part);
/** Any value of a primitive type or class, such as `Number`. */
export const anyOf = (type: unknown): unknown => expect.any(type);
/** A list with an entry that has these fields among others. */
export const listWith = (entry: object): unknown => expect.arrayContaining([expect.objectContaining(entry)]);
