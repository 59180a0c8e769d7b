import * as z from 'zod';
import { auditType, instanceSettings, smtp } from '../../contract/resources/administration.ts';
import { registeredServer } from '../../contract/resources/application.ts';
import { fieldOf, type JsonObject } from '../json.ts';
import { readFromList, withRevision, type ObjectKind } from '../objectKind.ts';
import { callForList, callForObject } from '../objectServer.ts';

const envelope = ['ErrorCode', 'ErrorMessage', 'Revision'] as const;

/** Registered database servers. Reads leave the password empty, so a save asks for it. API description, Applications and servers. */
export const registeredServerKind: ObjectKind = {
  name: 'server',
  icon: 'database',
  idField: 'ID',
  nameField: 'DisplayName',
  schema: registeredServer,
  shape: { hidden: [...envelope, 'DatabasePassword'], readOnly: ['ID', 'ModuleType'] },
  secret: { field: 'DatabasePassword', isNeeded: (full) => isFilled(full, 'DatabaseLogin') },
  read: (server, id) => readFromList(server, 'RegServers/GetAdminRegisteredServers', 'ID', id),
  save: (server, full) =>
    callForObject(
      server,
      'RegServers/SaveRegSrv',
      withRevision({ regserver: full, bsaveasanydb: false, badvrpt: false }, full),
    ),
};

/** Outgoing mail. Reads leave the password empty, so a save that needs one asks for it. API description, Email. */
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
  secret: { field: 'SMTPPassword', isNeeded: (full) => fieldOf(full, 'SMTPRequiredSecurity') === 'True' },
  read: (server) => callForObject(server, 'SMTP/GetSMTP', {}),
  save: (server, full) => callForObject(server, 'SMTP/SaveSMTP', withRevision({ smtp: full }, full)),
  remove: async (server, full) => void (await server.call('SMTP/DeleteSMTP', { smtp: full })),
};

/** Instance settings, always sent whole: what is left out is lost. API description, Instance settings. */
export const settingsKind: ObjectKind = {
  name: 'settings',
  icon: 'settings-gear',
  idField: 'Productname',
  nameField: undefined,
  schema: instanceSettings,
  shape: { hidden: [...envelope, 'mfa_clientsecret'] },
  read: (server) => callForObject(server, 'AppSettings/GetAppSettings', {}),
  save: (server, full) =>
    callForObject(server, 'AppSettings/SaveAppSettings', withRevision({ appsettings: full }, full)),
};

/** What is audited and for how long: one document of all audit types. API description, Instance settings and audit. */
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

function isFilled(object: JsonObject, name: string): boolean {
  const value = fieldOf(object, name);
  return typeof value === 'string' && value !== '';
}
