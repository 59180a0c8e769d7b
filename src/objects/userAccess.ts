import type { WriteGuard } from '../client/client.ts';
import { asAnswered, settleWrite } from '../client/writes/writes.ts';
import { WriteNotDone } from '../client/writes/writeVerdict.ts';
import { fieldOf, type JsonObject } from './json.ts';
import { userKind } from './kinds/securityKinds.ts';
import { isSameRevision, nameOf, withRevision } from './kinds/objectKind.ts';
import { callForObject, guardedServer, type ObjectServer } from './objectServer.ts';
import * as l10n from '../l10n/l10n.ts';

/**
 * Changes the password of the signed-in account. API description, Users (SaveMYContact).
 * @throws {ClientError} like {@link setPin}.
 */
export function changeOwnPassword(server: ObjectServer, userId: string, password: string): Promise<void> {
  return sendPin(server, 'Contact/SaveMYContact', userId, password);
}

/**
 * Changes the password of a user. Sends the whole user with it; everything else stays as read. API description, Users
 * (SaveContact).
 * @throws {ClientError} when the server refuses, for example because the password is too weak; of kind unknownOutcome
 * when its reply is lost, since no password can be read back.
 */
export function setPin(server: ObjectServer, userId: string, pin: string): Promise<void> {
  return sendPin(server, 'Contact/SaveContact', userId, pin);
}

async function sendPin(
  server: ObjectServer,
  path: 'Contact/SaveContact' | 'Contact/SaveMYContact',
  userId: string,
  pin: string,
): Promise<void> {
  const user = await userKind.read(server, userId);
  const traces = {
    kind: 'change' as const,
    object: l10n.t('the PIN of {0}', nameOf(userKind, user)),
    read: async () => [await userKind.read(server, userId)],
    idOf: () => userId,
    hasContent: () => false,
    // Passwords are never returned: only an unchanged revision shows that nothing was saved.
    isAsBefore: (found: JsonObject) => isSameRevision(user, found),
  };
  const body = withRevision({ withpin: true, user: { ...user, Pin: pin } }, user);
  // Checking more often would show nothing more.
  const once = { pauses: [] };
  const send = (guard: WriteGuard) => callForObject(guardedServer(server, guard), path, body);
  await settleWrite(server, traces, send, asAnswered, once);
}

/**
 * Unlocks a user and reads the user back. API description, Users (UnlockContact).
 * @throws {ClientError} when the server refuses, the user is still locked, or of kind unknownOutcome.
 */
export async function unlockUser(server: ObjectServer, userId: string, pauses?: readonly number[]): Promise<void> {
  const user = await userKind.read(server, userId);
  const traces = {
    kind: 'change' as const,
    object: l10n.t('unlocking {0}', nameOf(userKind, user)),
    read: async () => [await userKind.read(server, userId)],
    idOf: () => userId,
    hasContent: (found: JsonObject) => !isLocked(found),
  };
  const send = (guard: WriteGuard) => callForObject(guardedServer(server, guard), 'Contact/UnlockContact', { user });
  await settleWrite(
    server,
    traces,
    send,
    async () => {
      const after = await userKind.read(server, userId);
      if (!isLocked(after)) return;
      const { name } = server;
      const words = l10n.t(
        '{0} accepted the request to unlock {1}, but the user is still locked.',
        name,
        nameOf(userKind, after),
      );
      throw new WriteNotDone(words, { server: name, endpoint: 'Contact/UnlockContact' });
    },
    { pauses },
  );
}

/** Whether `lockdate` contains the time when the user was locked: year one means never. API description, User. */
export function isLocked(user: JsonObject): boolean {
  const moment = fieldOf(user, 'lockdate');
  return typeof moment === 'string' && moment !== '' && !moment.startsWith('0001-01-01');
}
