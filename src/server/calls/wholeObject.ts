import { errorCodes } from '../../contract/errorCodes.ts';
import { CallFailure } from './handlers.ts';

/**
 * Checks that an object sent to be saved or deleted is a whole one. API description, Endpoints (common rules).
 * @throws {CallFailure} 9000 that names a collection which is missing or no array.
 */
export function requireCollections(value: object, what: string, collections: readonly string[]): void {
  for (const name of collections) {
    const collection: unknown = (value as Record<string, unknown>)[name];
    if (Array.isArray(collection)) continue;
    throw new CallFailure(
      errorCodes.unexpected,
      `${what} lacks the collection ${name}. Start from the New template or from the object as it was read.`,
    );
  }
}

/**
 * Checks the numbers of an object that is to be stored: a fraction would be answered for ever after where the API description
 * says integer.
 * @throws {CallFailure} 9000 that names the field.
 */
export function requireWholeNumbers<T extends object>(
  value: T,
  what: string,
  fields: readonly (keyof T & string)[],
): void {
  for (const name of fields) {
    const number: unknown = value[name];
    if (typeof number !== 'number' || Number.isInteger(number)) continue;
    throw new CallFailure(errorCodes.unexpected, `${what}: ${name} is ${number}, which is no whole number.`);
  }
}

/** Unlisted field of a reply: names of fields that the server stores and does not act on. */
export const inactiveFieldsName = 'InactiveSettings';

/** Unlisted fields that replies carry beside the object. */
const ownFields: ReadonlySet<string> = new Set(['Revision', inactiveFieldsName]);

/** Characters of all the fields of an object together that are only kept. */
const mostExtra = 20_000;

/**
 * The fields of a sent object that the server only keeps: those that are not among `listed`, the fields that the API
 * description lists, or that are named in `kept`.
 * @throws {CallFailure} 9001 when they are too long.
 */
export function extraFields(sent: object, listed: object, kept: readonly string[] = []): Record<string, unknown> {
  const isExtra = ([name, value]: [string, unknown]) =>
    kept.includes(name) ? value !== null : !Object.hasOwn(listed, name) && !ownFields.has(name);
  const extra = Object.fromEntries(Object.entries(sent).filter(isExtra));
  const { length } = JSON.stringify(extra);
  if (length <= mostExtra) return extra;
  throw refusal(
    `The fields ${Object.keys(extra).slice(0, 5).join(', ')} have ${length} characters; ${mostExtra} are the most.`,
  );
}

/** An identifier as sent: text, or null where null or empty text means "to be created". */
export function sentId(id: string | number | null | undefined): string | null {
  return id === null || id === undefined || id === '' ? null : String(id);
}

/** Refusal with code 9001: the call is understood but cannot be carried out. */
export function refusal(message: string): CallFailure {
  return new CallFailure(errorCodes.notCompleted, message);
}

/**
 * Refuses a save that was made from an older state. Ours, not the API description's: whoever sends the number
 * `expectedRevision` in the body (the `Revision` that reads return) is told when somebody else saved in between; whoever
 * leaves it out overwrites.
 * @throws {CallFailure} 9001 when the object has moved on.
 */
export function checkRevision(body: object, current: number, what: string): void {
  const expected: unknown = 'expectedRevision' in body ? body.expectedRevision : undefined;
  if (expected === undefined || expected === null || Number(expected) === current) return;
  throw new CallFailure(
    errorCodes.notCompleted,
    `${what} was changed by somebody else: it is at revision ${current}. Read it again, then save.`,
  );
}

/** Says of fields that were saved that nothing follows from them; empty where there are none. */
export function inactiveFieldsMessage(names: readonly string[]): string {
  return names.length === 0 ? '' : `Saved, but this server does not act on ${names.join(', ')}.`;
}
