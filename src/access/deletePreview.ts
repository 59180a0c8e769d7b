import { contentsOf, foldersOnlyFor, seesEveryFolder } from './folderReach.ts';
import { folderEffect, type FolderEdit } from './folderEffect.ts';
import { fieldOf, identifierText, type JsonObject } from '../objects/json.ts';
import { findKind } from '../objects/kinds/kinds.ts';
import { nameOf } from '../objects/kinds/objectKind.ts';
import { textField } from '../objects/kinds/objectEntry.ts';
import { holdsId, namesOf, objectsIn, readObject } from '../objects/objectParts.ts';
import { callForList, type ObjectServer } from '../objects/objectServer.ts';
import { placeholdersWithin } from '../objects/placeholders.ts';
import { onOneLine } from './rows/accessWords.ts';
import { assigneesOf, policiesComparingWith, policiesOf } from './policyReach.ts';
import * as l10n from '../l10n/l10n.ts';

/** What is deleted or changed together with an object. */
export interface DeletionPreview {
  /** The object's current name on the server. */
  readonly name: string;
  /** One fact per line, the most serious first; empty when nothing else is affected. */
  readonly lines: string[];
  /** Whether so much is affected that the user should type the object's name to confirm. */
  readonly typedName: boolean;
}

/**
 * Finds out what is affected when an object is deleted: memberships, seats, tag values, assignments, contents. Only
 * reads.
 * @param kind name of its kind, for example `group`.
 * @throws {ClientError} when the object cannot be read.
 */
export async function describeDeletion(server: ObjectServer, kind: string, id: string): Promise<DeletionPreview> {
  switch (kind) {
    case 'user':
      return userDeletion(server, id);
    case 'group':
      return groupDeletion(server, id);
    case 'tag':
      return tagDeletion(server, id);
    case 'policy':
      return policyDeletion(server, id);
    case 'folder':
      return folderDeletion(server, id);
    case 'report':
      return reportDeletion(server, id);
    case 'dashboard':
      return dashboardDeletion(server, id);
    case 'smtp': {
      const lines = [l10n.t('The server cannot send mail until you save another configuration.')];
      return { name: await presentName(server, kind, id), lines, typedName: true };
    }
    default:
      return { name: await presentName(server, kind, id), lines: [], typedName: false };
  }
}

async function presentName(server: ObjectServer, kind: string, id: string): Promise<string> {
  return nameIn(kind, await readObject(server, kind, id));
}

function nameIn(kind: string, object: JsonObject): string {
  const found = findKind(kind);
  return found ? nameOf(found, object) : '';
}

/**
 * No call returns the dashboards that show a report; links between reports are only in each report's own definition.
 */
async function reportDeletion(server: ObjectServer, id: string): Promise<DeletionPreview> {
  const lines = [l10n.t('Dashboards no longer show it, and links to it from other reports stop working.')];
  return { name: await presentName(server, 'report', id), lines, typedName: false };
}

async function dashboardDeletion(server: ObjectServer, id: string): Promise<DeletionPreview> {
  const dashboard = await readObject(server, 'dashboard', id);
  const shown = objectsIn(dashboard, 'reports').length;
  const lines = [
    l10n.t('Everyone who sees it loses it, also from the favourites.'),
    ...(shown === 0 ? [] : [l10n.t('The reports that it shows are kept.')]),
  ];
  return { name: nameIn('dashboard', dashboard), lines, typedName: false };
}

async function userDeletion(server: ObjectServer, id: string): Promise<DeletionPreview> {
  const [user, allTags, allPolicies] = await Promise.all([
    readObject(server, 'user', id),
    callForList(server, 'DataTag/GetAllDataTags', {}),
    policiesOf(server),
  ]);
  const groups = objectsIn(user, 'SecurityGroups').map((group) => textField(group, 'GroupName'));
  const seats = objectsIn(user, 'UserApplications').map(
    (seat) => `${textField(seat, 'ApplicationName')} (${textField(seat, 'ApplicationRoleName')})`,
  );
  const tags = allTags.filter((tag) => relatesTo(tag, 'Contacts', id));
  const policies = allPolicies.filter((policy) => holdsId(policy, 'Users', 'ID', id));
  // A user who never signed in has no reports.
  const isUsed = !isNoMoment(textField(user, 'LoginDate'));
  const isAdmin = fieldOf(user, 'isAdmin') === true || fieldOf(user, 'isSuperAdmin') === true;
  return {
    name: nameIn('user', user),
    lines: [
      ...(isAdmin ? [l10n.t('The account is an administrator.')] : []),
      ...some(groups, (names) => l10n.t('Removes the user from these groups: {0}.', names)),
      ...some(seats, (names) => l10n.t('Frees these licence seats: {0}.', names)),
      ...some(namesOf(tags, 'Label'), (names) => l10n.t('Also deletes its values of these data tags: {0}.', names)),
      ...some(namesOf(policies, 'Name'), (names) => l10n.t('Removes the user from these policies: {0}.', names)),
      ...(isUsed ? [l10n.t('Also deletes the personal library of the user and all reports in it.')] : []),
    ],
    typedName: isAdmin || isUsed,
  };
}

async function groupDeletion(server: ObjectServer, id: string): Promise<DeletionPreview> {
  const group = await readObject(server, 'group', id);
  const members = objectsIn(group, 'Membership')
    .map((member) => textField(member, 'LoginName'))
    .toSorted();
  const { alone, shared, isComplete } = await foldersOnlyFor(server, id);
  const linesOf = async (folders: readonly JsonObject[]) =>
    folders.length > 0
      ? (
          await folderEffect(
            server,
            folders.map((folder) => withoutGroup(folder, id)),
          )
        ).lines
      : [];
  const [losses, ifOpened] = await Promise.all([linesOf(shared), linesOf(alone)]);
  const opened = namesOf(alone, 'fname');
  const policies = (await policiesOf(server)).filter((policy) => holdsId(policy, 'Groups', 'GroupId', id));
  const orphans = policies.filter(
    (policy) => objectsIn(policy, 'Groups').length === 1 && objectsIn(policy, 'Users').length === 0,
  );
  const tags = (await callForList(server, 'DataTag/GetAllDataTags', {})).filter((tag) =>
    relatesTo(tag, 'SecurityGroups', id),
  );
  return {
    name: nameIn('group', group),
    lines: [
      ...some(opened, (names) =>
        l10n.t(
          'Folders open only to this group: {0}. A server that keeps them closed shows them only to super-admins.',
          names,
        ),
      ),
      ...(ifOpened.length > 0
        ? [l10n.t('On a server that opens them instead:'), ...ifOpened.map((line) => `– ${line}`)]
        : []),
      ...(isComplete ? [] : [l10n.t('Not all folders could be checked. Others may be open only to this group.')]),
      ...losses,
      ...some(namesOf(orphans, 'Name'), (names) => l10n.t('These policies then restrict no one: {0}.', names)),
      ...some(members, (names) => l10n.t('Removes these members from the group: {0}.', names)),
      ...some(namesOf(policies, 'Name'), (names) => l10n.t('Removes it from these policies: {0}.', names)),
      ...some(namesOf(tags, 'Label'), (names) => l10n.t('Also deletes its values of these data tags: {0}.', names)),
    ],
    typedName: members.length > 0 || opened.length > 0 || orphans.length > 0 || !isComplete,
  };
}

/** A folder that others see too, once a group is gone. */
function withoutGroup(folder: JsonObject, groupId: string): FolderEdit {
  const left = objectsIn(folder, 'Permissions').filter(({ RightID }) => identifierText(RightID) !== groupId);
  return { id: identifierText(fieldOf(folder, 'id')) ?? '', fields: { Permissions: left } };
}

async function tagDeletion(server: ObjectServer, id: string): Promise<DeletionPreview> {
  const tag = await readObject(server, 'tag', id);
  const label = textField(tag, 'Label');
  const using = await policiesComparingWith(server, label);
  const values = objectsIn(tag, 'SecurityGroups').length + objectsIn(tag, 'Contacts').length;
  return {
    name: label,
    lines: [
      ...some(namesOf(using, 'Name'), (names) =>
        l10n.t('Policies that compare with this data tag, and then show no rows or fail: {0}.', names),
      ),
      ...(values === 0 ? [] : [l10n.t('Values of groups and users that are also deleted: {0}.', values)]),
    ],
    typedName: using.length > 0,
  };
}

async function policyDeletion(server: ObjectServer, id: string): Promise<DeletionPreview> {
  const policy = await readObject(server, 'policy', id);
  const name = nameIn('policy', policy);
  if (fieldOf(policy, 'isActive') !== true) {
    return { name, lines: [l10n.t('The policy is inactive and restricts no one.')], typedName: false };
  }
  const people = assigneesOf(policy).map(({ name }) => name);
  const labels = [...new Set(placeholdersWithin(fieldOf(policy, 'Constraints')).map(({ written }) => written.trim()))];
  return {
    name,
    lines: [
      ...some(people, (names) => l10n.t('The policy no longer restricts {0}.', names)),
      ...some(labels, (names) => l10n.t('The policy compares with these data tags: {0}.', names)),
    ],
    typedName: people.length > 0,
  };
}

async function folderDeletion(server: ObjectServer, id: string): Promise<DeletionPreview> {
  const { below, items } = await contentsOf(server, id);
  const own = await readObject(server, 'folder', id);
  const isComplete = fieldOf(own, 'isPersonalFolder') === true || (await seesEveryFolder(server));
  return {
    name: nameIn('folder', own),
    lines: [
      ...some(items, (names) => l10n.t('Also deletes these reports and dashboards: {0}.', names)),
      ...some(namesOf(below, 'text'), (names) => l10n.t('Also deletes these folders: {0}.', names)),
      ...(isComplete
        ? []
        : [
            l10n.t(
              'Also deletes subfolders that are open only to groups you are not a member of. You cannot see these folders.',
            ),
          ]),
    ],
    typedName: items.length > 0 || below.length > 0 || !isComplete,
  };
}

/** Whether a date and time is unset: the year 1 means never. API description, User (LoginDate). */
function isNoMoment(moment: string): boolean {
  return moment.startsWith('0001-01-01');
}

function relatesTo(tag: JsonObject, field: string, id: string): boolean {
  return holdsId(tag, field, 'RightID', id);
}

const namesShown = 8;

/** One line about names, if any; long lists are shortened. */
function some(names: readonly string[], line: (names: string) => string): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, namesShown).map(onOneLine).join(', ');
  return [line(names.length > namesShown ? `${shown} … (${names.length})` : shown)];
}
