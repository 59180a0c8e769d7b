import * as z from 'zod';
import { anyList, identifier, integer, standardErrorFields, text, textFlag } from '../fields.ts';

/** Mail realm that a mail configuration belongs to. API description, SMTP configuration. */
export const smtpRealm = z.looseObject({
  ...standardErrorFields,
  RealmId: identifier,
  RealmName: text,
  RealmDescription: text,
  RealmCreated: text,
  RealmModified: text,
  ProviderList: anyList,
  SMTPSetting: z.looseObject({}).nullish(),
});

/** Outgoing mail; all values are text, `SMTPPassword` is empty when read. API description, SMTP configuration. */
export const smtp = z.looseObject({
  ...standardErrorFields,
  SMTPId: identifier,
  SMTPHost: text,
  SMTPPort: text,
  SMTPFromAddress: text,
  SMTPRequiredSecurity: textFlag,
  SMTPUserName: text,
  SMTPPassword: text,
  SMTPCreated: text,
  SMTPModified: text,
  SMTPEnableSSL: textFlag,
  SMTPRealm: smtpRealm.nullish(),
});

/** Instance settings; booleans are the texts True and False. API description, Instance settings. */
export const instanceSettings = z.looseObject({
  ...standardErrorFields,
  DebugLevel: integer,
  SESSION_TIMEOUT: integer,
  PROMPT_VALUES_LIMIT: integer,
  SSOEnabled: textFlag,
  SSOHeader: text,
  IIS_PASSTHROUGH_ENABLED: textFlag,
  TENANT_MODE_ENABLED: textFlag,
  USERTZ_MODE_ENABLED: textFlag,
  GUEST_FASTCACHE: textFlag,
  FastCacheMin: integer,
  mfa_clientid: text,
  mfa_clientsecret: text,
  mfa_apihost: text,
  mfa_redirect: text,
  mfa_enabled: textFlag,
  bulkemail_enabled: textFlag,
  sqlnolocks: textFlag,
  SchedulerMode: integer,
  MaxRecords: integer,
  Productname: text,
  enableallusersgrp: textFlag,
  enforcestrongpassword: textFlag,
});

/** Audit type: whether it is recorded (-1) or not (0), and for how many days. API description, Audit type. */
export const auditType = z.looseObject({
  ID: integer,
  type: integer,
  symbol: text,
  recorded: integer,
  retention: integer,
  options: text,
});

export type Smtp = z.infer<typeof smtp>;
export type InstanceSettings = z.infer<typeof instanceSettings>;
export type AuditType = z.infer<typeof auditType>;

/** Whether an audit type is recorded: `recorded` is -1 for yes, 0 for no. API description, Audit type. */
export function isRecorded({ recorded }: AuditType): boolean {
  return recorded !== 0 && recorded !== null && recorded !== undefined;
}
