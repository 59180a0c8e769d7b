import type { AnalyticsClient } from '../../client/client.ts';
import { ClientError } from '../../client/clientError.ts';
import { fieldOf, identifierText, isJsonObject, type Json, type JsonObject } from '../../objects/json.ts';
import { dataTagKind } from '../../objects/kinds/securityKinds.ts';
import type { ObjectServer } from '../../objects/objectServer.ts';
import { changeObject } from '../../objects/save/changeObject.ts';
import * as l10n from '../../l10n/l10n.ts';

/** A group or user and its value of a tag; null if it uses the default. */
export interface TagValue {
  id: string;
  name: string;
  /** Distinguishes it from others with the same name. */
  detail: string;
  value: string | null;
}

/** All values of a tag. */
export interface TagValues {
  label: string;
  defaultValue: string;
  groups: readonly TagValue[];
  users: readonly TagValue[];
}

/** A value to set: the value the user saw and the new one; null means no value of its own. */
export interface TagChange {
  id: string;
  name: string;
  from: string | null;
  to: string | null;
}

/** Values to set. Omitted values stay the same. */
export interface TagChanges {
  defaultValue?: { from: string; to: string };
  groups: readonly TagChange[];
  users: readonly TagChange[];
}

/** Reads the values of a tag for all groups and users of a server. API description, Data tag. */
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
 * Sets values of a tag; concurrent changes to other values are preserved. Nothing is sent if one of the values to set
 * was changed by others.
 * @throws {ClientError} if one of the values was changed by others meanwhile; otherwise like {@link changeObject}.
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
    return withTagChanges(view, changes);
  });
}

/** A tag with values set. */
export function withTagChanges(tag: JsonObject, { defaultValue, groups, users }: TagChanges): JsonObject {
  return {
    ...tag,
    SecurityGroups: withChanges(fieldOf(tag, 'SecurityGroups'), groups),
    Contacts: withChanges(fieldOf(tag, 'Contacts'), users),
    ...(defaultValue ? { DefaultValue: defaultValue.to } : {}),
    // A tag only has values of groups and of users if these flags are set.
    ...(hasValue(groups) ? { isGroup: true } : {}),
    ...(hasValue(users) ? { isUser: true } : {}),
  };
}

function overtakenNames(list: Json | undefined, changes: readonly TagChange[]): string[] {
  const now = valuesOf(list);
  return changes.filter((change) => isOvertaken(now.get(change.id) ?? null, change)).map(({ name }) => name);
}

function isOvertaken<T>(now: T, { from, to }: { from: T; to: T }): boolean {
  return now !== from && now !== to;
}

function overtakenError(server: string, names: readonly string[]): ClientError {
  return new ClientError(
    'refused',
    l10n.t('Another user changed these values on {0}: {1}.', server, names.join(', ')),
    {
      server,
      remedy: l10n.t('Reload to see the changes. Nothing was sent.'),
    },
  );
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
