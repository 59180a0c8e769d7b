import { fieldOf, identifierText, type JsonObject } from '../objects/json.ts';
import { textField } from '../objects/kinds/objectEntry.ts';
import type { ObjectServer } from '../objects/objectServer.ts';
import { shownMessage } from '../client/clientError.ts';
import * as l10n from '../l10n/l10n.ts';
import {
  audienceOf,
  editedPlace,
  hiddenAbove,
  idsBelow,
  parentIn,
  readPlaces,
  readTrees,
  type Audience,
} from './folderPlaces.ts';
import { findNode } from './folderReach.ts';
import type { AccessEdit } from './rows/accessEdits.ts';
import {
  allUsersCounts,
  isRefusal,
  noEffect,
  unknownEffect,
  usersWithGroups,
  type AccessEffect,
} from './rows/accessEffect.ts';
import { linesAtMost, listed, onOneLine } from './rows/accessWords.ts';
import { everyonesGroupIds, flagOf, snapshotOf, type AccessLists, type AccessSnapshot } from './rows/snapshot.ts';

/** A folder as an edit leaves it: fields that are omitted stay. */
export interface FolderEdit {
  readonly id: string;
  readonly fields: JsonObject;
}

/** Fields of a folder that decide who sees its content. API description, Library folder. */
const decidingFields = ['Permissions', 'InheritPermissions', 'ParentLibrary'];

/** Whether an edit of these fields can change who sees a folder. */
export function decidesFolder(fields: readonly string[]): boolean {
  return fields.some((field) => decidingFields.includes(field));
}

/**
 * Who sees the content of folders after edits who does not see it now, and the other way round. Only reads: the folders,
 * those above and below them, users and the instance settings.
 * @param saysKept whether users are named who see it now and afterwards, and folders that only their owner sees then.
 * @throws {ClientError} if the server cannot be reached. What it refuses to return is reported as unknown.
 */
export function folderEffect(
  server: ObjectServer,
  edits: readonly FolderEdit[],
  saysKept = false,
): Promise<AccessEffect> {
  const read = async () => {
    const ids = edits.map(({ id }) => id);
    const more = edits.flatMap(({ fields }) => parentIn(fields) ?? []);
    const places = await readPlaces(server, [...ids, ...(await below(server, ids))], { more });
    const after = new Map(places.folders);
    for (const { id, fields } of edits) {
      const folder = after.get(id);
      if (folder) after.set(id, editedPlace(folder, fields));
    }
    return {
      isComplete: places.isComplete,
      things: places.affected.map((id) => ({
        name: places.folders.get(id)?.name ?? id,
        before: (everyone: readonly string[]) => audienceOf(places.folders, id, everyone),
        after: (everyone: readonly string[]) => audienceOf(after, id, everyone),
      })),
    };
  };
  return effectOn(server, read, { saysKept });
}

/** Ids of all folders inside these. */
async function below(server: ObjectServer, ids: readonly string[]): Promise<string[]> {
  const trees = ids.length > 0 ? await readTrees(server) : [];
  return ids.flatMap((id) => {
    const node = trees.map((root) => findNode(root, id)).find((found) => found !== undefined);
    return node ? idsBelow(node) : [];
  });
}

/**
 * Who can see the content of hidden folders when they are shown, and of folders inside them that are not hidden
 * themselves, in sentences. The API description does not say who sees hidden folders. Only reads.
 * @throws {ClientError} if the server cannot be reached.
 */
export async function shownFolderViewers(server: ObjectServer, ids: readonly string[]): Promise<readonly string[]> {
  try {
    const [{ folders, affected, isComplete }, users, grantsAllUsers] = await Promise.all([
      below(server, ids).then((more) => readPlaces(server, [...ids, ...more])),
      usersWithGroups(server),
      allUsersCounts(server),
    ]);
    const everyone = everyonesGroupIds(users);
    const hiddenBy = (id: string) =>
      [...(folders.get(id)?.isHidden ? [id] : []), ...hiddenAbove(folders, id)].filter((each) => !ids.includes(each));
    const displayed = affected.filter((id) => hiddenBy(id).length === 0);
    const audiences = displayed.map((id) => ({
      name: folders.get(id)?.name ?? id,
      is: audienceOf(folders, id, everyone),
    }));
    const viewers = membershipsOf({ users, tags: [], policies: [], grantsAllUsers }, undefined).flatMap(
      ({ user, is }) => {
        const names = audiences.filter((audience) => isIn(is, audience.is)).map(({ name }) => name);
        return names.length > 0 ? [{ user, verb: 'sees' as const, names }] : [];
      },
    );
    const still = ids.filter((id) => hiddenBy(id).length > 0);
    const namesOf = (found: readonly string[]) => listed([...new Set(found)].map((id) => folders.get(id)?.name ?? id));
    const [above, hidden] = [namesOf(still.flatMap(hiddenBy)), namesOf(still)];
    return [
      ...(viewers.length > 0 ? changeLines(viewers) : []),
      ...(viewers.length === 0 && displayed.length > 0 ? [l10n.t('Only super-admins will see the content.')] : []),
      ...(still.length > 0 ? [l10n.t('Still hidden, because a folder above is ({0}): {1}.', above, hidden)] : []),
      ...(isComplete ? [] : [l10n.t('Not all folders could be checked.')]),
    ];
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return unknownEffect(shownMessage(error)).lines;
  }
}

/** {@link folderEffect}, for reports that move to another folder. */
export function reportMoveEffect(
  server: ObjectServer,
  reports: readonly { readonly name: string; readonly folderId: string }[],
  folderId: string,
): Promise<AccessEffect> {
  return effectOn(server, async () => {
    const more = [folderId, ...reports.map((report) => report.folderId)];
    const { folders } = await readPlaces(server, [], { more });
    return {
      isComplete: true,
      things: reports.map((report) => ({
        name: report.name,
        before: (everyone: readonly string[]) => audienceOf(folders, report.folderId, everyone),
        after: (everyone: readonly string[]) => audienceOf(folders, folderId, everyone),
      })),
    };
  });
}

/**
 * {@link folderEffect}, for users who join or leave groups or are created in them: which folders they see, no longer see,
 * and still see without a group that opens them.
 * @param edit of the users' groups.
 */
export function membershipEffect(server: ObjectServer, edit: AccessEdit): Promise<AccessEffect> {
  return effectOn(
    server,
    async () => {
      const trees = await readTrees(server);
      const tops = new Map(trees.map((root) => [identifierText(fieldOf(root, 'id')) ?? '', textField(root, 'text')]));
      tops.delete('');
      const ids = trees.flatMap(idsBelow);
      // The tops of libraries are read beside what is below, not after it.
      const { folders, affected, isComplete } = await readPlaces(server, ids, {
        more: [...tops.keys()],
        mayMiss: true,
      });
      return {
        isComplete,
        things: [...tops.keys(), ...affected].map((id) => {
          const audience = (everyone: readonly string[]) => audienceOf(folders, id, everyone);
          return { name: folders.get(id)?.name ?? tops.get(id) ?? id, before: audience, after: audience };
        }),
      };
    },
    { edit },
  );
}

/** A folder or report, and who sees it by the ids of the group All Users. */
interface Thing {
  readonly name: string;
  readonly before: (everyone: readonly string[]) => Audience;
  readonly after: (everyone: readonly string[]) => Audience;
}

async function effectOn(
  server: ObjectServer,
  read: () => Promise<{ things: readonly Thing[]; isComplete: boolean }>,
  { edit, saysKept = false }: { edit?: AccessEdit; saysKept?: boolean } = {},
): Promise<AccessEffect> {
  try {
    const [{ things, isComplete }, users, grantsAllUsers] = await Promise.all([
      read(),
      usersWithGroups(server),
      allUsersCounts(server),
    ]);
    const lists = { users, tags: [], policies: [], grantsAllUsers };
    const groups = membershipsOf(lists, edit);
    if (groups.length === 0) return noEffect;
    const everyone = everyonesGroupIds(users);
    const changes = changesFor(things, groups, everyone, saysKept);
    const isKnown = isComplete && (!edit || seesFoldersOf(server.accountId?.(), lists, groups));
    const owned = saysKept ? things.filter(({ after }) => after(everyone) === null).map(({ name }) => name) : [];
    const rest = [
      ...(owned.length > 0
        ? [l10n.t('Only the owner and super-admins will see the content of {0}.', listed(owned))]
        : []),
      ...(isKnown ? [] : [l10n.t('Not all folders could be checked.')]),
    ];
    return {
      lines: [...changeLines(changes), ...rest],
      statements: [...changes.map((change) => JSON.stringify(change)), ...rest],
      givesRows: changes.some(({ verb }) => verb === 'gains') || !isKnown,
    };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return unknownEffect(shownMessage(error));
  }
}

/** The groups of a user that count for folders, before and after an edit. */
interface Memberships {
  readonly user: string;
  readonly was: ReadonlySet<string>;
  readonly is: ReadonlySet<string>;
}

/** The groups of all users who do not see every folder anyway; after an edit, of those whose groups it changes. */
function membershipsOf(lists: AccessLists, edit: AccessEdit | undefined): Memberships[] {
  const before = limitedUsers(lists);
  const after = edit ? limitedUsers(edit(lists)) : before;
  // A new user is compared with someone who is in All Users only.
  const ofNew = new Set(lists.grantsAllUsers ? everyonesGroupIds(lists.users) : []);
  const all = [...after].map(([id, { name, valueGroupIds }]) => ({
    user: name,
    was: before.get(id)?.valueGroupIds ?? ofNew,
    is: valueGroupIds,
  }));
  return edit ? all.filter(({ was, is }) => changedGroups(was, is).length > 0) : all;
}

/** Users without super-admins, who see every folder. API description, Authentication. */
function limitedUsers(lists: AccessLists): AccessSnapshot['users'] {
  const users = lists.users.filter((user) => flagOf(fieldOf(user, 'isSuperAdmin')) !== true);
  return snapshotOf({ ...lists, users }).users;
}

function changedGroups(was: ReadonlySet<string>, is: ReadonlySet<string>): string[] {
  return [...[...was].filter((id) => !is.has(id)), ...[...is].filter((id) => !was.has(id))];
}

/**
 * Whether the account sees all folders that the users see before and after: super-admins do, and members of all their
 * groups. A member of only the changed groups sees no folder of these that is inside one of another group. API
 * description, Library (GetAllLibraryTree).
 */
function seesFoldersOf(accountId: string | undefined, lists: AccessLists, groups: readonly Memberships[]): boolean {
  if (accountId === undefined) return false;
  const own = lists.users.find((user) => identifierText(fieldOf(user, 'ID')) === accountId);
  if (own && flagOf(fieldOf(own, 'isSuperAdmin')) === true) return true;
  const ownIds = limitedUsers(lists).get(accountId)?.valueGroupIds;
  return ownIds !== undefined && groups.every(({ was, is }) => [...was, ...is].every((id) => ownIds.has(id)));
}

const verbs = ['gains', 'loses', 'keeps', 'sees'] as const;

/** What a user sees from then on, no longer, still, or whether or not it was seen before. */
interface Change {
  readonly user: string;
  readonly verb: (typeof verbs)[number];
  readonly names: readonly string[];
}

function changesFor(
  things: readonly Thing[],
  groups: readonly Memberships[],
  everyone: readonly string[],
  saysKept: boolean,
): Change[] {
  const audiences = things.map(({ name, before, after }) => ({ name, was: before(everyone), is: after(everyone) }));
  return groups.flatMap(({ user, was, is }) => {
    const left = new Set([...was].filter((id) => !is.has(id)));
    const verbOf = (thing: (typeof audiences)[number]): Change['verb'] | undefined => {
      const [saw, sees] = [isIn(was, thing.was), isIn(is, thing.is)];
      if (saw !== sees) return sees ? 'gains' : 'loses';
      const isSaid = saysKept || thing.was?.some((level) => level.some((id) => left.has(id)));
      return saw && isSaid ? 'keeps' : undefined;
    };
    const found = Map.groupBy(audiences, verbOf);
    return verbs.flatMap((verb) => {
      const names = found.get(verb)?.map(({ name }) => name) ?? [];
      return names.length > 0 ? [{ user, verb, names }] : [];
    });
  });
}

function isIn(groupIds: ReadonlySet<string>, audience: Audience): boolean {
  return audience !== null && audience.every((level) => level.some((id) => groupIds.has(id)));
}

/** One sentence for all users who see the same, gains first. */
function changeLines(changes: readonly Change[]): string[] {
  const together = Map.groupBy(changes, ({ verb, names }) => JSON.stringify([verbs.indexOf(verb), names]));
  const groups = [...together].sort(([one], [other]) => Number(one > other) - Number(one < other));
  const lines = groups.slice(0, linesAtMost).map(([, some]) => changeLine(some));
  const rest = new Set(groups.slice(linesAtMost).flatMap(([, some]) => some.map(({ user }) => user))).size;
  if (rest === 0) return lines;
  return [
    ...lines,
    rest === 1 ? l10n.t('and other changes for 1 user') : l10n.t('and other changes for {0} users', rest),
  ];
}

function changeLine(changes: readonly Change[]): string {
  const [first] = changes;
  const users = changes.map(({ user }) => user);
  const [one, names] = [onOneLine(users[0] ?? ''), listed(first?.names ?? [])];
  const isOne = users.length === 1;
  switch (first?.verb) {
    case 'gains':
      return isOne
        ? l10n.t('{0} will see the content of {1}.', one, names)
        : l10n.t('{0} users will see the content of {1}: {2}.', users.length, names, listed(users));
    case 'loses':
      return isOne
        ? l10n.t('{0} will no longer see the content of {1}.', one, names)
        : l10n.t('{0} users will no longer see the content of {1}: {2}.', users.length, names, listed(users));
    case 'sees':
      return isOne
        ? l10n.t('{0} can see the content of {1} afterwards.', one, names)
        : l10n.t('{0} users can see the content of {1} afterwards: {2}.', users.length, names, listed(users));
    default:
      return isOne
        ? l10n.t('{0} will still see the content of {1}.', one, names)
        : l10n.t('{0} users will still see the content of {1}: {2}.', users.length, names, listed(users));
  }
}
