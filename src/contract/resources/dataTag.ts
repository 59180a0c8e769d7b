import * as z from 'zod';
import { flag, identifier, integer, listOf, standardErrorFields, text, timestamp } from '../fields.ts';
import { relation } from './relation.ts';

/** Data tag: a value per group, per user or by default, used in constraints by label. API description, Data tag. */
export const dataTag = z.looseObject({
  ...standardErrorFields,
  ID: identifier,
  Label: text,
  SecurityGroups: listOf(relation),
  Contacts: listOf(relation),
  DataTypeEnum: integer,
  isGroup: flag,
  isUser: flag,
  isActive: flag,
  DefaultValue: text,
  TagGroup: text,
  Index: integer,
  ModifiedDate: timestamp,
  CreatedDate: timestamp,
});

/** Reply of DeleteDataTag. API description, Data security. */
export const codeMessage = z.looseObject({ Code: z.union([z.number(), z.string()]).nullish(), Message: text });

export type DataTag = z.infer<typeof dataTag>;
