import * as z from 'zod';
import { identifier, integer, standardErrorFields, text } from '../fields.ts';

/**
 * Link between two objects: data tag to group or user, folder to group. `Option1` holds a tag's value.
 * API description, Relation entry.
 */
export const relation = z.looseObject({
  ...standardErrorFields,
  LeftID: identifier,
  RightID: identifier,
  RelationshipType: text,
  RelationType: text,
  Option1: text,
  Option2: text,
  Option3: text,
  Option4: text,
  Option5: text,
  Option6: text,
  Option7: text,
  Option8: text,
  Option9: text,
  Option10: text,
  PermissionTypeEnum: integer,
});

/** Values of RelationshipType and RelationType (both fields have the same value). */
export const relationTypes = { tagToGroup: 'tag_grp', tagToUser: 'tag_usr', folderToGroup: 'fld_grp' } as const;

export type Relation = z.infer<typeof relation>;
