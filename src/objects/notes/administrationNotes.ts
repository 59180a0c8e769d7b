import { numberBooleans, textBooleans, type FieldChoice, type FieldNotes } from './fieldNote.ts';

const onOff = (text: string) => ({ text, choices: textBooleans });

/** Notes on the instance settings. API description, Instance settings. @l10n */
export const settingsNotes: FieldNotes = {
  DebugLevel: 'Log level of the server.',
  SESSION_TIMEOUT: 'Minutes without requests after which a session ends. Default: 20.',
  PROMPT_VALUES_LIMIT: 'Maximum number of values in the list of a prompt.',
  SSOEnabled: onOff(
    'Signs users in by the header named in SSOHeader. Anyone who can send that header is signed in as that user.',
  ),
  SSOHeader: 'HTTP header that contains the user name for single sign-on (SSO).',
  IIS_PASSTHROUGH_ENABLED: onOff('Signs users in through the web server’s Windows authentication.'),
  TENANT_MODE_ENABLED: onOff(
    'Separates tenants on one server: removes Builders and Architects from every group except All Users.',
  ),
  USERTZ_MODE_ENABLED: onOff('Shows dates and times in each user’s own time zone.'),
  GUEST_FASTCACHE: onOff('Caches results for guests.'),
  FastCacheMin: 'Minutes to keep cached results.',
  mfa_clientid: 'Client ID registered with the second-factor provider.',
  mfa_apihost: 'Host of the second-factor provider.',
  mfa_redirect: 'Redirect address registered with the provider.',
  mfa_enabled: onOff('Requires a second factor at sign-in.'),
  bulkemail_enabled: onOff('Sends scheduled mail in bulk.'),
  sqlnolocks: onOff('Reads without locks if the database supports it. Uncommitted rows may be included.'),
  SchedulerMode: 'Maximum number of schedules that run at the same time.',
  MaxRecords: 'Maximum number of rows that a report returns.',
  Productname: 'Product name shown to users.',
  enableallusersgrp: onOff('Adds every user to the built-in group All Users.'),
  enforcestrongpassword: onOff('Rejects weak passwords.'),
};

/** Notes on the mail configuration. API description, SMTP configuration. @l10n */
export const smtpNotes: FieldNotes = {
  SMTPId: 'Identifies the configuration.',
  SMTPHost: 'Mail server host.',
  SMTPPort: 'Port as text, usually "25", "465" or "587".',
  SMTPFromAddress: 'Sender of every mail.',
  SMTPRequiredSecurity: onOff(
    'Signs in to the mail host with SMTPUserName and a password. You are asked for the password when you save.',
  ),
  SMTPUserName: 'Mail server account.',
  SMTPCreated: 'When the configuration was created.',
  SMTPModified: 'When it was last saved.',
  SMTPEnableSSL: onOff('Encrypts the connection to the mail server.'),
  SMTPRealm: 'Realm that the configuration belongs to.',
};

/** Notes on the audit types. API description, Audit type. @l10n */
export const auditNotes: FieldNotes = {
  AuditTypes: 'Events that the server records, and how long it keeps them.',
  'AuditTypes.ID': 'Identifies the audit type.',
  'AuditTypes.type': 'Event type, as numbered by the server.',
  'AuditTypes.symbol': 'Name of the event type.',
  'AuditTypes.recorded': {
    text: 'Whether these events are recorded.',
    choices: [
      { value: -1, meaning: 'Recorded' },
      { value: 0, meaning: 'Not recorded' },
    ],
  },
  'AuditTypes.retention': 'Number of days to keep records.',
  'AuditTypes.options': 'The server’s own options.',
};

/** Notes on the licence of the local server, which administrators rehearse with. @l10n */
export const licenceNotes: FieldNotes = {
  State: 'State that sign-ins report, usually Normal. Lasts until the server stops.',
  IsExpired: 'Whether the licence has expired: new roles are refused with code 200. Lasts until the server stops.',
  Seats: 'Seats of each application without a number of its own. Lasts until the server stops.',
  Applications: 'Applications of the server, with their seats.',
  'Applications.ApplicationID': 'ID of the application.',
  'Applications.ApplicationName': 'Name of the application. For information only; the ID is used.',
  'Applications.Seats': 'Seats of this application; null for the number above. Kept when the server stops.',
  'Applications.TakenSeats':
    'Seats that users take. With as many seats or fewer, the next role is refused with code 200.',
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
  ModuleType: 'Type of the application that it belongs to.',
  TimeZone: { text: 'UTC offset of times in the database, in hours.' },
  timezonename: 'Name of the time zone, for one between two hours; empty for the offset.',
  DaylightSavings: 'Whether the database’s clock observes daylight saving time.',
  DatabasePlatform: { text: 'Database product; determines the SQL dialect.', choices: databasePlatforms, isOpen: true },
  DatabaseServer: 'Database host, with the port if it is not the default.',
  DatabaseName: 'Database name, or path of the database file.',
  DatabaseOwner: 'Schema to look up tables in.',
  DatabaseLogin: 'Database account. If set, saving asks for its password, because the server never returns it.',
  DatabaseDriver: 'Driver to use if the server has several.',
  CommandTimeout: 'Maximum duration of a query in seconds.',
  ConnectionTimeout: 'Maximum time to connect, in seconds.',
  Permissions: 'Who may use it; the server’s own list.',
  MappedAnyDB: 'Application that provides the report types.',
  allowstoredproc: { text: 'Whether reports may call stored procedures.', choices: numberBooleans },
  allowdirectsql: { text: 'Whether reports may be written as SQL.', choices: numberBooleans },
  datasources: 'Additional user-specific data sources.',
  additionalparams: 'Additional connection settings in the format of the driver.',
};
