import type { AnalyticsClient } from '../client/client.ts';
import { fieldOf, identifierText, isJsonObject, type Json, type JsonObject } from '../objects/json.ts';
import { dataTagKind } from '../objects/kinds/securityKinds.ts';
import type { ObjectServer } from '../objects/objectServer.ts';
import { changeObject } from './changeObject.ts';

/** A group or user, and the value that a tag has there; null for who takes the default. */
export interface TagValue {
  id: string;
  name: string;
  value: string | null;
}

/** All values of one tag. */
export interface TagValues {
  label: string;
  defaultValue: string;
  groups: readonly TagValue[];
  users: readonly TagValue[];
}

/** Values to set; null takes a value away. What is not mentioned stays. */
export interface TagChanges {
  defaultValue?: string;
  groups: ReadonlyMap<string, string | null>;
  users: ReadonlyMap<string, string | null>;
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
    groups: groups.map(({ GroupId, GroupName }) => entry(String(GroupId), GroupName, ofGroups)),
    users: users.map(({ ID, LoginName }) => entry(String(ID), LoginName, ofUsers)),
  };
}

/**
 * Sets values of a tag; values that others set meanwhile stay.
 * @throws {ClientError} as {@link changeObject}.
 */
export async function saveTagValues(server: ObjectServer, tagId: string, changes: TagChanges): Promise<void> {
  await changeObject(server, dataTagKind, tagId, (view) => ({
    ...view,
    SecurityGroups: withChanges(fieldOf(view, 'SecurityGroups'), changes.groups),
    Contacts: withChanges(fieldOf(view, 'Contacts'), changes.users),
    ...(changes.defaultValue === undefined ? {} : { DefaultValue: changes.defaultValue }),
    // A tag holds values of groups and of users only where it says so.
    ...(hasValue(changes.groups) ? { isGroup: true } : {}),
    ...(hasValue(changes.users) ? { isUser: true } : {}),
  }));
}

function withChanges(list: Json | undefined, changes: ReadonlyMap<string, string | null>): JsonObject[] {
  const kept = entriesOf(list).flatMap((relation): JsonObject[] => {
    const change = changes.get(identifierText(fieldOf(relation, 'RightID')) ?? '');
    if (change === undefined) return [relation];
    return change === null ? [] : [{ ...relation, Option1: change }];
  });
  const known = new Set(kept.map((relation) => identifierText(fieldOf(relation, 'RightID'))));
  const added = [...changes].flatMap(([RightID, Option1]) =>
    Option1 === null || known.has(RightID) ? [] : [{ RightID, Option1 }],
  );
  return [...kept, ...added];
}

function hasValue(changes: ReadonlyMap<string, string | null>): boolean {
  return [...changes.values()].some((value) => value !== null);
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

function entry(id: string, name: string | null | undefined, values: ReadonlyMap<string, string>): TagValue {
  return { id, name: name ?? id, value: values.get(id) ?? null };
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
