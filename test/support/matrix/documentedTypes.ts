/*
 * What a documented field holds, by its name: the contract reads replies of any server and lets much pass, this says what
 * ours must send. API description, Resources and their fields.
 */

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;
const kinds = {
  integer: Number.isInteger,
  boolean: (value: unknown) => typeof value === 'boolean',
  text: (value: unknown) => typeof value === 'string',
  textOrNull: (value: unknown) => value === null || typeof value === 'string',
  'text of digits or null': (value: unknown) => value === null || (typeof value === 'string' && /^\d+$/.test(value)),
  digits: (value: unknown) => typeof value === 'string' && /^\d+$/.test(value),
  'True or False': (value: unknown) => value === 'True' || value === 'False',
  list: Array.isArray,
  'list or null': (value: unknown) => value === null || Array.isArray(value),
  'moment without zone': (value: unknown) => typeof value === 'string' && moment.test(value),
  'moment in UTC': (value: unknown) =>
    typeof value === 'string' && value.endsWith('Z') && !Number.isNaN(Date.parse(value)),
  'moment with zone': (value: unknown) => typeof value === 'string' && /^\d{4}-.+[+-]\d\d:\d\d$/.test(value),
  'MM/DD/YYYY': (value: unknown) => typeof value === 'string' && /^\d\d\/\d\d\/\d{4}$/.test(value),
  'MM/DD/YYYY HH:mm:ss': (value: unknown) =>
    value === '' || value === null || (typeof value === 'string' && /^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/.test(value)),
} satisfies Record<string, (value: unknown) => boolean>;

type Kind = keyof typeof kinds;
interface Row {
  /** Paths of endpoints that it holds for. */
  in: RegExp;
  /** Names of fields, or the end of their dotted paths. */
  names: string;
  kind: Kind;
}

const everywhere = /^/;
/** The first row that fits counts. */
const rows: readonly Row[] = [
  { in: /^Shield\//, names: 'ErrorCode', kind: 'text of digits or null' },
  { in: /^Shield\//, names: 'CreatedDate', kind: 'moment with zone' },
  { in: /^Shield\//, names: 'ModifiedDate', kind: 'MM/DD/YYYY HH:mm:ss' },
  { in: /^Shield\/NewPolicy/, names: 'Groups Users', kind: 'list or null' },
  { in: /^DataTag\/Delete/, names: 'Code', kind: 'integer' },
  { in: /^Group\/New/, names: 'GroupId', kind: 'textOrNull' },
  { in: /^library\/.*Folder/, names: 'Application', kind: 'textOrNull' },
  { in: /^Audit\//, names: 'ID type recorded retention', kind: 'integer' },
  { in: /^Contact\/DeleteContact/, names: 'SecurityGroups', kind: 'list or null' },
  { in: /^(library\/(GetList|Search)|Dashboard\/)/, names: 'CreatedDate LastModified', kind: 'moment in UTC' },
  { in: /^Dashboard\//, names: 'isFav isPersonal id weight', kind: 'integer' },
  { in: /^SMTP\//, names: 'SMTPCreated SMTPModified RealmCreated RealmModified', kind: 'MM/DD/YYYY HH:mm:ss' },
  { in: /^SMTP\/(Get|Save)/, names: 'SMTPRequiredSecurity SMTPEnableSSL', kind: 'True or False' },
  {
    in: /^AppSettings\//,
    names:
      'SSOEnabled IIS_PASSTHROUGH_ENABLED TENANT_MODE_ENABLED USERTZ_MODE_ENABLED GUEST_FASTCACHE mfa_enabled bulkemail_enabled sqlnolocks enableallusersgrp enforcestrongpassword',
    kind: 'True or False',
  },
  { in: /^Report\/GetReportData/, names: 'ErrorMessage', kind: 'textOrNull' },
  {
    in: everywhere,
    names:
      'ErrorCode error_code ERROR_CODE returncode SessionFlag SessionTimeLeft ProductType UserState timezone isFastCache FastCacheLimit GroupStatus PermissionTypeEnum DataTypeEnum Index LicensedQuanity ConsumedQuanity ArchitectConsumptionCount BuilderConsumptionCount AgentConsumptionCount Status TimeZone CommandTimeout ConnectionTimeout allowstoredproc allowdirectsql Moduleid RepTypeID idx_order MaxLength Offset reporttypeid moduleid libtype folderid PluginId itemtype index fieldindex OutputType Distinct grouped vdefaulttop width Language.id DebugLevel SESSION_TIMEOUT PROMPT_VALUES_LIMIT FastCacheMin SchedulerMode MaxRecords Version ProdType TotalReportCount TotalUserCount',
    kind: 'integer',
  },
  {
    in: everywhere,
    names:
      'isGuestSession Tenant_Mode isAdmin isSuperAdmin isBuilder isAgent isArchitect bforcepasschange isGroup isUser isActive isAnyDbApp isPremiumApp isAPIApp isLicensed IsExpired DaylightSavings isExcelCSV isNullValueAllowed isParent isHidden InheritPermissions isUserAdmin isUserView isUserModify isPublicView isUserDelete isPersonalFolder isRestricted isUserArchitect isUserBuilder isUserAgent isEmbedable isPrivate isFav Nested bskip bprompt bgetvalues addgtotal HasError isSkipable isBetween isInList isLike isGreaterThan isLessThan isSkipped IsFromCache IsTopLevel ContainsDrilldown systemdefault isFirstRun isExpiredBase isValidBase isValidTrial isSchedulerLicensed isConnectLicensed isRolesLicensed isLDAPLicensed isShieldLicensed',
    kind: 'boolean',
  },
  {
    in: everywhere,
    names:
      'ErrorMessage error_message ERROR_MESSAGE twofa AuthType Mfa2FA_AuthURI Mfa2FA_AuthStatus Pin folderpath flevel fmodtype ParentLibrary itemsubtype item_flags LowValue HighValue',
    kind: 'textOrNull',
  },
  {
    in: everywhere,
    names:
      'SessionToken ProductName ProductVersion Feature count maustate LoginName FirstName LastName EmailAddress Company Description Tag1 Tag2 Tag3 Tag4 ComboName FullName timezonename GroupId GroupName RoleId RoleName RoleDescription ApplicationID ApplicationName ApplicationRoleID ApplicationRoleName ApplicationRoleType applicationUserDataSourceID LeftID RightID RelationshipType RelationType Option1 Option10 Label DefaultValue TagGroup ModuleType ProductCode DatabaseOwner DatabaseServer DatabaseLogin DatabaseName DatabasePassword DatabaseDriver DatabasePlatform MappedAnyDB DisplayName additionalparams RepTypeName tablename tableowner tablealias fname nodetype sqlfieldname columnname ReportName ReportType AppDisplayName ModType Application Published Reportname ModuleName ServerName DbLogin DbPass DbName DbDriver OutputTypeClass DbTableAlias DbFieldName DisplayFieldName RenamedField Fieldtype Formula headerText key dataType dataFormatString yurbitype columngroup expression dbplat rdatatype symbol options uiclass SSOHeader Productname',
    kind: 'text',
  },
  { in: everywhere, names: 'maxrecords etime dbtime', kind: 'digits' },
  { in: everywhere, names: 'NextExpiration', kind: 'MM/DD/YYYY' },
  { in: everywhere, names: 'CreateDate ModifyDate LoginDate lockdate', kind: 'moment without zone' },
  {
    in: everywhere,
    names:
      'SecurityGroups UserApplications Preferences GroupRoles Membership AllUsers AllRoles Contacts RegisteredServers datasources ReportTypes SQLTables FieldTree AllDbtables Permissions FieldList AdHocFields linkreports FormLayout Columns Data GroupMetadata groups ProviderList Constraints LicensedFeatures children',
    kind: 'list',
  },
];

/** Documented fields of a reply that hold something else than the description says, each with its value. */
export function wrongTypes(path: string, value: unknown, at = ''): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((entry: unknown) => wrongTypes(path, entry, at)))];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, held]: [string, unknown]) => {
    const place = at === '' ? name : `${at}.${name}`;
    const row = rows.find((each) => each.in.test(path) && each.names.split(' ').some((end) => isAt(place, end)));
    const own = row && !kinds[row.kind](held) ? [`${place} is no ${row.kind}: ${JSON.stringify(held)}`] : [];
    // The rows of a report have columns of any name.
    return name === 'Data' ? own : [...own, ...wrongTypes(path, held, place)];
  });
}

function isAt(place: string, end: string): boolean {
  return place === end || place.endsWith(`.${end}`);
}
