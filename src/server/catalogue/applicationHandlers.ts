import { setImmediate } from 'node:timers/promises';
import { findProduct, product, type RegisteredServer } from '../../contract/resources/application.ts';
import type { ReportTypeDefinition } from '../../contract/resources/semanticLayer.ts';
import { isAdministrator, type Caller } from '../calls/caller.ts';
import { type CallFailure, noContent, type Handlers, type SignedInContext, adminOnly } from '../calls/handlers.ts';
import { checkRevision, refusal, requireCollections, requireWholeNumbers, sentId } from '../calls/wholeObject.ts';
import { createDatabaseInspection } from '../databases/databaseAccess.ts';
import { DatabaseFileRefused } from '../databases/databaseFolders.ts';
import type { Databases } from '../databases/databases.ts';
import { hasOldestRelease, OldEngine } from '../databases/engineReleases.ts';
import { applicationRoleIds, mayUseApplication } from '../identity/applicationRoles.ts';
import type { UserRecords } from '../identity/userRecords.ts';
import { auditSymbols } from '../store/auditTrail.ts';
import type { Store } from '../store/store.ts';
import { applicationRecord, productKey, productRecord, serverRecord } from './applicationRecords.ts';
import {
  findApplication,
  findApplicationByName,
  insertApplication,
  markAsAnyDb,
  visibleApplications,
} from './applications.ts';
import {
  databasePassword,
  findRegisteredServer,
  insertRegisteredServer,
  isKnownPlatform,
  platforms,
  serverModel,
  serversOf,
  setDatabasePassword,
  updateRegisteredServer,
  type StoredServer,
} from './registeredServers.ts';
import type { SecretBox } from './secretBox.ts';

/** Dependencies of the catalogue's handlers in addition to the store. */
export interface CatalogueParts {
  /** Encrypts the stored database passwords. */
  secrets: SecretBox;
  databases: Databases;
  /** Writes the user records embedded in applications. */
  userRecords: UserRecords;
  /** Ids of applications whose servers determine which databases row security applies to. */
  protectedApplications(store: Store): ReadonlySet<string>;
  /**
   * Whether a report type registers a column of a policy with a type that contradicts its values. @throws
   * {ReportTypeError}
   */
  contradictsPolicies(context: SignedInContext, moduleId: string, reportType: ReportTypeDefinition): Promise<boolean>;
}

/**
 * Whether the caller may administer an application's servers: super-admins, and administrators and Architects with a
 * role on it. API description, Authentication.
 */
function mayAdminister(caller: Caller, applicationId: string): boolean {
  const roleIds = isAdministrator(caller) ? undefined : [applicationRoleIds.architect];
  return mayUseApplication(caller, applicationId, roleIds);
}

/** Error for a super-admin, who sees everything, when a server does not exist. */
export function unknownServer(serverId: string): CallFailure {
  return refusal(`There is no registered server with the id ${serverId}.`);
}

/** Handlers of applications and their registered servers. API description, Applications and servers. */
export function createApplicationHandlers(parts: CatalogueParts): Handlers {
  return {
    'App/GetApplicationList': (_body, { store, caller }) => {
      const users = isAdministrator(caller) ? parts.userRecords.all(store) : [];
      return visibleApplications(store, caller).map((application) => {
        const isMember = ({ ApplicationID }: { ApplicationID?: unknown }) => String(ApplicationID) === application.id;
        const members = users.filter((user) => user.UserApplications?.some(isMember));
        return applicationRecord(store, application, members);
      });
    },
    'RegServers/GetAdminRegisteredServers': (_body, { store, caller }) =>
      visibleApplications(store, caller)
        .filter(({ id }) => mayAdminister(caller, id))
        .flatMap(({ id }) => serversOf(store, id))
        .map((server) => serverRecord(store, server)),
    'RegServers/GetTimeZones': (_body, { now }) => timeZones(now),
    'RegServers/InsertAnyDbModule': adminOnly(insertModule),
    'RegServers/SaveRegSrv': (body, context) => saveServer(body, context, parts),
    'RegServers/TestConnection': ({ regserver }, context) => testConnection(regserver, context, parts),
  };
}

interface NewModule {
  appname: string;
  description: string;
}

function insertModule({ appname, description }: NewModule, context: SignedInContext) {
  const { store } = context;
  const name = appname.trim();
  if (name === '') throw refusal('The application needs a name.');
  return store.transaction(() => {
    if (findApplicationByName(store, name)) throw refusal(`There is an application "${name}" already.`);
    const application = findApplication(store, insertApplication(store, { name, description }));
    if (!application) throw new Error(`Application ${name} was not stored`);
    context.audit(auditSymbols.change, `Application ${application.id} "${name}" added`);
    return productRecord(application);
  });
}

const serverNumbers = ['TimeZone', 'CommandTimeout', 'ConnectionTimeout', 'allowstoredproc', 'allowdirectsql'] as const;
const longestTimeout = 86_400;

/** @throws {CallFailure} 9001 for a timeout that is too short for any query or never ends. */
function requireTimeouts(sent: RegisteredServer): void {
  for (const name of ['CommandTimeout', 'ConnectionTimeout'] as const) {
    const seconds = sent[name] ?? 0;
    if (seconds >= 0 && seconds <= longestTimeout) continue;
    throw refusal(`${name} is ${seconds}: give seconds, up to ${longestTimeout}, or 0 for the usual time.`);
  }
}

interface ServerToSave {
  regserver: RegisteredServer;
  bsaveasanydb?: boolean | null;
}

/** What is to be saved; undefined when the caller may not. @throws {CallFailure} */
function targetToSave(body: ServerToSave, { store, caller }: SignedInContext, parts: CatalogueParts) {
  const { regserver } = body;
  const target = targetOf(store, caller, regserver);
  if (!target?.stored) return target;
  const { stored, applicationId } = target;
  checkRevision(body, stored.revision, `Registered server ${stored.id}`);
  if (!regserver.DatabasePassword) requireSameAddress(store, stored, regserver, parts.secrets);
  if (!isAdministrator(caller)) requireUnmoved(parts, store, stored, regserver, applicationId);
  return target;
}

/** @throws {CallFailure} 9001 when a database whose address or login is saved runs a release that is too old. */
async function refuseOldEngine(target: Target, sent: RegisteredServer, parts: CatalogueParts): Promise<void> {
  const { stored, applicationId } = target;
  const address = serverModel({ id: stored?.id ?? '', applicationId, definition: sent });
  const isKnown = stored && !sent.DatabasePassword && isSame(stored.definition, sent, loginFields);
  if (isKnown || !hasOldestRelease(address.platform)) return;
  try {
    await createDatabaseInspection(parts.databases).refuseOldEngine(address, sent.DatabasePassword ?? '');
  } catch (error) {
    throw error instanceof OldEngine ? refusal(error.message) : error;
  }
}

/** `badvrpt` has no effect on this server: any report can use any report type. */
async function saveServer(body: ServerToSave, context: SignedInContext, parts: CatalogueParts) {
  const { secrets, databases } = parts;
  const { regserver } = body;
  const { store } = context;
  requireCollections(regserver, 'The registered server', ['Permissions', 'datasources']);
  requireWholeNumbers(regserver, 'The registered server', serverNumbers);
  requireTimeouts(regserver);
  const first = targetToSave(body, context, parts);
  if (!first) return noContent;
  await refuseOldEngine(first, regserver, parts);
  const saved = store.transaction(() => {
    // Checked again: it may have changed while the database answered.
    const target = targetToSave(body, context, parts);
    if (!target) return undefined;
    const { stored, applicationId } = target;
    if (body.bsaveasanydb) markAsAnyDb(store, applicationId);

    const serverId = stored?.id ?? insertRegisteredServer(store, applicationId, regserver);
    if (stored) updateRegisteredServer(store, serverId, applicationId, regserver);
    if (regserver.DatabasePassword) setDatabasePassword(store, serverId, regserver.DatabasePassword, secrets);
    context.audit(auditSymbols.change, `Registered server ${serverId} ${stored ? 'saved' : 'added'}`);
    return findRegisteredServer(store, serverId);
  });
  if (!saved) return noContent;
  await databases.forget(saved.id);
  return serverRecord(store, saved);
}

/** A server to save or test, and its application. */
interface Target {
  stored: StoredServer | undefined;
  applicationId: string;
}

/**
 * The stored server of a wire object and its application; undefined when there is none that the caller may administer.
 */
function targetOf(store: Store, caller: Caller, regserver: RegisteredServer): Target | undefined {
  const serverId = sentId(regserver.ID);
  const stored = serverId === null ? undefined : findRegisteredServer(store, serverId);
  if (serverId !== null && !stored) {
    if (caller.isSuperAdmin) throw unknownServer(serverId);
    return undefined;
  }
  if (stored && !mayAdminister(caller, stored.applicationId)) return undefined;
  // A product under this server's own key needs only its ID.
  const sent = findProduct(regserver) ?? product.safeParse(regserver[productKey]).data;
  const applicationId = sentId(sent?.ID) ?? stored?.applicationId;
  if (applicationId === undefined) throw refusal('The registered server names no application.');
  if (!findApplication(store, applicationId) || !mayAdminister(caller, applicationId)) {
    if (caller.isSuperAdmin) throw refusal(`There is no application with the id ${applicationId}.`);
    return undefined;
  }
  if (!isKnownPlatform(regserver.DatabasePlatform)) {
    const platform = regserver.DatabasePlatform ?? '';
    throw refusal(`The database platform "${platform}" is unknown. Choose one of ${platforms.join(', ')}.`);
  }
  return { stored, applicationId };
}

/**
 * A stored password must not be sent to another host, so changing the address requires it again.
 * @throws {CallFailure} 9001 when the address changes and a password is stored.
 */
function requireSameAddress(store: Store, stored: StoredServer, sent: RegisteredServer, secrets: SecretBox): void {
  if (isSame(stored.definition, sent, addressFields) || databasePassword(store, stored.id, secrets) === '') return;
  throw refusal(
    'The address of the database changes: send DatabasePassword too, so that the stored one is not given to another host.',
  );
}

/**
 * A policy for one application applies to the databases of its servers, so only administrators may point them
 * elsewhere.
 * @throws {CallFailure} 9001 when another caller does.
 */
function requireUnmoved(
  parts: CatalogueParts,
  store: Store,
  stored: StoredServer,
  sent: RegisteredServer,
  applicationId: string,
): void {
  if (stored.applicationId === applicationId && isSame(stored.definition, sent, placeFields)) return;
  if (!parts.protectedApplications(store).has(stored.applicationId)) return;
  throw refusal(
    'A policy names the application of this server: ask an administrator to move it or to change its address.',
  );
}

/** Fields that determine where a password is sent. */
const addressFields = ['DatabasePlatform', 'DatabaseServer', 'additionalparams'] as const;
/** Fields that identify a database. */
const placeFields = [...addressFields, 'DatabaseName'] as const;
const loginFields = [...placeFields, 'DatabaseLogin'] as const;

function isSame(one: RegisteredServer, other: RegisteredServer, fields: readonly (typeof loginFields)[number][]) {
  return fields.every((field) => (one[field] ?? '') === (other[field] ?? ''));
}

async function testConnection(regserver: RegisteredServer, context: SignedInContext, parts: CatalogueParts) {
  const { store, caller, signal } = context;
  const target = targetOf(store, caller, regserver);
  if (!target) return noContent;
  const { stored, applicationId } = target;
  const server = serverModel({ id: stored?.id ?? '', applicationId, definition: regserver });
  const password = regserver.DatabasePassword || (stored ? reusablePassword(store, stored, regserver, parts) : '');
  try {
    await createDatabaseInspection(parts.databases).test(server, password, signal);
    return 'Passed';
  } catch (error) {
    if (error instanceof DatabaseFileRefused)
      return `${error.message}. ${foldersInWords(parts.databases.folders.list)}`;
    return error instanceof Error ? error.message : String(error);
  }
}

function foldersInWords(folders: readonly string[]): string {
  return `Folders of databases: ${folders.join(', ')}`;
}

/**
 * The stored password, if a test without one uses the same login on the same database: it must never be sent to a host
 * that the caller entered.
 */
function reusablePassword(store: Store, stored: StoredServer, sent: RegisteredServer, parts: CatalogueParts): string {
  return isSame(stored.definition, sent, loginFields) ? databasePassword(store, stored.id, parts.secrets) : '';
}

/**
 * A time zone on the wire; `Offset` is its standard time in whole hours from UTC. Zones with fractional offsets are
 * rounded towards UTC; their exact offset is in the name. API description, AnyDB module (time zone).
 */
interface TimeZone {
  Name: string;
  Code: string;
  Offset: number;
}

const zonesPerTurn = 20;
let known: { year: number; zones: Promise<TimeZone[]> } | undefined;

/** Every time zone of the runtime, west to east; offsets are standard time in the year of `now`. */
export function timeZones(now: Date): Promise<TimeZone[]> {
  const year = now.getUTCFullYear();
  if (known?.year !== year) known = { year, zones: listZones(year) };
  return known.zones;
}

/** Reads the zones in small batches: all at once would block other calls for 60 ms. */
async function listZones(year: number): Promise<TimeZone[]> {
  const zones: { hours: number; zone: TimeZone }[] = [];
  for (const code of ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')]) {
    const hours = standardOffset(code, year);
    const Name = `(${offsetName(hours)}) ${code.replaceAll('_', ' ')}`;
    // Adding 0 turns negative zero into 0.
    zones.push({ hours, zone: { Name, Code: code, Offset: Math.trunc(hours) + 0 } });
    if (zones.length % zonesPerTurn === 0) await setImmediate();
  }
  zones.sort((a, b) => a.hours - b.hours || (a.zone.Code < b.zone.Code ? -1 : 1));
  return zones.map(({ zone }) => zone);
}

/** Clocks go forward in summer, so standard time is the smaller offset of January and July. */
function standardOffset(timeZone: string, year: number): number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return Math.min(...[0, 6].map((month) => offsetOn(format, new Date(Date.UTC(year, month, 1)))));
}

function offsetOn(format: Intl.DateTimeFormat, day: Date): number {
  const name = format.formatToParts(day).find((part) => part.type === 'timeZoneName')?.value ?? '';
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
  const size = Number(hours ?? 0) + Number(minutes ?? 0) / 60;
  return sign === '-' ? -size : size;
}

function offsetName(hours: number): string {
  const minutes = Math.round(Math.abs(hours) * 60);
  const two = (value: number) => String(value).padStart(2, '0');
  return `UTC${hours < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
