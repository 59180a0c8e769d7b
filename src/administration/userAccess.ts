import { ClientError } from '../client/clientError.ts';
import { fieldOf, type JsonObject } from '../objects/json.ts';
import { userKind } from '../objects/kinds/securityKinds.ts';
import { nameOf, withRevision } from '../objects/objectKind.ts';
import { callForObject, type ObjectServer } from '../objects/objectServer.ts';
import { say } from '../words/say.ts';

/**
 * Gives a user another password. The whole user is sent with it; everything else stays as it was read. API description,
 * Users (SaveContact).
 * @throws {ClientError} when the server refuses, for example because the password is too weak.
 */
export async function setPin(server: ObjectServer, userId: string, pin: string): Promise<void> {
  const user = await userKind.read(server, userId);
  await callForObject(
    server,
    'Contact/SaveContact',
    withRevision({ withpin: true, user: { ...user, Pin: pin } }, user),
  );
}

/**
 * Unlocks a user and reads the user back. API description, Users (UnlockContact).
 * @throws {ClientError} when the server refuses, or the user is still locked.
 */
export async function unlockUser(server: ObjectServer, userId: string): Promise<void> {
  const user = await userKind.read(server, userId);
  await callForObject(server, 'Contact/UnlockContact', { user });
  const after = await userKind.read(server, userId);
  if (!isLocked(after)) return;
  throw new ClientError(
    'refused',
    say('{0} accepted to unlock {1}, but the user is still locked.', server.name, nameOf(userKind, after)),
    {
      server: server.name,
      endpoint: 'Contact/UnlockContact',
    },
  );
}

/** Whether `lockdate` says when the user was locked: year one means never. API description, User. */
export function isLocked(user: JsonObject): boolean {
  const moment = fieldOf(user, 'lockdate');
  return typeof moment === 'string' && moment !== '' && !moment.startsWith('0001-01-01');
}
