import { identifierText, type Json, type JsonObject } from '../../../src/objects/json.ts';
import type { ObjectServer } from '../../../src/objects/objectServer.ts';
import type { LocalTestServer } from '../localServer.ts';
import { isRecord } from '../isRecord.ts';

/** What the writes of all schedules share on the server, made straight, with no fault on the way. */
export class FaultGround {
  readonly server: LocalTestServer;
  /** The same server for the kinds of objects. */
  readonly objects: ObjectServer;
  /** A folder for what is made. */
  folderId = '';
  userId = '';
  groupId = '';
  moduleId = '';
  regServerId = '';
  /** A report type that no report uses, to be changed. */
  reportTypeId = '';
  #queue: Promise<unknown> = Promise.resolve();

  constructor(server: LocalTestServer) {
    this.server = server;
    this.objects = {
      name: 'Ground',
      installation: async () => '',
      call: (path, body) => this.call(path, body),
    };
  }

  static async prepare(server: LocalTestServer): Promise<FaultGround> {
    const ground = new FaultGround(server);
    const folder = { ...(await ground.template('library/NewLibraryFolder')), fname: 'Ground' };
    ground.folderId = await ground.#made('library/SaveLibraryFolder', { libraryfolder: folder, isShared: true }, 'id');
    const user = { ...(await ground.template('Contact/NewContact')), LoginName: 'ada' };
    ground.userId = await ground.#made('Contact/SaveContact', { withpin: false, user }, 'ID');
    const group = { ...(await ground.template('Group/NewSecurityGroup')), GroupName: 'Ground' };
    ground.groupId = await ground.#made('Group/SaveSecurityGroup', { group }, 'GroupId');
    await ground.#prepareReports();
    return ground;
  }

  /** An application with a database that nobody asks, and a report type on it. */
  async #prepareReports(): Promise<void> {
    const appname = 'Ground';
    this.moduleId = await this.#made('RegServers/InsertAnyDbModule', { appname, description: appname }, 'ID');
    const regserver = {
      ...{ ID: '', DisplayName: 'Ground', ModuleType: 'AnyDB', DatabasePlatform: 'sqlite', DatabaseName: ':memory:' },
      ...{ DatabaseServer: '', DatabaseLogin: '', DatabasePassword: '', additionalparams: '', Timezone: 'UTC' },
      ...{ CommandTimeout: 60, ConnectionTimeout: 30, Permissions: [], datasources: [] },
      izApp: { ID: this.moduleId, Name: appname, ModuleType: 'AnyDB', ProductCode: '', isAnyDbApp: true },
    };
    this.regServerId = await this.#made('RegServers/SaveRegSrv', { regserver, bsaveasanydb: true }, 'ID');
    const field = {
      id: 1,
      idx_order: 1,
      fname: 'Day',
      flevel: '0',
      nodetype: 'F',
      tablealias: 'f',
      sqlfieldname: 'day',
    };
    for (const RepTypeName of ['Flights', 'Changing']) {
      const reportType = {
        ...{ Moduleid: Number(this.moduleId), RepTypeID: 0, RepTypeName },
        SQLTables: [{ tablename: 'flights', tableowner: '', tablealias: 'f' }],
        FieldTree: [{ ...field, datatype: 'doz' }],
      };
      const saved = await this.call('AppBuilder/SaveAnyDbModule', { anydbmodule: { ReportTypes: [reportType] } });
      if (saved !== 1) throw new Error(`SaveAnyDbModule: ${JSON.stringify(saved)}`);
    }
    const body = { moduleid: this.moduleId, regserverid: this.regServerId };
    const module = await this.call('AppBuilder/GetAnyDbModule', body);
    const types = isRecord(module) && Array.isArray(module.ReportTypes) ? module.ReportTypes : [];
    const saved = types.find((type) => isRecord(type) && type.RepTypeName === 'Changing');
    if (!isRecord(saved)) throw new Error(`No report type was made: ${JSON.stringify(module)}`);
    this.reportTypeId = identifierText(saved.RepTypeID) ?? '';
  }

  /** Makes a report; gives its id. */
  async newReport(name: string): Promise<string> {
    const report = {
      ...(await this.template('Report/NewReport')),
      ...{ Reportname: name, ReportType: 'Flights', ModuleName: 'Ground', folderid: Number(this.folderId) },
    };
    return this.#made('Report/SaveReport', { report, processlinks: true }, 'ReportID');
  }

  /** What a New… call of the server gives. */
  async template(path: string): Promise<JsonObject> {
    const reply = await this.call(path, {});
    if (!isRecord(reply)) throw new Error(`${path} gave no template.`);
    return reply;
  }

  async call(path: string, body: object): Promise<Json> {
    return (await this.server.call(path, body)) as Json;
  }

  /** Runs `work` while no other run makes use of what the server has only one of, until the write that it gives has ended. */
  async exclusively<W extends { end(): Promise<unknown> }>(work: () => Promise<W>): Promise<W> {
    const before = this.#queue;
    let done: () => void = () => undefined;
    this.#queue = new Promise<void>((resolve) => (done = resolve));
    await before;
    try {
      const write = await work();
      const end = () => write.end().finally(done);
      return { ...write, end };
    } catch (error) {
      done();
      throw error;
    }
  }

  async #made(path: string, body: object, idField: string): Promise<string> {
    const reply = await this.call(path, body);
    const id = isRecord(reply) ? identifierText(reply[idField]) : undefined;
    if (id === undefined || id === '') throw new Error(`${path}: ${JSON.stringify(reply)}`);
    return id;
  }
}
