import { errorCodes } from '../../contract/errorCodes.ts';
import { CallFailure } from './handlers.ts';

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
