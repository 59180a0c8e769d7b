import * as z from 'zod';
import { ClientError } from '../../client/clientError.ts';
import { auditType, instanceSettings, smtp } from '../../contract/resources/administration.ts';
import { productKey, registeredServer } from '../../contract/resources/application.ts';
import { fieldOf, identifierText, isJsonObject, type JsonObject } from '../json.ts';
import { textField } from './objectEntry.ts';
import { listEntries, readFromList, withRevision, type ObjectKind, type SecretNeed } from './objectKind.ts';
import { callForList, callForObject, type ObjectServer } from '../objectServer.ts';
import * as l10n from '../../l10n/l10n.ts';

const envelope = ['ErrorCode', 'ErrorMessage', 'Revision'] as const;

/**
 * Registered database servers. Reads omit the password, so a save asks for it. API description, Applications and
 * servers.
 */
export const registeredServerKind: ObjectKind = {
  name: 'server',
  icon: 'database',
  idField: 'ID',
  nameField: 'DisplayName',
  schema: registeredServer,
  shape: { hidden: [...envelope, 'DatabasePassword'], readOnly: ['ID', 'ModuleType'] },
  placeFields: ['ModuleType'],
  secret: { field: 'DatabasePassword', beside: 'DatabaseLogin', need: databasePasswordNeed },
  read: (server, id) => readFromList(server, 'RegServers/GetAdminRegisteredServers', 'ID', id),
  list: (server) =>
    listEntries(server, 'RegServers/GetAdminRegisteredServers', {
      id: 'ID',
      name: 'DisplayName',
      detail: 'DatabasePlatform',
    }),
  template: newRegisteredServer,
  save: (server, full) =>
    callForObject(
      server,
      'RegServers/SaveRegSrv',
      withRevision({ regserver: full, bsaveasanydb: false, badvrpt: false }, full),
    ),
};

/** Outgoing mail. Reads omit the password, so a save that needs one asks for it. API description, Email. */
export const smtpKind: ObjectKind = {
  name: 'smtp',
  icon: 'mail',
  idField: 'SMTPId',
  nameField: undefined,
  schema: smtp,
  shape: {
    hidden: [...envelope, 'SMTPPassword'],
    readOnly: ['SMTPId', 'SMTPCreated', 'SMTPModified', 'SMTPRealm'],
    fields: { SMTPRealm: { hidden: ['ErrorCode', 'ErrorMessage', 'SMTPSetting'] } },
  },
  secret: {
    field: 'SMTPPassword',
    beside: 'SMTPUserName',
    need: (full) => (isFilled(full, 'SMTPUserName') || fieldOf(full, 'SMTPRequiredSecurity') === 'True' ? 'yes' : 'no'),
  },
  read: (server) => callForObject(server, 'SMTP/GetSMTP', {}),
  save: (server, full) => callForObject(server, 'SMTP/SaveSMTP', withRevision({ smtp: full }, full)),
  isSet: (full) => isFilled(full, 'SMTPHost'),
  remove: async (server, full) => void (await server.call('SMTP/DeleteSMTP', { smtp: full })),
};

/**
 * Instance settings, always sent as a whole: omitted fields would be lost. The secret of the second factor is sent back
 * unchanged; if a second factor is enabled and no secret was received, the save asks for it. API description, Instance
 * settings.
 */
export const settingsKind: ObjectKind = {
  name: 'settings',
  icon: 'settings-gear',
  idField: 'Productname',
  nameField: undefined,
  schema: instanceSettings,
  shape: { hidden: [...envelope, 'mfa_clientsecret'] },
  secret: { field: 'mfa_clientsecret', beside: 'mfa_clientid', need: secondFactorSecretNeed },
  riskyFields: [
    ...['TENANT_MODE_ENABLED', 'enableallusersgrp'],
    ...['SSOEnabled', 'IIS_PASSTHROUGH_ENABLED', 'mfa_enabled', 'enforcestrongpassword'],
  ],
  read: (server) => callForObject(server, 'AppSettings/GetAppSettings', {}),
  save: (server, full) =>
    callForObject(server, 'AppSettings/SaveAppSettings', withRevision({ appsettings: full }, full)),
};

/**
 * Audited actions and their retention: one document for all audit types. API description, Instance settings and audit.
 */
export const auditKind: ObjectKind = {
  name: 'audit',
  icon: 'checklist',
  idField: 'AuditTypes',
  nameField: undefined,
  schema: z.looseObject({ AuditTypes: z.array(auditType) }),
  shape: { fields: { AuditTypes: { key: 'ID', readOnly: ['ID', 'type', 'symbol'] } } },
  read: async (server) => ({ AuditTypes: await callForList(server, 'Audit/GetAuditTypes', {}) }),
  save: async (server, full) => {
    const sent = { AuditTypeList: fieldOf(full, 'AuditTypes') ?? [] };
    return { AuditTypes: await callForList(server, 'Audit/SaveAuditTypes', sent) };
  },
};

/** Address of a database: a stored password is not sent to another address unless entered again. */
const addressFields = ['DatabasePlatform', 'DatabaseServer', 'DatabaseName', 'additionalparams'] as const;

/**
 * A login requires a password. Without a login, a password may still be stored, which matters when the address changes.
 */
function databasePasswordNeed(full: JsonObject, before?: JsonObject): SecretNeed {
  if (isFilled(full, 'DatabaseLogin')) return 'yes';
  if (!before) return 'no';
  const isMoved = addressFields.some((field) => textField(full, field) !== textField(before, field));
  return isMoved || isFilled(before, 'DatabaseLogin') ? 'perhaps' : 'no';
}

/** A server may hide the secret or not have one yet; a secret that it returned is sent back. */
function secondFactorSecretNeed(full: JsonObject): SecretNeed {
  return fieldOf(full, 'mfa_enabled') === 'True' && !isFilled(full, 'mfa_clientsecret') ? 'perhaps' : 'no';
}

function isFilled(object: JsonObject, name: string): boolean {
  const value = fieldOf(object, name);
  return typeof value === 'string' && value !== '';
}

/**
 * The API has no template for registered servers: creates one from an existing server, with its values cleared except
 * the application.
 * @param parent id of the application; default: the first one.
 * @throws {ClientError} when no application is registered yet.
 */
async function newRegisteredServer(server: ObjectServer, parent?: string): Promise<JsonObject> {
  const application = await findApplication(server, parent);
  const key = application && productKey(application);
  if (!application || key === undefined) {
    throw new ClientError(
      'refused',
      l10n.t('You cannot see any application on {0} to add a database to.', server.name),
      {
        server: server.name,
        endpoint: 'App/GetApplicationList',
        remedy: l10n.t('Create an application first, or ask for the Architect role on one.'),
      },
    );
  }
  const product = fieldOf(application, key) ?? null;
  const moduleType = isJsonObject(product) ? (fieldOf(product, 'ModuleType') ?? '') : '';
  return {
    ...emptyRegisteredServer,
    DisplayName: l10n.t('New Registered Server'),
    ModuleType: moduleType,
    [key]: product,
  };
}

async function findApplication(server: ObjectServer, id: string | undefined): Promise<JsonObject | undefined> {
  const applications = await callForList(server, 'App/GetApplicationList', {});
  return applications.find((application) => {
    const key = productKey(application);
    const product = key === undefined ? undefined : fieldOf(application, key);
    return isJsonObject(product) && (id === undefined || identifierText(fieldOf(product, 'ID')) === id);
  });
}

/** Timeouts in seconds, as in the API description's sample server. */
const emptyRegisteredServer: JsonObject = {
  ID: '',
  DisplayName: '',
  ModuleType: '',
  TimeZone: 0,
  DaylightSavings: false,
  DatabasePlatform: 'postgresql',
  DatabaseServer: '',
  DatabaseName: '',
  DatabaseOwner: '',
  DatabaseLogin: '',
  DatabasePassword: '',
  DatabaseDriver: '',
  CommandTimeout: 30,
  ConnectionTimeout: 10,
  Permissions: [],
  MappedAnyDB: '',
  allowstoredproc: 0,
  allowdirectsql: 0,
  datasources: [],
  additionalparams: '',
};
