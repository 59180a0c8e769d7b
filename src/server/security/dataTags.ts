import { readLabel } from '../../contract/placeholders.ts';
import type { Caller } from '../calls/caller.ts';
import { flagOf, idOf, jsonOf, numberOf, textOf, rowById } from '../store/columns.ts';
import { readExtraFields, type ExtraFields } from '../store/extraFields.ts';
import type { Row, Store } from '../store/store.ts';

/** Role of a member without access. API description, Role. */
const noAccess = '0';

/** Stored fields of a data tag that a save may set. API description, Data tag. */
export interface DataTagProfile {
  /** Name used in constraints as `/#label#/`; its normal form is unique. */
  label: string;
  /** For callers without a value of their own; empty means none. */
  defaultValue: string;
  dataType: number;
  isGroup: boolean;
  isUser: boolean;
  isActive: boolean;
  tagGroup: string;
  position: number;
}

/** A data tag to create; omitted fields get the template's values. */
export type NewDataTag = Pick<DataTagProfile, 'label'> & Partial<DataTagProfile>;

/** A value of a tag for a group or user. */
export interface TagValue {
  value: string;
  /** Other fields that were sent with it. */
  extra: ExtraFields;
}

/** A stored data tag. Dates and times are UTC ISO 8601 text. */
export interface StoredDataTag extends DataTagProfile {
  id: string;
  groupValues: readonly ({ groupId: string } & TagValue)[];
  userValues: readonly ({ userId: string } & TagValue)[];
  created: string;
  modified: string;
  /** Incremented with every save. */
  revision: number;
}

const columns = `id, label, default_value, data_type, is_group, is_user, is_active, tag_group, position, created,
  modified, revision`;

/** Defaults of a new tag. API description, Data tag (template). */
export const emptyDataTag: DataTagProfile = {
  label: 'New Data Tag',
  defaultValue: '',
  dataType: 1,
  isGroup: false,
  isUser: true,
  isActive: true,
  tagGroup: '',
  position: 0,
};

/** Creates a data tag without values; returns its id. @throws Error when the label is taken. */
export function insertDataTag(store: Store, tag: NewDataTag, now = new Date()): string {
  const moment = now.toISOString();
  const sql = 'INSERT INTO data_tag (label, created, modified) VALUES (?, ?, ?)';
  return store.transaction(() => {
    const id = String(store.run(sql, tag.label, moment, moment).lastId);
    writeTag(store, id, { ...emptyDataTag, ...tag });
    return id;
  });
}

/** Replaces a tag's fields, but not its values, and increments its revision. */
export function updateDataTag(store: Store, tagId: string, tag: DataTagProfile, now = new Date()): void {
  store.transaction(() => {
    writeTag(store, tagId, tag);
    store.run('UPDATE data_tag SET modified = ?, revision = revision + 1 WHERE id = ?', now.toISOString(), tagId);
  });
}

/** Deletes a data tag with its values. Policies that use it then show no rows. */
export function deleteDataTag(store: Store, tagId: string): void {
  store.run('DELETE FROM data_tag WHERE id = ?', tagId);
}

/** Sets a tag's value for the members of a group. */
export function setGroupTagValue(
  store: Store,
  tagId: string,
  groupId: string,
  value: string,
  extra: ExtraFields = {},
): void {
  store.run(
    `INSERT INTO data_tag_group (tag_id, group_id, value, extra) VALUES (?, ?, ?, ?)
      ON CONFLICT (tag_id, group_id) DO UPDATE SET value = excluded.value, extra = excluded.extra`,
    tagId,
    groupId,
    value,
    JSON.stringify(extra),
  );
}

/** Sets a tag's value for one user. */
export function setUserTagValue(
  store: Store,
  tagId: string,
  userId: string,
  value: string,
  extra: ExtraFields = {},
): void {
  store.run(
    `INSERT INTO data_tag_user (tag_id, user_id, value, extra) VALUES (?, ?, ?, ?)
      ON CONFLICT (tag_id, user_id) DO UPDATE SET value = excluded.value, extra = excluded.extra`,
    tagId,
    userId,
    value,
    JSON.stringify(extra),
  );
}

/** Removes every group's and every user's value of the tag. */
export function clearTagValues(store: Store, tagId: string): void {
  store.run('DELETE FROM data_tag_group WHERE tag_id = ?', tagId);
  store.run('DELETE FROM data_tag_user WHERE tag_id = ?', tagId);
}

/** The data tag with this id, or undefined. */
export function findDataTag(store: Store, tagId: string): StoredDataTag | undefined {
  const row = rowById(store, `SELECT ${columns} FROM data_tag WHERE id = ?`, tagId);
  return row && readTag(store, row);
}

/**
 * Ids of the data tags whose label has this normal form: at most one, except for tags saved before labels were
 * normalized.
 */
export function dataTagsLabelled(store: Store, normalLabel: string): string[] {
  return store
    .all('SELECT id, label FROM data_tag')
    .filter((row) => readLabel(textOf(row, 'label')).normal === normalLabel)
    .map((row) => idOf(row, 'id'));
}

/** Every data tag, by position, then label. */
export function listDataTags(store: Store): StoredDataTag[] {
  return store.all(`SELECT ${columns} FROM data_tag ORDER BY position, label`).map((row) => readTag(store, row));
}

/**
 * The values of a tag for the caller: the caller's own, else all those of the caller's groups, else the default.
 * Undefined when there is none, when not exactly one tag has that label, or when it is inactive: the caller then sees
 * no rows. Empty text counts as no value.
 */
export function tagValuesFor(store: Store, caller: Caller, normalLabel: string): readonly string[] | undefined {
  const [tagId, ...namesakes] = dataTagsLabelled(store, normalLabel);
  if (tagId === undefined || namesakes.length > 0) return undefined;
  const tag = store.get('SELECT default_value, is_active FROM data_tag WHERE id = ?', tagId);
  if (!tag || !flagOf(tag, 'is_active')) return undefined;

  const own = store.get(
    `SELECT value FROM data_tag_user WHERE tag_id = ? AND user_id = ? AND value <> ''`,
    tagId,
    caller.userId,
  );
  if (own) return [textOf(own, 'value')];

  // Role 0 revokes all rights of the group, including its rows.
  const groupIds = new Set(caller.groups.filter(({ roleId }) => roleId !== noAccess).map(({ groupId }) => groupId));
  const groupValues = valuesByGroup(store, tagId).filter(({ groupId, value }) => groupIds.has(groupId) && value !== '');
  if (groupValues.length > 0) return [...new Set(groupValues.map(({ value }) => value))];

  const fallback = textOf(tag, 'default_value');
  return fallback === '' ? undefined : [fallback];
}

function valuesByGroup(store: Store, tagId: string): ({ groupId: string } & TagValue)[] {
  return store
    .all('SELECT group_id, value, extra FROM data_tag_group WHERE tag_id = ? ORDER BY group_id', tagId)
    .map((row) => ({ groupId: idOf(row, 'group_id'), ...tagValue(row) }));
}

function valuesByUser(store: Store, tagId: string): ({ userId: string } & TagValue)[] {
  return store
    .all('SELECT user_id, value, extra FROM data_tag_user WHERE tag_id = ? ORDER BY user_id', tagId)
    .map((row) => ({ userId: idOf(row, 'user_id'), ...tagValue(row) }));
}

function tagValue(row: Row): TagValue {
  return { value: textOf(row, 'value'), extra: readExtraFields(jsonOf(row, 'extra')) };
}

function writeTag(store: Store, tagId: string, tag: DataTagProfile): void {
  store.run(
    `UPDATE data_tag SET label = ?, default_value = ?, data_type = ?, is_group = ?, is_user = ?, is_active = ?,
      tag_group = ?, position = ? WHERE id = ?`,
    tag.label,
    tag.defaultValue,
    tag.dataType,
    Number(tag.isGroup),
    Number(tag.isUser),
    Number(tag.isActive),
    tag.tagGroup,
    tag.position,
    tagId,
  );
}

function readTag(store: Store, row: Row): StoredDataTag {
  const id = idOf(row, 'id');
  return {
    id,
    label: textOf(row, 'label'),
    defaultValue: textOf(row, 'default_value'),
    dataType: numberOf(row, 'data_type'),
    isGroup: flagOf(row, 'is_group'),
    isUser: flagOf(row, 'is_user'),
    isActive: flagOf(row, 'is_active'),
    tagGroup: textOf(row, 'tag_group'),
    position: numberOf(row, 'position'),
    groupValues: valuesByGroup(store, id),
    userValues: valuesByUser(store, id),
    created: textOf(row, 'created'),
    modified: textOf(row, 'modified'),
    revision: numberOf(row, 'revision'),
  };
}
