import { isProfilePlaceholder, readLabel } from '../../contract/placeholders.ts';
import { dataTag, type DataTag } from '../../contract/resources/dataTag.ts';
import { relation as relationSchema, relationTypes, type Relation } from '../../contract/resources/relation.ts';
import { type HandlerReply, type Handlers, type SignedInContext, adminOnly } from '../calls/handlers.ts';
import {
  checkRevision,
  extraFields,
  refusal,
  requireCollections,
  requireWholeNumbers,
  sentId,
} from '../calls/wholeObject.ts';
import { neverTimestamp, zonelessTimestamp } from '../calls/timestamps.ts';
import { findGroup } from '../identity/groups.ts';
import { findUser } from '../identity/users.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import { extraFieldsOf, writeExtraFields } from '../store/extraFields.ts';
import type { Store } from '../store/store.ts';
import {
  clearTagValues,
  dataTagsLabelled,
  deleteDataTag,
  emptyDataTag,
  findDataTag,
  insertDataTag,
  listDataTags,
  setGroupTagValue,
  setUserTagValue,
  updateDataTag,
  type DataTagProfile,
  type StoredDataTag,
  type TagValue,
} from './dataTags.ts';

const tagCollections = ['SecurityGroups', 'Contacts'] as const;
/** `PermissionTypeEnum` of a tag's relations in replies; clients send 0. API description, Relation entry. */
const tagPermission = 20;

/** Handlers of data tags. API description, Data security. */
export const dataTagHandlers: Handlers = {
  'DataTag/NewDataTag': () => newDataTag,
  'DataTag/GetAllDataTags': adminOnly((_body, { store }) => listDataTags(store).map((tag) => tagRecord(store, tag))),
  'DataTag/SaveDataTag': adminOnly(saveDataTag),
  'DataTag/DeleteDataTag': adminOnly(({ datatag }: { datatag: DataTag }, context) => {
    requireCollections(datatag, 'The data tag', tagCollections);
    const stored = requireTag(context.store, datatag);
    context.store.transaction(() => {
      deleteDataTag(context.store, stored.id);
      context.audit(auditSymbols.change, `deleted data tag ${stored.label}`);
    });
    return { Code: 0, Message: 'Data Tag Successfully Deleted' };
  }),
};

function saveDataTag(body: { datatag: DataTag }, context: SignedInContext): HandlerReply {
  const { store, now } = context;
  const { datatag } = body;
  requireCollections(datatag, 'The data tag', tagCollections);
  requireWholeNumbers(datatag, 'The data tag', ['DataTypeEnum', 'Index']);
  return store.transaction(() => {
    const stored = sentId(datatag.ID) === null ? undefined : requireTag(store, datatag);
    if (stored) checkRevision(body, stored.revision, `Data tag ${stored.label}`);
    const profile = sentProfile(datatag, stored);
    checkLabel(store, profile.label, stored);
    const id = stored ? stored.id : insertDataTag(store, profile, now);
    if (stored) updateDataTag(store, id, profile, now);
    const kept = extraFieldsOf(store, 'data_tag', id);
    writeExtraFields(store, 'data_tag', id, { ...kept, ...extraFields(datatag, dataTag.shape) });
    saveValues(store, id, datatag);
    context.audit(auditSymbols.change, `${stored ? 'saved' : 'created'} data tag ${profile.label}`);
    const saved = findDataTag(store, id);
    return saved && tagRecord(store, saved);
  });
}

/** Merges a sent tag into the stored one: omitted fields keep their values. */
function sentProfile(sent: DataTag, stored: StoredDataTag | undefined): DataTagProfile {
  const before = stored ?? emptyDataTag;
  return {
    label: (sent.Label ?? before.label).trim(),
    defaultValue: sent.DefaultValue === undefined ? before.defaultValue : (sent.DefaultValue ?? ''),
    dataType: sent.DataTypeEnum ?? before.dataType,
    isGroup: sent.isGroup ?? before.isGroup,
    isUser: sent.isUser ?? before.isUser,
    isActive: sent.isActive ?? before.isActive,
    tagGroup: sent.TagGroup ?? before.tagGroup,
    position: sent.Index ?? before.position,
  };
}

function checkLabel(store: Store, label: string, stored: StoredDataTag | undefined): void {
  const { normal, problem } = readLabel(label);
  if (problem === 'empty') throw refusal('Label is empty.');
  if (problem === 'unreadable')
    throw refusal(`The label ${label} contains a character that constraints cannot use, or is too long.`);
  if (normal === undefined || isProfilePlaceholder(normal)) {
    throw refusal(`The label ${label} means a field of the user's profile, or looks like one.`);
  }
  const namesake = dataTagsLabelled(store, normal).find((id) => id !== stored?.id);
  if (namesake === undefined) return;
  const { label: taken = label } = findDataTag(store, namesake) ?? {};
  throw refusal(`The label ${label} is taken${taken === label ? '' : `: it names the data tag ${taken}, too`}.`);
}

function saveValues(store: Store, tagId: string, tag: DataTag): void {
  clearTagValues(store, tagId);
  for (const relation of tag.SecurityGroups ?? []) {
    const groupId = sentId(relation.RightID) ?? '';
    if (!findGroup(store, groupId)) throw refusal(`There is no group with the id ${groupId || '(none)'}.`);
    setGroupTagValue(store, tagId, groupId, relation.Option1 ?? '', extraOfRelation(relation));
  }
  for (const relation of tag.Contacts ?? []) {
    const userId = sentId(relation.RightID) ?? '';
    if (!findUser(store, userId)) throw refusal(`There is no user with the id ${userId || '(none)'}.`);
    setUserTagValue(store, tagId, userId, relation.Option1 ?? '', extraOfRelation(relation));
  }
}

const otherOptions = Array.from({ length: 9 }, (_, index) => `Option${index + 2}`);

function extraOfRelation(relation: Relation): Record<string, unknown> {
  return extraFields(relation, relationSchema.shape, otherOptions);
}

function requireTag(store: Store, tag: DataTag): StoredDataTag {
  const id = sentId(tag.ID);
  const stored = id === null ? undefined : findDataTag(store, id);
  if (!stored) throw refusal(`There is no data tag with the id ${id ?? '(none)'}.`);
  return stored;
}

/** A data tag in its wire form. API description, Data tag. */
function tagRecord(store: Store, tag: StoredDataTag): DataTag {
  return {
    ...extraFieldsOf(store, 'data_tag', tag.id),
    ID: tag.id,
    Label: tag.label,
    SecurityGroups: tag.groupValues.map((value) =>
      valueRelation(tag.id, value.groupId, relationTypes.tagToGroup, value),
    ),
    Contacts: tag.userValues.map((value) => valueRelation(tag.id, value.userId, relationTypes.tagToUser, value)),
    DataTypeEnum: tag.dataType,
    isGroup: tag.isGroup,
    isUser: tag.isUser,
    isActive: tag.isActive,
    DefaultValue: tag.defaultValue,
    TagGroup: tag.tagGroup,
    Index: tag.position,
    ErrorCode: 0,
    ErrorMessage: '',
    ModifiedDate: zonelessTimestamp(tag.modified),
    CreatedDate: zonelessTimestamp(tag.created),
    Revision: tag.revision,
  };
}

function valueRelation(tagId: string, rightId: string, type: string, { value, extra }: TagValue): Relation {
  return {
    ...Object.fromEntries(otherOptions.map((name) => [name, ''])),
    ...extra,
    ErrorCode: 0,
    ErrorMessage: '',
    LeftID: tagId,
    RightID: rightId,
    RelationshipType: type,
    RelationType: type,
    Option1: value,
    PermissionTypeEnum: tagPermission,
  };
}

/** Template of a new data tag. API description, Data security (NewDataTag). */
const newDataTag: DataTag = {
  ID: '',
  Label: emptyDataTag.label,
  SecurityGroups: [],
  Contacts: [],
  DataTypeEnum: emptyDataTag.dataType,
  isGroup: emptyDataTag.isGroup,
  isUser: emptyDataTag.isUser,
  isActive: emptyDataTag.isActive,
  DefaultValue: '',
  TagGroup: '',
  Index: 0,
  ErrorCode: 0,
  ErrorMessage: '',
  ModifiedDate: neverTimestamp,
  CreatedDate: neverTimestamp,
};
