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

/** An identifier as sent: text, or null where null or empty text means "to be created". */
export function sentId(id: string | number | null | undefined): string | null {
  return id === null || id === undefined || id === '' ? null : String(id);
}

/** Refusal with code 9001: the call is understood but cannot be carried out. */
export function refusal(message: string): CallFailure {
  return new CallFailure(errorCodes.notCompleted, message);
}
