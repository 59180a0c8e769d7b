import { z } from 'zod';
import type { RoomSchema, Store } from './store.ts';

const words = z.enum(['True', 'False']);

/** Instance settings as stored; booleans are the words True and False. API description, Instance settings. */
export const storedSettings = z.object({
  DebugLevel: z.int().min(0).default(0),
  /** Minutes. */
  SESSION_TIMEOUT: z.int().min(1).max(525_600).default(20),
  PROMPT_VALUES_LIMIT: z.int().min(1).default(10_000),
  SSOEnabled: words.default('False'),
  SSOHeader: z.string().default(''),
  IIS_PASSTHROUGH_ENABLED: words.default('False'),
  TENANT_MODE_ENABLED: words.default('False'),
  USERTZ_MODE_ENABLED: words.default('False'),
  GUEST_FASTCACHE: words.default('False'),
  FastCacheMin: z.int().min(0).default(30),
  mfa_clientid: z.string().default(''),
  mfa_clientsecret: z.string().default(''),
  mfa_apihost: z.string().default(''),
  mfa_redirect: z.string().default(''),
  mfa_enabled: words.default('False'),
  bulkemail_enabled: words.default('False'),
  sqlnolocks: words.default('False'),
  SchedulerMode: z.int().min(0).default(1),
  /** Most rows that a report returns. */
  MaxRecords: z.int().min(1).default(500_000),
  Productname: z.string().default('Analytics Studio'),
  enableallusersgrp: words.default('True'),
  enforcestrongpassword: words.default('False'),
});

export type StoredSettings = z.output<typeof storedSettings>;

/** Table of the instance settings: one row, made when they are first saved. */
export const settingsSchema: RoomSchema = {
  room: 'settings',
  steps: [
    `CREATE TABLE settings (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      content TEXT NOT NULL,
      revision INTEGER NOT NULL
    )`,
  ],
};

/** The instance settings; until they are first saved, the defaults. */
export function readSettings(store: Store): StoredSettings {
  const row = store.get('SELECT content FROM settings');
  return storedSettings.parse(row && typeof row.content === 'string' ? JSON.parse(row.content) : {});
}
