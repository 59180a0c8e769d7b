import type { AnalyticsClient } from '../../client/client.ts';
import { ClientError, isClientError } from '../../client/clientError.ts';
import { findProduct } from '../../contract/resources/application.ts';
import type { LibraryItem } from '../../contract/resources/library.ts';
import { createObject } from '../../objects/save/createObject.ts';
import { editableView } from '../../objects/merge/editableView.ts';
import { numberOrText, type Json, type JsonObject } from '../../objects/json.ts';
import { registeredServerKind } from '../../objects/kinds/administrationKinds.ts';
import { reportTypeKind } from '../../objects/kinds/reportTypeKind.ts';
import { withRevision, type ObjectKind } from '../../objects/kinds/objectKind.ts';
import { callForObject, objectServer, type ObjectServer } from '../../objects/objectServer.ts';
import type { ReportTypePlace } from '../../objects/kinds/reportTypeId.ts';
import { createApplication, isApplicationVisible, testConnection } from './applications.ts';
import { changeSecret } from '../../objects/save/storedSecret.ts';
import type { DatabasePlan, FirstReportType, StoredSetup, SetupJournalStore } from './setupJournal.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Registered servers of AnyDB applications. API description, Applications and servers (SaveRegSrv, bsaveasanydb). */
const anyDbServerKind: ObjectKind = {
  ...registeredServerKind,
  save: (server, full) =>
    callForObject(
      server,
      'RegServers/SaveRegSrv',
      withRevision({ regserver: full, bsaveasanydb: true, badvrpt: false }, full),
    ),
};

/** Whether a failure guarantees that the server did nothing. */
function didNothing(error: unknown): boolean {
  return isClientError(error) && (error.isUnsent || ['refused', 'noPermission', 'notFound'].includes(error.kind));
}

/**
 * Sets up an application step by step: registers it and its database server, and creates the first report type. The
 * journal records each step before it is sent and after it is done, so that an interrupted setup can be resumed:
 * requests without a reply are looked up on the server, and nothing is created twice.
 */
export class ApplicationSetup {
  #kept: StoredSetup;
  readonly #journals: SetupJournalStore;
  readonly #client: AnalyticsClient;
  readonly #objects: ObjectServer;
  readonly #pauses: readonly number[] | undefined;

  /**
   * @param kept state from the journal.
   * @param pauses in ms, before each check whether a write of unknown outcome arrived.
   */
  constructor(
    client: AnalyticsClient,
    kept: StoredSetup,
    journals: SetupJournalStore,
    { pauses }: { pauses?: readonly number[] } = {},
  ) {
    this.#client = client;
    this.#objects = objectServer(client);
    this.#kept = kept;
    this.#journals = journals;
    this.#pauses = pauses;
  }

  /** Current state of the setup. */
  get kept(): Readonly<StoredSetup> {
    return this.#kept;
  }

  /** Location of the application's report types, once it has a registered server. */
  get place(): ReportTypePlace {
    return { moduleId: this.#kept.applicationId, regServerId: this.#kept.serverId };
  }

  /** Verifies that this is the server the setup was started on. @throws {ClientError} if it is another. */
  async checkServer(): Promise<void> {
    if ((await this.#objects.installation()) === this.#kept.installation) return;
    const { name: server } = this.#client.target;
    throw new ClientError(
      'refused',
      l10n.t('The setup of "{0}" was started on a server other than {1}.', this.#kept.name, server),
      {
        server,
        remedy: l10n.t('Continue on the server where it was started, or start over.'),
      },
    );
  }

  /**
   * Registers the application, or finds the one registered before an interruption.
   * @param isSure whether to register it although an earlier request has an unknown outcome and the application is not
   * visible: it may exist, invisible to an account without a role in it.
   * @returns false if an earlier request has an unknown outcome, the application is not visible and `isSure` is not
   * set; then nothing is sent.
   * @throws {ClientError} if the server refuses, or the outcome is unknown.
   */
  async createApplication(isSure = false): Promise<boolean> {
    const { step, isSent, name, description } = this.#kept;
    if (step !== 'application') return true;
    const find = async () => (await this.#applications()).find((product) => product.Name === name)?.ID;
    if (isSent && !isSure && (await find()) === undefined) return false;
    await this.#step(
      find,
      async () => (await createApplication(this.#client, name, description)).id,
      (applicationId) => ({ applicationId, step: 'database' }),
    );
    return true;
  }

  /** Whether the account can see the application: a new one is invisible to administrators without a role in it. */
  async isVisible(): Promise<boolean> {
    return isApplicationVisible(this.#client, this.#kept.applicationId);
  }

  /**
   * Registers the application's database server.
   * @param password of the database; sent, but not stored.
   * @throws {ClientError} if the server refuses, or the outcome is unknown.
   */
  async registerDatabase(password: string): Promise<void> {
    if (this.#kept.step !== 'database') return;
    const { applicationId, database } = this.#kept;
    await this.#step(
      async () => (await this.#ownServers()).find(({ DisplayName }) => DisplayName === database.displayName)?.ID,
      async () => {
        const template = await anyDbServerKind.template?.(this.#objects, applicationId);
        const view = { ...editableView(template ?? {}, anyDbServerKind.shape), ...fieldsOf(database) };
        return this.#create(anyDbServerKind, view, applicationId, password);
      },
      (serverId) => ({ serverId, step: 'test' }),
    );
  }

  /**
   * Saves a different database address, whether or not the database is already registered.
   * @param password of the database; sent, but not stored.
   */
  async changeDatabase(database: DatabasePlan, password: string): Promise<void> {
    const { serverId } = this.#kept;
    if (serverId !== '') {
      // Sent even if nothing changed: the password may have, and replies never contain it.
      const change = { kind: anyDbServerKind, id: serverId, fields: fieldsOf(database), secret: password };
      await changeSecret(this.#objects, { ...change, ...(this.#pauses && { pauses: this.#pauses }) });
    }
    await this.#note({ database, ...(serverId === '' ? {} : { step: 'test' as const }) });
  }

  /**
   * Tests the analytics server's connection to the database. @throws {ClientError} with the server's message if it
   * fails.
   */
  async testConnection(password: string): Promise<void> {
    await testConnection(this.#objects, this.#kept.serverId, password);
    if (this.#kept.step === 'test') await this.#note({ step: 'reportType' });
  }

  /** Stores the chosen report type, so that an interruption does not lose it. */
  async chooseReportType(chosen: FirstReportType): Promise<void> {
    await this.#note({ chosen });
  }

  /** Saves the first report type. @throws {ClientError} if the server refuses, or the outcome is unknown. */
  async saveReportType(reportType: FirstReportType): Promise<void> {
    await this.#note({ reportType: reportType.name, chosen: reportType });
    const { serverId, applicationId } = this.#kept;
    await this.#step(
      () => this.#reportTypeId(reportType.name),
      async () => {
        const template = await reportTypeKind.template?.(this.#objects, serverId);
        const view = { ...editableView(template ?? {}, reportTypeKind.shape), ...wireForm(reportType) };
        return this.#create(reportTypeKind, { ...view, Moduleid: numberOrText(applicationId) }, serverId, '');
      },
      () => ({ step: 'report', chosen: undefined }),
    );
  }

  /** Name of the report type if it was saved before an interruption; otherwise undefined. */
  async savedReportType(): Promise<string | undefined> {
    const { reportType, isSent, step } = this.#kept;
    if (step === 'report') return reportType;
    if (step !== 'reportType' || !isSent || (await this.#reportTypeId(reportType)) === undefined) return undefined;
    await this.#note({ step: 'report', isSent: false, chosen: undefined });
    return reportType;
  }

  /**
   * Ends the setup and deletes its journal if a report of the application uses its report type.
   * @returns whether one does.
   */
  async endIfReported(): Promise<boolean> {
    const { step, reportType } = this.#kept;
    if (step !== 'report') return false;
    const items = await this.#client.call('library/SearchReports', { searchstring: '' });
    for (const item of items) {
      if (item.itemtype === 0 || item.ReportType !== reportType || !(await this.#isOwn(item))) continue;
      await this.end();
      return true;
    }
    return false;
  }

  /** Ends the setup and deletes its journal. */
  async end(): Promise<void> {
    await this.#journals.remove(this.#kept.id);
  }

  /**
   * Performs one write: recorded before and after it is sent; looked up first if an earlier outcome was not recorded.
   */
  async #step(
    find: () => Promise<string | number | null | undefined>,
    create: () => Promise<string>,
    done: (id: string) => Partial<StoredSetup>,
  ): Promise<void> {
    const wasSent = this.#kept.isSent;
    const found = wasSent ? await find() : undefined;
    let id = found === undefined || found === null ? undefined : String(found);
    if (id === undefined) {
      await this.#note({ isSent: true });
      try {
        id = await create();
      } catch (error) {
        // A refusal does not tell whether an earlier request succeeded: it may be the one that uses the name.
        if (didNothing(error) && !wasSent) await this.#note({ isSent: false });
        throw error;
      }
    }
    await this.#note({ ...done(id), isSent: false });
  }

  async #create(kind: ObjectKind, view: JsonObject, parent: string, secret: string): Promise<string> {
    const pauses = this.#pauses ? { pauses: this.#pauses } : {};
    const outcome = await createObject(this.#objects, { kind, view, parent, askSecret: async () => secret, ...pauses });
    if (outcome.kind === 'created') return outcome.id;
    throw new Error('Creating an object whose secret is given cannot be cancelled');
  }

  async #note(change: Partial<StoredSetup>): Promise<void> {
    const next = { ...this.#kept, ...change };
    await this.#journals.write(next);
    this.#kept = next;
  }

  /** Whether a report belongs to the application: another one may have a report type with the same name. */
  async #isOwn({ id, Application, AppDisplayName }: LibraryItem): Promise<boolean> {
    const listed = [Application, AppDisplayName].filter((name) => Boolean(name));
    if (listed.length > 0) return listed.includes(this.#kept.name);
    // The list may omit the application; the report itself includes it.
    const body = { ReportId: String(id ?? ''), isbuilder: true };
    const report = await this.#client.call('Report/GetReport', body).catch((error: unknown) => {
      // A report that the account cannot open is not the one it just created.
      if (isClientError(error) && ['refused', 'noPermission', 'notFound'].includes(error.kind)) return undefined;
      throw error;
    });
    return report?.ModuleName === this.#kept.name;
  }

  async #applications() {
    const list = await this.#client.call('App/GetApplicationList', {});
    return list.map((entry) => findProduct(entry)).filter((product) => product !== undefined);
  }

  async #ownServers() {
    const servers = await this.#client.call('RegServers/GetAdminRegisteredServers', {});
    return servers.filter((server) => String(findProduct(server)?.ID) === this.#kept.applicationId);
  }

  async #reportTypeId(name: string): Promise<string | undefined> {
    const server = (await this.#ownServers()).find(({ ID }) => String(ID) === this.#kept.serverId);
    const types = await this.#client.call('RegServers/GetReportTypes', {
      ModuleType: (server && findProduct(server)?.ModuleType) ?? server?.ModuleType ?? '',
      RegServerID: this.#kept.serverId,
      ReportModuleID: this.#kept.applicationId,
    });
    const found = types.find((type) => type.name === name);
    return found && String(found.reporttypeid);
  }
}

function fieldsOf({ displayName, platform, host, database, owner, login, timeZone }: DatabasePlan): JsonObject {
  return {
    DisplayName: displayName,
    DatabasePlatform: platform,
    DatabaseServer: host,
    DatabaseName: database,
    DatabaseOwner: owner,
    DatabaseLogin: login,
    TimeZone: timeZone,
  };
}

function wireForm({ name, tables, joins, fields }: FirstReportType): JsonObject {
  const SQLTables = tables.map((table): Json => ({
    tablename: table.name,
    tableowner: table.owner,
    tablealias: table.alias,
  }));
  return {
    RepTypeName: name,
    SQLTables,
    Joins: joins.map((join): Json => ({ ...join })),
    FieldTree: fields.map((field): Json => ({ ...field })),
  };
}
