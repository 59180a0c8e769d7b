import { errorCodes } from '../../contract/errorCodes.ts';
import { CallFailure } from './handlers.ts';

/**
 * Checks that an object sent to be saved or deleted is complete. API description, Endpoints (common rules).
 * @throws {CallFailure} 9000 naming a collection that is missing or not an array.
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
 * Checks the numbers of an object before it is stored: a stored fraction would be returned from then on where the API
 * description says integer.
 * @throws {CallFailure} 9000 naming the field.
 */
export function requireWholeNumbers<T extends object>(
  value: T,
  what: string,
  fields: readonly (keyof T & string)[],
): void {
  for (const name of fields) {
    const number: unknown = value[name];
    if (typeof number !== 'number' || Number.isInteger(number)) continue;
    throw new CallFailure(errorCodes.unexpected, `${what}: ${name} is ${number}, which is not a whole number.`);
  }
}

/** Unlisted reply field: names of the fields that the server stores but does not act on. */
export const inactiveFieldsName = 'InactiveSettings';

/** Unlisted fields that replies add to the object. */
const ownFields: ReadonlySet<string> = new Set(['Revision', inactiveFieldsName]);

/** Maximum total characters of an object's fields that the server only stores. */
const mostExtra = 20_000;

/**
 * Returns the fields of a sent object that the server only stores: those not in `listed` (the fields of the API
 * description), and those named in `kept`.
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

/** An identifier as sent; null and empty text, which mean "to be created", become null. */
export function sentId(id: string | number | null | undefined): string | null {
  return id === null || id === undefined || id === '' ? null : String(id);
}

/** Failure with code 9001: the call is valid but cannot be carried out. */
export function refusal(message: string): CallFailure {
  return new CallFailure(errorCodes.notCompleted, message);
}

/**
 * Rejects a save based on an outdated revision. An extension of the API description: a client that sends
 * `expectedRevision` (the `Revision` that reads return) gets an error if another client saved in between; a client that
 * omits it overwrites.
 * @throws {CallFailure} 9001 when the object has changed.
 */
export function checkRevision(body: object, current: number, what: string): void {
  const expected: unknown = 'expectedRevision' in body ? body.expectedRevision : undefined;
  if (expected === undefined || expected === null || Number(expected) === current) return;
  throw new CallFailure(
    errorCodes.notCompleted,
    `${what} was changed in the meantime and is now at revision ${current}. Reload it, then save.`,
  );
}

/** Message that the named fields are saved but have no effect; empty without names. */
export function inactiveFieldsMessage(names: readonly string[]): string {
  return names.length === 0 ? '' : `Saved, but this server does not apply ${names.join(', ')}.`;
}
