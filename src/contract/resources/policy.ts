import * as z from 'zod';
import { anyList, errorCode, flag, identifier, text, timestamp } from '../fields.ts';

/** Who created or changed an object. */
export const author = z.looseObject({ ID: identifier, LoginName: text, FullName: text });

/** Row-level security policy. The fields of a constraint are server-specific. API description, Shield policy. */
export const policy = z.looseObject({
  ErrorCode: errorCode,
  ErrorMessage: text,
  id: identifier,
  Name: text,
  Description: text,
  CreatedDate: timestamp,
  ModifiedDate: timestamp,
  CreatedBy: author.nullish(),
  ModifiedBy: author.nullish(),
  Constraints: anyList,
  Groups: z.array(z.looseObject({ GroupId: identifier })).nullish(),
  Users: anyList,
  isActive: flag,
});

export type Policy = z.infer<typeof policy>;
