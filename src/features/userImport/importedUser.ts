import type { AnalyticsClient } from '../../client/client.ts';
import { ClientError } from '../../client/clientError.ts';
import { asAnswered, writeOnce } from '../../client/writes/writes.ts';
import type { User } from '../../contract/resources/user.ts';
import { say } from '../../l10n/l10n.ts';

/** Whether a user has a login name, whatever its case. */
export function isNamed(loginName: string | null | undefined, wanted: string): boolean {
  return (loginName ?? '').toLowerCase() === wanted.toLowerCase();
}

/** Says that the user of an id has another login name than the row that created it. */
export function otherLogin({ target }: AnalyticsClient, userId: string, loginName: string | null | undefined): string {
  return say('On {0} user {1} is {2} now, and was left alone.', target.name, userId, loginName ?? '–');
}

/**
 * Deletes a user whose object was just read, so that only a lost reply costs a look at the whole list.
 * @throws {ClientError} when the user has not the login name of the row: it may be somebody else.
 */
export async function deleteUser(
  client: AnalyticsClient,
  userId: string,
  loginName: string,
  pauses: readonly number[] | undefined,
): Promise<void> {
  const user = await client.call('Contact/GetContactById', { ContactId: userId });
  if (!isNamed(user.LoginName, loginName)) {
    throw new ClientError('refused', otherLogin(client, userId, user.LoginName), { server: client.target.name });
  }
  let known: User[] | undefined = [user];
  await writeOnce(
    client,
    {
      path: 'Contact/DeleteContact',
      body: { user },
      object: say('the user {0}', user.LoginName ?? userId),
      kind: 'delete',
      read: async (signal) => {
        const found = known ?? (await client.call('Contact/GetContactList', {}, signal ? { signal } : {}));
        known = undefined;
        return found.filter(({ ID }) => String(ID) === userId);
      },
      idOf: ({ ID }) => String(ID),
      hasContent: () => true,
    },
    asAnswered,
    { pauses },
  );
}
