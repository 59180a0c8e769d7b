import type { AnalyticsClient } from '../../client/client.ts';
import { ClientError } from '../../client/clientError.ts';
import { fieldOf, identifierText, isJsonObject, type Json, type JsonObject } from '../../objects/json.ts';
import { dataTagKind } from '../../objects/kinds/securityKinds.ts';
import type { ObjectServer } from '../../objects/objectServer.ts';
import { changeObject } from '../../objects/save/changeObject.ts';
import { say } from '../../l10n/l10n.ts';

/** A group or user, and the value that a tag has there; null for who takes the default. */
export interface TagValue {
  id: string;
  name: string;
  /** The one fact that tells it from others of the name. */
  detail: string;
  value: string | null;
}

/** All values of one tag. */
export interface TagValues {
  label: string;
  defaultValue: string;
  groups: readonly TagValue[];
  users: readonly TagValue[];
}

/** One value to set: what it was when the user saw it, and what it is to be; null is no value of its own. */
export interface TagChange {
  id: string;
  name: string;
  from: string | null;
  to: string | null;
}

/** Values to set. What is not mentioned stays. */
export interface TagChanges {
  defaultValue?: { from: string; to: string };
  groups: readonly TagChange[];
  users: readonly TagChange[];
}

/** The values of a tag for every group and every user of a server. API description, Data tag. */
export async function readTagValues(client: AnalyticsClient, server: ObjectServer, tagId: string): Promise<TagValues> {
  const [tag, groups, users] = await Promise.all([
    dataTagKind.read(server, tagId),
    client.call('Group/GetAllSecurityGroups', {}),
    client.call('Contact/GetContactList', {}),
  ]);
  const ofGroups = valuesOf(fieldOf(tag, 'SecurityGroups'));
  const ofUsers = valuesOf(fieldOf(tag, 'Contacts'));
  return {
    label: textOf(fieldOf(tag, 'Label')),
    defaultValue: textOf(fieldOf(tag, 'DefaultValue')),
    groups: groups.map(({ GroupId, GroupName, GroupDescription }) =>
      entry(String(GroupId), GroupName, GroupDescription, ofGroups),
    ),
    users: users.map(({ ID, LoginName, FullName }) => entry(String(ID), LoginName, FullName, ofUsers)),
  };
}

/**
 * Sets values of a tag; values that others set meanwhile stay, unless they are among those to set: then nothing is sent.
 * @throws {ClientError} when one of the values was changed by others meanwhile; else as {@link changeObject}.
 */
export async function saveTagValues(server: ObjectServer, tagId: string, changes: TagChanges): Promise<void> {
  const { defaultValue, groups, users } = changes;
  await changeObject(server, dataTagKind, tagId, (view) => {
    const overtaken = [
      ...overtakenNames(fieldOf(view, 'SecurityGroups'), groups),
      ...overtakenNames(fieldOf(view, 'Contacts'), users),
      ...(defaultValue && isOvertaken(textOf(fieldOf(view, 'DefaultValue')), defaultValue) ? ['DefaultValue'] : []),
    ];
    if (overtaken.length > 0) throw overtakenError(server.name, overtaken);
    return {
      ...view,
      SecurityGroups: withChanges(fieldOf(view, 'SecurityGroups'), groups),
      Contacts: withChanges(fieldOf(view, 'Contacts'), users),
      ...(defaultValue ? { DefaultValue: defaultValue.to } : {}),
      // A tag holds values of groups and of users only where it says so.
      ...(hasValue(groups) ? { isGroup: true } : {}),
      ...(hasValue(users) ? { isUser: true } : {}),
    };
  });
}

function overtakenNames(list: Json | undefined, changes: readonly TagChange[]): string[] {
  const now = valuesOf(list);
  return changes.filter((change) => isOvertaken(now.get(change.id) ?? null, change)).map(({ name }) => name);
}

function isOvertaken<T>(now: T, { from, to }: { from: T; to: T }): boolean {
  return now !== from && now !== to;
}

function overtakenError(server: string, names: readonly string[]): ClientError {
  return new ClientError('refused', say('Another user changed these values on {0}: {1}.', server, names.join(', ')), {
    server,
    remedy: say('Reload to see the changes. Nothing was sent.'),
  });
}

function withChanges(list: Json | undefined, changes: readonly TagChange[]): JsonObject[] {
  const wanted = new Map(changes.map(({ id, to }) => [id, to]));
  const kept = entriesOf(list).flatMap((relation): JsonObject[] => {
    const value = wanted.get(identifierText(fieldOf(relation, 'RightID')) ?? '');
    if (value === undefined) return [relation];
    return value === null ? [] : [{ ...relation, Option1: value }];
  });
  const known = new Set(kept.map((relation) => identifierText(fieldOf(relation, 'RightID'))));
  const added = [...wanted].flatMap(([RightID, Option1]) =>
    Option1 === null || known.has(RightID) ? [] : [{ RightID, Option1 }],
  );
  return [...kept, ...added];
}

function hasValue(changes: readonly TagChange[]): boolean {
  return changes.some(({ to }) => to !== null);
}

function valuesOf(list: Json | undefined): Map<string, string> {
  return new Map(
    entriesOf(list).map((relation) => [
      identifierText(fieldOf(relation, 'RightID')) ?? '',
      textOf(fieldOf(relation, 'Option1')),
    ]),
  );
}

function entriesOf(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function entry(
  id: string,
  name: string | null | undefined,
  detail: string | null | undefined,
  values: ReadonlyMap<string, string>,
): TagValue {
  return { id, name: name ?? id, detail: detail ?? '', value: values.get(id) ?? null };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
