import * as z from 'zod';
import { anyList, identifier, integer, listOf, standardErrorFields, text, timestamp } from '../fields.ts';
import { user } from './user.ts';

/** Security group with full user records as members. API description, Security group. */
export const securityGroup = z.looseObject({
  ...standardErrorFields,
  GroupId: identifier,
  GroupName: text,
  GroupDescription: text,
  GroupCreated: timestamp,
  GroupModified: timestamp,
  GroupRoles: anyList,
  Membership: listOf(user),
  AllUsers: anyList,
  AllRoles: anyList,
  GroupStatus: integer,
});

export type SecurityGroup = z.infer<typeof securityGroup>;
