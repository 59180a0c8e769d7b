import { isJsonObject, type Json, type JsonObject } from '../../../src/objects/json.ts';

/*
 * The same server as another release would be: ids beyond 2^53, null where a text is empty, fields that the API description
 * does not list, without the fields and endpoints that only the embedded server has.
 */

const base = 9_007_199_254_740_993_000n;

/** Fields that hold ids of objects, in replies and in requests. */
const idFields = new Set([
  ...[
    'ID',
    'GroupId',
    'RightID',
    'LeftID',
    'ContactId',
    'folderid',
    'ReportID',
    'ReportId',
    'LibraryID',
    'ParentLibrary',
  ],
  ...['ApplicationID', 'ModuleID', 'policyid', 'groupid', 'RegServerID', 'ReportModuleID', 'moduleid', 'regserverid'],
  ...['Moduleid', 'reporttypeid', 'RepTypeID', 'currentUserId', 'applicationUserDataSourceID'],
]);
const idLists = new Set(['groups', 'users']);
const ownFields = new Set(['Revision', 'SelfSetFields', 'InactiveSettings']);

/** Endpoints that this release does not have. */
export const missingEndpoints = [
  ...['RegServers/GetTimeZones', 'RegServers/GetAdminRegisteredServers', 'AppBuilder/GetDataTypes'],
  ...['Dashboard/SearchDashboardList', 'Session/ResetPassport', 'LicenseManager/RefreshInstalledLicenses'],
];

/** A field that only this release has; every save has to return it as it came, digit for digit. */
const unlisted: JsonObject = { Kept: [JSON.rawJSON('1.50') as Json, null, '9007199254740993'], IsOdd: true };

/** Names of fields in which an empty text was sent as null. */
const nulled = new Set<string>();

/** A reply as this release writes it. */
export function toRelease(endpoint: string, value: Json): Json {
  const written = change(endpoint, value, outward);
  // An import reads this template as plain numbers.
  if (endpoint === 'Contact/NewContact') return written;
  if (!/^(?:Contact|Group|DataTag|Shield|library|Report\/GetReport$)/.test(endpoint)) return written;
  const add = (object: Json): Json => (isJsonObject(object) ? { ...object, ReleaseFields: unlisted } : object);
  return Array.isArray(written) ? written.map(add) : add(written);
}

/** A request of this release as the embedded server takes it. */
export function fromRelease(endpoint: string, value: Json): Json {
  return change(endpoint, value, inward);
}

type Rule = (name: string, value: Json, isId: boolean) => Json | undefined;

const outward: Rule = (name, value, isId) => {
  if (ownFields.has(name)) return undefined;
  if (isId) return moved(value, base);
  if (value !== '') return value;
  nulled.add(name);
  return null;
};

const inward: Rule = (name, value, isId) => {
  if (name === 'ReleaseFields') return undefined;
  if (isId) return moved(value, -base);
  return value === null && nulled.has(name) ? '' : value;
};

function change(endpoint: string, value: Json, rule: Rule): Json {
  if (Array.isArray(value)) return value.map((each) => change(endpoint, each, rule));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, Json][] => {
      if (idLists.has(name) && Array.isArray(field))
        return [[name, field.map((each) => rule(name, each, true) ?? each)]];
      if (typeof field === 'object' && field !== null && !JSON.isRawJSON(field))
        return [[name, change(endpoint, field, rule)]];
      const made = rule(name, field, isIdField(endpoint, name));
      return made === undefined ? [] : [[name, made]];
    }),
  );
}

function isIdField(endpoint: string, name: string): boolean {
  if (/^(?:Audit|SMTP)\//.test(endpoint)) return false;
  return idFields.has(name) || (name === 'id' && /^(?:library|Shield)\//.test(endpoint));
}

/** An id as text or number, moved; what is no positive number stays. */
function moved(value: Json, by: bigint): Json {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (!/^[1-9]\d*$/.test(text)) return value;
  const number = (BigInt(text) + by).toString();
  if (typeof value === 'string') return number;
  return (JSON.rawJSON(number) as Json) ?? null;
}
