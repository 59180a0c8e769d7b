import { numberBooleans, textBooleans, type FieldChoice, type FieldNotes } from './fieldNote.ts';

const onOff = (text: string) => ({ text, choices: textBooleans });

/** Notes on the instance settings. API description, Instance settings. @l10n */
export const settingsNotes: FieldNotes = {
  DebugLevel: 'How much the server writes to its log.',
  SESSION_TIMEOUT: 'Minutes without a call after which a session ends; 20 by default.',
  PROMPT_VALUES_LIMIT: 'Most values that a prompt’s list offers.',
  SSOEnabled: onOff('Signs users in by the header named in SSOHeader. Whoever can send that header is that user.'),
  SSOHeader: 'Header that carries the user’s name at single sign-on.',
  IIS_PASSTHROUGH_ENABLED: onOff('Signs users in by the web server’s own Windows sign-in.'),
  TENANT_MODE_ENABLED: onOff('Tenants on one server: takes Builders and Architects out of every group but All Users.'),
  USERTZ_MODE_ENABLED: onOff('Shows moments in each user’s own time zone.'),
  GUEST_FASTCACHE: onOff('Keeps results for guests.'),
  FastCacheMin: 'Minutes that results are kept.',
  mfa_clientid: 'Client id at the provider of the second factor.',
  mfa_apihost: 'Host of the provider of the second factor.',
  mfa_redirect: 'Address that the provider leads back to.',
  mfa_enabled: onOff('Asks for a second factor at sign-in.'),
  bulkemail_enabled: onOff('Sends scheduled mail in bulk.'),
  sqlnolocks: onOff('Reads without locks where the database can; rows in the middle of a change may be read.'),
  SchedulerMode: 'How many schedules run at a time.',
  MaxRecords: 'Most rows that a report gives.',
  Productname: 'Name the product shows.',
  enableallusersgrp: onOff('Gives every user the built-in group All Users.'),
  enforcestrongpassword: onOff('Refuses weak passwords.'),
};

/** Notes on the mail configuration. API description, SMTP configuration. @l10n */
export const smtpNotes: FieldNotes = {
  SMTPId: 'Identifies the configuration.',
  SMTPHost: 'Host that takes the mail.',
  SMTPPort: 'Its port, as text: usually "25", "465" or "587".',
  SMTPFromAddress: 'Sender of every mail.',
  SMTPRequiredSecurity: onOff(
    'Signs in to the mail host with SMTPUserName and a password. A save then asks for the password.',
  ),
  SMTPUserName: 'Account on the mail host.',
  SMTPCreated: 'When the configuration was created.',
  SMTPModified: 'When it was last saved.',
  SMTPEnableSSL: onOff('Encrypts the way to the mail host.'),
  SMTPRealm: 'Realm that the configuration belongs to.',
};

/** Notes on the audit types. API description, Audit type. @l10n */
export const auditNotes: FieldNotes = {
  AuditTypes: 'What the server records, and for how long.',
  'AuditTypes.ID': 'Identifies the audit type.',
  'AuditTypes.type': 'Kind of event, as the server numbers it.',
  'AuditTypes.symbol': 'Name of the kind of event.',
  'AuditTypes.recorded': {
    text: 'Whether such events are recorded.',
    choices: [
      { value: -1, meaning: 'Recorded' },
      { value: 0, meaning: 'Not recorded' },
    ],
  },
  'AuditTypes.retention': 'Days that records are kept.',
  'AuditTypes.options': 'The server’s own options.',
};

/** Values of `DatabasePlatform`. @l10n meaning */
export const databasePlatforms: readonly FieldChoice[] = [
  { value: 'postgresql', meaning: 'PostgreSQL' },
  { value: 'mssql', meaning: 'Microsoft SQL Server' },
  { value: 'oracle', meaning: 'Oracle Database' },
  { value: 'mysql', meaning: 'MySQL or MariaDB' },
  { value: 'duckdb', meaning: 'DuckDB' },
  { value: 'sqlite', meaning: 'SQLite' },
  { value: 'clickhouse', meaning: 'ClickHouse' },
  { value: 'trino', meaning: 'Trino' },
];

/** Notes on a registered database server. API description, Registered server. @l10n */
export const serverNotes: FieldNotes = {
  ID: 'Identifies the registered server.',
  DisplayName: 'Name in lists.',
  ModuleType: 'Kind of the application that it belongs to.',
  TimeZone: { text: 'Hours from UTC of the moments that the database holds.' },
  DaylightSavings: 'Whether the database’s clock follows summer time.',
  DatabasePlatform: { text: 'Database product; decides how SQL is written.', choices: databasePlatforms, isOpen: true },
  DatabaseServer: 'Host of the database, with its port where that is not the usual one.',
  DatabaseName: 'Database, or the path of its file.',
  DatabaseOwner: 'Schema that tables are looked up in.',
  DatabaseLogin: 'Account on the database. With one, a save asks for its password, since the server never shows it.',
  DatabaseDriver: 'Driver, where the server has several.',
  CommandTimeout: 'Seconds that a query may take.',
  ConnectionTimeout: 'Seconds that connecting may take.',
  Permissions: 'Who may use it; the server’s own list.',
  MappedAnyDB: 'Application whose report types it uses.',
  allowstoredproc: { text: 'Whether reports may call stored procedures.', choices: numberBooleans },
  allowdirectsql: { text: 'Whether reports may be written as SQL.', choices: numberBooleans },
  datasources: 'Further sources of users’ own.',
  additionalparams: 'Further settings of the connection, as the driver takes them.',
};
