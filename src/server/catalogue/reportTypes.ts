import { reportTypeDefinition, type ReportTypeDefinition } from '../../contract/resources/semanticLayer.ts';
import { idOf, jsonOf, numberOf, textOf } from '../store/columns.ts';
import type { Row, Store } from '../store/store.ts';
import { findApplicationByName } from './applications.ts';
import { serversOf } from './registeredServers.ts';
import {
  readNewReportType,
  readReportType,
  ReportTypeError,
  writeReportType,
  type NewReportType,
  type ReportTypeModel,
} from './reportTypeModel.ts';

/** A stored report type. */
export interface StoredReportType {
  id: string;
  applicationId: string;
  name: string;
  /** As received, without ids and error fields. */
  definition: ReportTypeDefinition;
  /** Incremented with every save. */
  revision: number;
}

/** Identifies a report type: its name, unique within an application, and optional further fields. */
export interface ReportTypeKey {
  name: string;
  moduleId?: string;
  /** Name of the application, as in a report's ModuleName. */
  moduleName?: string;
  /** Display name of the registered server to run on, as in a report's ServerName. */
  serverName?: string;
}

const columns = 'id, application_id, name, definition, revision';

/** Creates or replaces an application's report type of that name; returns its id. @throws {ReportTypeError} */
export function saveReportType(store: Store, moduleId: string, reportType: NewReportType): string {
  return saveReportTypeDefinition(store, moduleId, writeReportType(reportType));
}

/**
 * Creates or replaces a report type in full: the one with RepTypeID, else the one with that name, else a new one.
 * Returns its id. @throws {ReportTypeError} when it is inconsistent, its id is unknown or its name is taken.
 */
export function saveReportTypeDefinition(store: Store, moduleId: string, definition: ReportTypeDefinition): string {
  const { name } = readNewReportType(definition);
  const sameName = findStored(store, 'name', moduleId, name);
  const sentId = definition.RepTypeID ? String(definition.RepTypeID) : undefined;
  const target = sentId === undefined ? sameName : findStored(store, 'id', moduleId, sentId);
  if (sentId !== undefined && !target) throw new ReportTypeError(name, `the application has none with id ${sentId}`);
  if (target && sameName && sameName.id !== target.id) throw new ReportTypeError(name, 'the name is taken');

  const { RepTypeID: _id, Moduleid: _module, ErrorCode: _code, Revision: _revision, ...kept } = definition;
  const text = JSON.stringify({ ...kept, FieldTree: withIds(definition) });
  if (!target) {
    const sql = 'INSERT INTO report_type (application_id, name, definition) VALUES (?, ?, ?)';
    return String(store.run(sql, moduleId, name, text).lastId);
  }
  const sql = 'UPDATE report_type SET name = ?, definition = ?, revision = revision + 1 WHERE id = ?';
  store.run(sql, name, text, target.id);
  return target.id;
}

/** The report types of an application, by name. */
export function reportTypesOf(store: Store, moduleId: string): StoredReportType[] {
  const sql = `SELECT ${columns} FROM report_type WHERE application_id = ? ORDER BY name`;
  return store.all(sql, moduleId).map(readStored);
}

/** The stored form of an application's report type by name, ignoring case; or undefined. */
export function findReportTypeDefinition(store: Store, moduleId: string, name: string): StoredReportType | undefined {
  return findStored(store, 'name', moduleId, name);
}

/** The stored form of an application's report type by id; or undefined. */
export function findReportTypeById(store: Store, moduleId: string, id: string): StoredReportType | undefined {
  return findStored(store, 'id', moduleId, id);
}

/**
 * The report type that a report names, and its server: the application's server with that display name, else its first.
 * Undefined when there is none, when no application has the given name, or when no name is given and several
 * applications have a report type of that name. Does not check the caller's access.
 */
export function findReportType(store: Store, key: ReportTypeKey): ReportTypeModel | undefined {
  const byModule = key.moduleName ? findApplicationByName(store, key.moduleName)?.id : undefined;
  if (key.moduleName && byModule === undefined && key.moduleId === undefined) return undefined;
  const moduleId = key.moduleId ?? byModule;
  const sql = `SELECT ${columns} FROM report_type WHERE name = ? AND application_id = coalesce(?, application_id)`;
  const [row, other] = store.all(sql, key.name, moduleId ?? null);
  if (!row || other) return undefined;
  const stored = readStored(row);
  const servers = serversOf(store, stored.applicationId);
  const named = servers.find(({ definition }) => key.serverName && definition.DisplayName === key.serverName);
  return {
    ...readReportType(stored.definition),
    id: stored.id,
    moduleId: stored.applicationId,
    serverId: (named ?? servers[0])?.id ?? '',
  };
}

/** Assigns ids to entries of a field tree that have none, so that every node is unique. */
function withIds({ FieldTree }: ReportTypeDefinition) {
  let last = (FieldTree ?? []).reduce((highest, { id }) => Math.max(highest, id ?? 0), 0);
  return (FieldTree ?? []).map((entry) => (entry.id ? entry : { ...entry, id: (last += 1) }));
}

function findStored(
  store: Store,
  column: 'id' | 'name',
  moduleId: string,
  value: string,
): StoredReportType | undefined {
  const row = store.get(
    `SELECT ${columns} FROM report_type WHERE application_id = ? AND ${column} = ?`,
    moduleId,
    value,
  );
  return row && readStored(row);
}

function readStored(row: Row): StoredReportType {
  return {
    id: idOf(row, 'id'),
    applicationId: idOf(row, 'application_id'),
    name: textOf(row, 'name'),
    definition: reportTypeDefinition.parse(jsonOf(row, 'definition')),
    revision: numberOf(row, 'revision'),
  };
}
