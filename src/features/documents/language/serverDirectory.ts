import type { SqlFunction } from '../../../contract/resources/report.ts';
import { embeddedConstraint } from '../../../objects/language/constraintForm.ts';
import {
  readKnownObjects,
  type Call,
  type KnownObject,
  type ReferenceKind,
} from '../../../objects/language/knownObjects.ts';
import {
  readColumns,
  readFunctions,
  readLinkTarget,
  readReportFields,
  readReportTypes,
  readTableColumns,
  type PlacedTarget,
} from '../../../objects/language/readReportFacts.ts';
import { labelUsersOf, readReportsOn, usersOf, type ReportOnType } from '../../../objects/language/reportsUsing.ts';
import { readTimeZones } from '../../../objects/language/timeZones.ts';
import type {
  DescribedTable,
  KnownColumn,
  KnownField,
  KnownTimeZone,
  LinkTarget,
  NamedReportType,
  ServerFacts,
  TableColumn,
} from '../../../objects/language/serverFacts.ts';
import { Lookup } from './lookup.ts';

/** The part of a connection that a directory uses. */
export interface LanguageConnection {
  readonly id: string;
  readonly name: string;
  readonly kind: 'local' | 'remote';
  readonly state: { readonly kind: string };
  client(): Promise<{ call: Call }>;
}

/** The report type of a report, as the report refers to it. */
export interface ReportPlace {
  readonly reportType: string;
  readonly serverName: string;
  readonly application: string;
}

/**
 * The data that language features need about one connection's server: each list is loaded once, when a document first
 * needs it. Nothing is loaded while the account is signed out, or in advance.
 */
export class ServerDirectory {
  readonly #connection: LanguageConnection;
  readonly #changed: () => void;
  readonly #objects = new Map<ReferenceKind, Lookup<ReadonlyMap<string, KnownObject>>>();
  readonly #timeZones = new Map<string, Lookup<KnownTimeZone[]>>();
  readonly #columns = new Map<string, Lookup<KnownColumn[]>>();
  readonly #reportTypes = new Map<string, Lookup<NamedReportType[]>>();
  readonly #reportFields = new Map<string, Lookup<KnownField[]>>();
  readonly #functions = new Map<string, Lookup<SqlFunction[]>>();
  readonly #tableColumns = new Map<string, Lookup<TableColumn[]>>();
  readonly #targets = new Map<string, Lookup<PlacedTarget>>();
  readonly #reports = new Map<string, Lookup<ReportOnType[]>>();

  /** @param changed called after new data was loaded. */
  constructor(connection: LanguageConnection, changed: () => void) {
    this.#connection = connection;
    this.#changed = changed;
  }

  /** Objects of a kind; undefined if unknown. */
  async objects(kind: ReferenceKind, holder: string): Promise<ReadonlyMap<string, KnownObject> | undefined> {
    return this.#need(this.#objects, kind, holder, async (call, signal) => {
      const objects = await readKnownObjects(call, kind, signal);
      return new Map(objects.map((object) => [object.id, object]));
    });
  }

  /** Columns that constraints can compare. */
  columns(holder: string): Promise<KnownColumn[] | undefined> {
    return this.#need(this.#columns, '', holder, readColumns);
  }

  /** The registered server of a report, found by name, otherwise by application. */
  async serverOf({ serverName, application }: ReportPlace, holder: string): Promise<KnownObject | undefined> {
    return this.#serverAmong(await this.objects('server', holder), serverName, application);
  }

  /** Report types of a registered server. */
  reportTypes(server: KnownObject, holder: string): Promise<NamedReportType[] | undefined> {
    return this.#need(this.#reportTypes, server.id, holder, (call, signal) => readReportTypes(call, server, signal));
  }

  /** Fields of a report type. */
  reportFields(server: KnownObject, reportType: string, holder: string): Promise<KnownField[] | undefined> {
    return this.#need(this.#reportFields, fieldsKey(server, reportType), holder, (call, signal) =>
      readReportFields(call, server.id, reportType, signal),
    );
  }

  /** Columns of a table in a registered server's database. */
  tableColumns(
    serverId: string,
    table: { owner: string; name: string },
    holder: string,
  ): Promise<TableColumn[] | undefined> {
    return this.#need(this.#tableColumns, tableKey(serverId, table), holder, (call, signal) =>
      readTableColumns(call, serverId, table, signal),
    );
  }

  /**
   * Loads the columns of the tables that constraints restrict; only for the embedded server, where it is known how
   * constraints interpret their types.
   */
  async constraintTables(tables: readonly ConstraintTable[], holder: string): Promise<void> {
    if (this.#connection.kind !== 'local') return;
    const servers = await this.objects('server', holder);
    await Promise.all(
      tables.flatMap((table) =>
        serversWith(servers, table).map((server) => this.tableColumns(server.id, table, holder)),
      ),
    );
  }

  /** Reports that use a report type; reads every one of them. */
  reportsOn(reportType: string, holder: string): Promise<ReportOnType[] | undefined> {
    return this.#need(
      this.#reports,
      reportType,
      holder,
      async (call, signal) => (await readReportsOn(call, reportType, { signal })).reports,
    );
  }

  /** Loads a report that a drill link opens, and the fields of its report type. */
  async linkTarget(reportId: string, holder: string): Promise<void> {
    const read = (call: Call, signal: AbortSignal) => readLinkTarget(call, reportId, signal);
    const target = await this.#need(this.#targets, reportId, holder, read);
    const server = target && (await this.serverOf(target, holder));
    if (server && target.reportType !== '') await this.reportFields(server, target.reportType, holder);
  }

  /** Functions of a registered server's database. */
  functions(server: KnownObject, holder: string): Promise<SqlFunction[] | undefined> {
    const platform = server.server?.platform ?? '';
    return this.#need(this.#functions, platform, holder, (call, signal) => readFunctions(call, platform, signal));
  }

  /** Time zones with the server's names. */
  timeZones(holder: string): Promise<KnownTimeZone[] | undefined> {
    return this.#need(this.#timeZones, '', holder, readTimeZones);
  }

  /**
   * The currently known facts; loads nothing.
   * @param reportTypeServer id of the registered server of the document's report type.
   */
  facts(report?: ReportPlace, reportTypeServer?: string): ServerFacts {
    const server =
      report && this.#serverAmong(this.#objects.get('server')?.value, report.serverName, report.application);
    return {
      objects: (kind) => this.#objects.get(kind)?.value,
      columns: this.#columns.get('')?.value,
      timeZones: this.#timeZones.get('')?.value,
      constraintFields: this.#connection.kind === 'local' ? embeddedConstraint : undefined,
      reportTypes: server && this.#reportTypes.get(server.id)?.value?.map(({ name }) => name),
      reportFields: server && this.#reportFields.get(fieldsKey(server, report.reportType))?.value,
      linkTarget: (reportId) => this.#targetFacts(reportId),
      describedTables: (table) => this.#describedTables(table),
      functions: server && this.#functions.get(server.server?.platform ?? '')?.value,
      ...(reportTypeServer === undefined ? {} : this.#reportTypeFacts(reportTypeServer)),
    };
  }

  #describedTables(table: ConstraintTable): DescribedTable[] {
    return serversWith(this.#objects.get('server')?.value, table).flatMap(({ id, name, server }) => {
      const columns = this.#tableColumns.get(tableKey(id, table))?.value;
      return columns ? [{ server: name, platform: server?.platform ?? '', columns }] : [];
    });
  }

  #targetFacts(reportId: string): LinkTarget | undefined {
    const target = this.#targets.get(reportId)?.value;
    if (!target) return undefined;
    const server = this.#serverAmong(this.#objects.get('server')?.value, target.serverName, target.application);
    const labels = server && this.#reportFields.get(fieldsKey(server, target.reportType))?.value;
    return { ...target, labels: labels?.map(({ name }) => name) };
  }

  #reportTypeFacts(
    serverId: string,
  ): Pick<ServerFacts, 'platform' | 'reportTypesBeside' | 'tableColumns' | 'reportsUsing' | 'formulasCalling'> {
    const place = this.#objects.get('server')?.value?.get(serverId)?.server;
    const application = place?.application ?? '';
    return {
      platform: place?.platform,
      reportTypesBeside: this.#reportTypes.get(serverId)?.value,
      tableColumns: (owner, name) => this.#tableColumns.get(tableKey(serverId, { owner, name }))?.value,
      reportsUsing: (field) => {
        const reports = this.#reports.get(field.reportType)?.value;
        return reports && usersOf(reports, { application, ...field }).map(({ name }) => name);
      },
      formulasCalling: (field) => {
        const reports = this.#reports.get(field.reportType)?.value;
        return reports && labelUsersOf(reports, { application, ...field }).map(({ id, name }) => ({ id, name }));
      },
    };
  }

  /** Why a list could not be loaded; undefined if it was loaded or not requested. */
  failure(kind: ReferenceKind): unknown {
    return this.#objects.get(kind)?.failure;
  }

  /** Cancels loads that only a closed document needed. */
  release(holder: string): void {
    for (const lookup of this.#all()) lookup.release(holder);
  }

  /** Invalidates lists of these kinds after a change on the server. */
  forget(kinds: readonly ReferenceKind[], withReportTypes: boolean): void {
    for (const kind of kinds) this.#objects.get(kind)?.forget();
    if (kinds.includes('report')) {
      for (const lookup of [...this.#reports.values(), ...this.#targets.values()]) lookup.forget();
    }
    if (withReportTypes) for (const map of this.#semantic) for (const lookup of map.values()) lookup.forget();
  }

  /** Clears all data after the account changed or signed out. */
  clear(): void {
    for (const lookup of this.#all()) lookup.forget();
    for (const map of [this.#objects, this.#timeZones, ...this.#semantic]) map.clear();
  }

  get #semantic() {
    return [
      this.#columns,
      this.#reportTypes,
      this.#reportFields,
      this.#functions,
      this.#tableColumns,
      this.#reports,
      this.#targets,
    ];
  }

  *#all(): Generator<{ release(holder: string): void; forget(): void }> {
    for (const map of [this.#objects, this.#timeZones, ...this.#semantic]) yield* map.values();
  }

  async #need<K, T>(
    lookups: Map<K, Lookup<T>>,
    key: K,
    holder: string,
    read: (call: Call, signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    if (this.#connection.state.kind !== 'active') return undefined;
    let lookup = lookups.get(key);
    if (!lookup) {
      lookup = new Lookup(async (signal) => {
        const client = await this.#connection.client();
        return read(client.call.bind(client), signal);
      }, this.#changed);
      lookups.set(key, lookup);
    }
    return lookup.need(holder);
  }

  #serverAmong(
    servers: ReadonlyMap<string, KnownObject> | undefined,
    name: string,
    application: string,
  ): KnownObject | undefined {
    const all = [...(servers?.values() ?? [])];
    const same = (one: string, other: string) => one !== '' && one.toLowerCase() === other.trim().toLowerCase();
    return (
      all.find((server) => same(server.name, name) || same(server.id, name)) ??
      all.find(({ server }) => same(server?.application ?? '', application)) ??
      (all.length === 1 ? all[0] : undefined)
    );
  }
}

/** A table that a constraint restricts, in the databases of one application, or of all if it is empty. */
interface ConstraintTable {
  moduleId: string;
  owner: string;
  name: string;
}

function serversWith(
  servers: ReadonlyMap<string, KnownObject> | undefined,
  { moduleId, name }: ConstraintTable,
): KnownObject[] {
  const all = name === '' ? [] : [...(servers?.values() ?? [])];
  return all.filter(({ server }) => moduleId === '' || server?.moduleId === moduleId);
}

function tableKey(serverId: string, { owner, name }: { owner: string; name: string }): string {
  return JSON.stringify([serverId, owner, name]);
}

function fieldsKey({ id }: KnownObject, reportType: string): string {
  return JSON.stringify([id, reportType]);
}
