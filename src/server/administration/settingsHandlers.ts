import type { InstanceSettings } from '../../contract/resources/administration.ts';
import type { Handlers, SignedInContext } from '../calls/handlers.ts';
import { inactiveFieldsMessage, inactiveFieldsName } from '../calls/inactiveFields.ts';
import { adminOnly } from '../calls/permissions.ts';
import { checkRevision } from '../calls/revisions.ts';
import { refusal } from '../calls/wholeObject.ts';
import type { SecretBox } from '../catalogue/secretBox.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import {
  readSettings,
  settingsRevision,
  storedSettings,
  writeSettings,
  type StoredSettings,
} from '../store/settings.ts';
import type { Store } from '../store/store.ts';

/** Name that the second factor's secret is sealed under. */
const secretName = 'second-factor client secret';
const textBooleans = Object.entries(storedSettings.parse({}))
  .filter(([, value]) => value === 'True' || value === 'False')
  .map(([name]) => name);

/** Settings of features that this server does not have. */
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

/** Replaces all settings: what is left out falls back to its default. */
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
    const sealed = secret === '' ? '' : Buffer.from(secrets.seal(secretName, secret)).toString('base64');
    writeSettings(store, { ...settings, mfa_clientsecret: sealed });
    context.audit(auditSymbols.change, 'saved settings');
  });
  const saidMore = inactiveSettings.filter((name) => settings[name] !== defaults[name]);
  return { ...settingsRecord(store, secrets), ErrorMessage: inactiveFieldsMessage(saidMore) };
}

/** What a client sent, null counted as left out and the text booleans in their one spelling. */
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
    mfa_clientsecret: sealed === '' ? '' : secrets.open(secretName, Buffer.from(sealed, 'base64')),
    [inactiveFieldsName]: [...inactiveSettings],
    Revision: settingsRevision(store),
  };
}
