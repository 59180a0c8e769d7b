import { membershipEffect } from '../../access/folderEffect.ts';
import { accessEffect, bothEffects, type AccessEffect } from '../../access/rows/accessEffect.ts';
import { creatingUsers, joining, type AccessEdit } from '../../access/rows/accessEdits.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import { shownMessage } from '../../client/clientError.ts';
import type { Connection } from '../../connections/connection.ts';
import * as l10n from '../../l10n/l10n.ts';
import { textField } from '../../objects/kinds/objectEntry.ts';
import { objectServer, readingOnce } from '../../objects/objectServer.ts';
import { canBeSent, unfinished, type ImportRow } from './importRows.ts';
import { readServerNames, type ServerNames } from './serverNames.ts';
import type { UserRow } from './userCsv.ts';

/**
 * What an import does to the rows and folders that users see. The page shows it before the import starts; `givesRows` is
 * without folders, which users get by their groups.
 * @throws {ClientError} if the server cannot be reached.
 */
export async function importEffect(
  client: AnalyticsClient,
  rows: readonly ImportRow[],
  names?: ServerNames,
): Promise<AccessEffect> {
  const server = readingOnce(objectServer(client));
  // The same is read for any edit: beside the names, which the edit needs.
  accessEffect(server, (lists) => lists).catch(() => undefined);
  membershipEffect(server, (lists) => lists).catch(() => undefined);
  const edit = importing(rows, names ?? (await readServerNames(client)));
  const [ofRows, ofFolders] = await Promise.all([accessEffect(server, edit), membershipEffect(server, edit)]);
  return { ...bothEffects(ofRows, ofFolders), givesRows: ofRows.givesRows };
}

/** {@link importEffect}, for a page that also opens without the server. */
export async function rowLinesOf(connection: Connection, rows: readonly ImportRow[]): Promise<readonly string[]> {
  try {
    return (await importEffect(await connection.client(), rows)).lines;
  } catch (error) {
    return [l10n.t('It is unknown who will see more rows: {0}', shownMessage(error))];
  }
}

/** What the next run does: creates the missing users, and adds users to groups that they lack. */
export function importing(
  rows: readonly ImportRow[],
  { groupIds }: { groupIds: ReadonlyMap<string, string> },
): AccessEdit {
  const sent = rows.filter((entry) => unfinished.includes(entry.status) && canBeSent(entry));
  const groupsOf = ({ memberships }: UserRow) =>
    memberships.flatMap(({ groupName, roleId }) => {
      const groupId = groupIds.get(groupName.toLowerCase());
      return groupId === undefined ? [] : [{ groupId, groupName, roleId }];
    });
  return (lists) => {
    // A row that was cut off may have created its user, which the import only finds out when it goes on.
    const byLogin = new Map(lists.users.map((user) => [loginKey(textField(user, 'LoginName')), textField(user, 'ID')]));
    const known = sent.map(({ row, userId }) => ({ row, userId: userId || byLogin.get(loginKey(row.loginName)) }));
    const missing = known.filter(({ userId }) => userId === undefined).map(({ row }) => created(row, groupsOf(row)));
    const joins = known.flatMap(({ row, userId }) =>
      userId === undefined
        ? []
        : groupsOf(row).map((group) => joining(group.groupId, group.groupName, [userId], group.roleId)),
    );
    return [creatingUsers(missing), ...joins].reduce((changed, edit) => edit(changed), lists);
  };
}

function loginKey(login: string): string {
  return login.trim().toLowerCase();
}

/** A user as the import creates it. */
function created(row: UserRow, groups: readonly { groupId: string; groupName: string; roleId: string }[]) {
  return {
    fields: {
      ...{ LoginName: row.loginName, FirstName: row.firstName, LastName: row.lastName, EmailAddress: row.email },
      ...{ Company: row.company, Tag1: row.tags[0], Tag2: row.tags[1], Tag3: row.tags[2], Tag4: row.tags[3] },
    },
    groups: groups.map(({ groupId, groupName, roleId }) => ({
      ...{ GroupId: groupId, GroupName: groupName, GroupRoles: [{ RoleId: roleId }] },
    })),
  };
}
