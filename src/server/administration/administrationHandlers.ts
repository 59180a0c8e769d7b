import type { InstanceSettings, AuditType } from '../../contract/resources/administration.ts';
import { type Handlers, type SignedInContext, adminOnly, StreamedJson } from '../calls/handlers.ts';
import { inactiveFieldsMessage, inactiveFieldsName, checkRevision, refusal } from '../calls/wholeObject.ts';
import { auditTrailResult } from './auditTrailResult.ts';
import { type SecretBox, secretNames } from '../catalogue/secretBox.ts';
import { auditSymbols, listAuditTypes, updateAuditType, forgetOldEntries } from '../store/auditTrail.ts';
import {
  readSettings,
  settingsRevision,
  storedSettings,
  writeSettings,
  type StoredSettings,
} from '../store/settings.ts';
import type { Store } from '../store/store.ts';
import { textOf } from '../store/columns.ts';
import type { RoomSchema } from '../store/migrations.ts';

const textBooleans = Object.entries(storedSettings.parse({}))
  .filter(([, value]) => value === 'True' || value === 'False')
  .map(([name]) => name);

/** Settings of features that this server does not support. */
const inactiveSettings = [
  ...['SSOEnabled', 'SSOHeader', 'IIS_PASSTHROUGH_ENABLED', 'USERTZ_MODE_ENABLED', 'GUEST_FASTCACHE'],
  ...['mfa_enabled', 'mfa_clientid', 'mfa_clientsecret', 'mfa_apihost', 'mfa_redirect'],
  ...['bulkemail_enabled', 'sqlnolocks', 'SchedulerMode', 'DebugLevel'],
] as const satisfies readonly (keyof StoredSettings)[];
const defaults = storedSettings.parse({});

/** Handlers of the instance settings. API description, Instance settings and audit. */
export function createSettingsHandlers(secrets: SecretBox): Handlers {
  return {
    'AppSettings/GetAppSettings': adminOnly((_body, { store }) => settingsRecord(store, secrets)),
    'AppSettings/SaveAppSettings': adminOnly((body, context) => saveSettings(body, context, secrets)),
  };
}

/** Replaces all settings; omitted ones are reset to their defaults. */
function saveSettings(body: { appsettings: InstanceSettings }, context: SignedInContext, secrets: SecretBox) {
  const { store } = context;
  const parsed = storedSettings.safeParse(withoutNulls(body.appsettings));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw refusal(`Setting ${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'malformed'}.`);
  }
  const settings: StoredSettings = parsed.data;
  const secret = settings.mfa_clientsecret;
  store.transaction(() => {
    checkRevision(body, settingsRevision(store), 'The settings');
    const sealed = secret === '' ? '' : Buffer.from(secrets.seal(secretNames.secondFactor, secret)).toString('base64');
    writeSettings(store, { ...settings, mfa_clientsecret: sealed });
    context.audit(auditSymbols.change, 'saved settings');
  });
  const saidMore = inactiveSettings.filter((name) => settings[name] !== defaults[name]);
  return { ...settingsRecord(store, secrets), ErrorMessage: inactiveFieldsMessage(saidMore) };
}

/** The settings that a client sent, without nulls and with normalized text booleans. */
function withoutNulls(sent: InstanceSettings): Record<string, unknown> {
  const given = Object.entries(sent).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([name, value]) => {
      const isWord = textBooleans.includes(name) && /^(true|false)$/i.test(String(value));
      return [name, isWord ? (String(value).toLowerCase() === 'true' ? 'True' : 'False') : value];
    }),
  );
}

function settingsRecord(store: Store, secrets: SecretBox): InstanceSettings {
  const settings = readSettings(store);
  const sealed = settings.mfa_clientsecret;
  return {
    ErrorCode: 0,
    ErrorMessage: '',
    ...settings,
    mfa_clientsecret: sealed === '' ? '' : secrets.open(secretNames.secondFactor, Buffer.from(sealed, 'base64')),
    [inactiveFieldsName]: [...inactiveSettings],
    Revision: settingsRevision(store),
  };
}

/** Handlers of the audit types. API description, Instance settings and audit. */
export const auditHandlers: Handlers = {
  'Audit/GetAuditTrail': adminOnly((_body, { store }) => new StreamedJson(auditTrailResult(store))),
  'Audit/GetAuditTypes': adminOnly((_body, { store }) => auditRecords(store)),
  'Audit/SaveAuditTypes': adminOnly(({ AuditTypeList }: { AuditTypeList: AuditType[] }, context) =>
    saveAuditTypes(AuditTypeList, context),
  ),
};

/** Changes what is recorded and for how long; the array must contain every type that was read. */
function saveAuditTypes(sent: readonly AuditType[], context: SignedInContext): AuditType[] {
  const { store } = context;
  return store.transaction(() => {
    for (const stored of listAuditTypes(store)) {
      const change = sent.find(({ ID }) => ID === stored.id);
      if (!change) throw refusal(`Audit type ${stored.symbol} is missing: send the complete array.`);
      const recorded = change.recorded ?? stored.recorded;
      const retention = change.retention ?? stored.retention;
      if (recorded !== -1 && recorded !== 0) throw refusal(`${stored.symbol}: recorded must be -1 or 0.`);
      if (!Number.isInteger(retention) || retention < 1 || retention > 36_500) {
        throw refusal(`${stored.symbol}: retention must be 1 to 36500 days.`);
      }
      updateAuditType(store, stored.id, { recorded, retention, options: change.options ?? stored.options });
    }
    const unknown = sent.find(({ ID }) => !listAuditTypes(store).some(({ id }) => id === ID));
    if (unknown) throw refusal(`There is no audit type with the ID ${unknown.ID ?? '(none)'}.`);
    context.audit(auditSymbols.change, 'saved audit types');
    return auditRecords(store);
  });
}

function auditRecords(store: Store): AuditType[] {
  return listAuditTypes(store).map(({ id, ...type }) => ({ ID: id, ...type }));
}

const interval = 3_600_000;

/**
 * Deletes audit entries past their retention every hour, starting one hour after startup, in small batches between
 * other calls.
 */
export function createAuditPurge(store: Store, onError: (error: unknown) => void): { stop(): void } {
  let next: NodeJS.Immediate | undefined;
  const purge = (now: Date, after?: number) => {
    try {
      const last = forgetOldEntries(store, now, after);
      next = last === undefined ? undefined : setImmediate(purge, now, last);
    } catch (error) {
      onError(error);
    }
  };
  const timer = setInterval(() => purge(new Date()), interval).unref();
  const stop = () => {
    clearInterval(timer);
    clearImmediate(next);
  };
  return { stop };
}

/** Six groups of four digits joined by hyphens; constant for the life of the data folder. */
export function installationId(store: Store): string {
  const row = store.get('SELECT identifier FROM installation');
  if (!row) throw new Error('The installation has no identifier');
  return textOf(row, 'identifier');
}

const fourDigits = `printf('%04d', abs(random() % 10000))`;

/** Tables of the mail configuration and of the installation's identifier, which is generated once. */
export const administrationSchema: RoomSchema = {
  room: 'administration',
  steps: [
    `
    CREATE TABLE mail (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      content TEXT NOT NULL,
      sealed_password BLOB,
      created TEXT NOT NULL,
      modified TEXT NOT NULL,
      revision INTEGER NOT NULL DEFAULT 1
    );
    CREATE TABLE installation (only INTEGER PRIMARY KEY CHECK (only = 1), identifier TEXT NOT NULL);
    INSERT INTO installation (only, identifier)
      VALUES (1, ${Array.from({ length: 6 }, () => fourDigits).join(` || '-' || `)});
    `,
  ],
};
