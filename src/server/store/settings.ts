import * as z from 'zod';
import { numberOf, textOf } from './columns.ts';
import type { RoomSchema } from './migrations.ts';
import type { Store } from './store.ts';

const words = z.enum(['True', 'False']);

/** Instance settings as stored; booleans are the texts True and False. API description, Instance settings. */
export const storedSettings = z.object({
  DebugLevel: z.int().min(0).default(0),
  /** In minutes. */
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
  /** Maximum rows that a report returns. */
  MaxRecords: z.int().min(1).default(500_000),
  Productname: z.string().default('Analytics Studio'),
  enableallusersgrp: words.default('True'),
  enforcestrongpassword: words.default('False'),
});

export type StoredSettings = z.output<typeof storedSettings>;

/** Table of the instance settings: one row, created on the first save. */
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

const cached = new WeakMap<Store, StoredSettings>();

/** The instance settings, or the defaults until they are first saved. Cached after the first read. */
export function readSettings(store: Store): StoredSettings {
  const known = cached.get(store);
  if (known) return known;
  const row = store.get('SELECT content FROM settings');
  const settings = storedSettings.parse(row ? JSON.parse(textOf(row, 'content')) : {});
  cached.set(store, settings);
  return settings;
}

/** Incremented by every save; 0 before the first. */
export function settingsRevision(store: Store): number {
  const row = store.get('SELECT revision FROM settings');
  return row ? numberOf(row, 'revision') : 0;
}

export function writeSettings(store: Store, settings: StoredSettings): void {
  // Cleared instead of replaced, so that a rolled-back transaction leaves no stale value.
  cached.delete(store);
  store.run(
    `INSERT INTO settings (only, content, revision) VALUES (1, ?, 1)
      ON CONFLICT (only) DO UPDATE SET content = excluded.content, revision = revision + 1`,
    JSON.stringify(settings),
  );
}
