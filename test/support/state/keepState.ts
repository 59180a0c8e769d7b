import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import type { EndpointPath } from '../../../src/contract/endpoints.ts';
import { type SignedIn, startServer } from '../server.ts';
import { fillState, list, type Json } from './fillState.ts';
import { ask, folderWithState, keptKey, keptPassword, keptStates, type RecordedCall } from './keptState.ts';

/*
 * Makes the kept state of a release, and records what that release replies on it. To be run once, when the release is made, from
 * its own sources: node test/support/state/keepState.ts RELEASE [path of its src/server/main.ts]
 */

const [release, script = path.join('src', 'server', 'main.ts')] = process.argv.slice(2);
if (release === undefined) throw new Error('Name the release.');

const users = ['admin', 'hostile.user', 'sample.admin', 'sample.builder', 'north.viewer', 'south.viewer', ''];

async function makeState(): Promise<Buffer> {
  const dataFolder = folderWithState(Buffer.alloc(0));
  try {
    for (const name of ['state.db', 'secret.key']) rmSync(path.join(dataFolder, name));
    // The key can be given to a folder that has a state, and no password in it yet.
    const first = await startServer({ script, dataFolder, password: keptPassword, databaseFolders: [] });
    await first.stop();
    writeFileSync(path.join(dataFolder, 'secret.key'), keptKey.toString('base64'), { mode: 0o600 });
    const server = await startServer({ script, dataFolder, sample: true, password: keptPassword, databaseFolders: [] });
    try {
      const login = (name: string) => server.login(name, keptPassword);
      await fillState(await login('admin'), login);
      for (const user of users.filter((name) => name !== ''))
        await (await login(user)).call('library/GetAllLibraryTree');
    } finally {
      await server.stop();
    }
    return copyOf(dataFolder);
  } finally {
    rmSync(dataFolder, { recursive: true });
  }
}

/** The state without sessions, and with the sample's database at a place of no machine. */
function copyOf(dataFolder: string): Buffer {
  const copy = path.join(dataFolder, 'copy.db');
  const database = new DatabaseSync(path.join(dataFolder, 'state.db'));
  const anywhere = "json_set(definition, '$.DatabaseName', '/srv/analytics/' || application_id || '.db')";
  database.exec(`DELETE FROM session; UPDATE registered_server SET definition = ${anywhere}; VACUUM INTO '${copy}'`);
  database.close();
  return readFileSync(copy);
}

type Call = Omit<RecordedCall, 'reply'>;

/** Every read of every object, as each user. */
async function everyRead(admin: SignedIn): Promise<Call[]> {
  const ids = async (endpoint: EndpointPath, field: string, body: object = {}) =>
    (await list(admin, endpoint, body)).map((entry) => entry[field]);
  const servers = await list(admin, 'RegServers/GetAdminRegisteredServers');
  const reports = await list(admin, 'library/SearchReports', { searchstring: '' });
  const reportIds = reports.map(({ id }) => String(id));
  const folderIds = [...new Set(reports.map(({ folderid }) => String(folderid)))];
  const modules = servers.map((server) => ({ regserverid: server.ID, moduleid: moduleOf(server), server }));
  const bodies: readonly (readonly [EndpointPath, readonly Json[]])[] = [
    ['login/DoLogin', [{}]],
    ['Session/CheckSession', [{}]],
    ['Contact/NewContact', [{}]],
    ['Contact/GetContactList', [{}]],
    ['Contact/GetContactById', (await ids('Contact/GetContactList', 'ID')).map((ContactId) => ({ ContactId }))],
    ['Contact/GetRolesList', [{}]],
    ['Group/GetAllSecurityGroups', [{}]],
    [
      'Group/GetSecurityGroupById',
      (await ids('Group/GetAllSecurityGroups', 'GroupId')).map((GroupId) => ({ GroupId })),
    ],
    ['Group/NewSecurityGroup', [{}]],
    ['DataTag/NewDataTag', [{}]],
    ['DataTag/GetAllDataTags', [{}]],
    ['Shield/NewPolicy', [{}]],
    ['Shield/GetAllShieldPolicies', [{}]],
    ['App/GetApplicationList', [{}]],
    ['RegServers/GetAdminRegisteredServers', [{}]],
    ['RegServers/GetTimeZones', [{}]],
    ['library/GetListByFolderID', [...folderIds, '-1', '0'].map((LibraryID) => ({ LibraryID }))],
    ['library/GetAllLibraryTree', [{}]],
    ['library/NewLibraryFolder', [{}]],
    ['library/GetFolderById', folderIds.map((folderid) => ({ folderid }))],
    ['library/SearchReports', [{ searchstring: '' }, { searchstring: 'drop' }]],
    ['Dashboard/SearchDashboardList', [{ search: '' }]],
    ['AppBuilder/GetAnyDbModulesList', [{}]],
    ['AppBuilder/GetAnyDbModule', modules.map(({ regserverid, moduleid }) => ({ moduleid, regserverid }))],
    ['AppBuilder/GetDataTypes', [{}]],
    [
      'RegServers/GetReportTypes',
      modules.map(({ regserverid: RegServerID, moduleid, server }) => ({
        ...{ ModuleType: server.ModuleType, RegServerID, ReportModuleID: moduleid },
      })),
    ],
    ['Report/NewReport', [{}]],
    ['Report/NewCriteria', [{ field: {} }]],
    ['Report/NewTotals', [{ type: '' }]],
    ['Report/GetReport', reportIds.map((ReportId) => ({ ReportId, isbuilder: false }))],
    ['Report/GetReportMetadataById', reportIds.map((ReportID) => ({ ReportID }))],
    ['Report/GetSQLFunctions', [{ db_plat: 'sqlite' }]],
    ['Report/GetOutputTypes', [{}]],
    ['SMTP/GetSMTP', [{}]],
    ['AppSettings/GetAppSettings', [{}]],
    ['Audit/GetAuditTypes', [{}]],
    ['LicenseManager/GetInstallationID', [{}]],
  ];
  return users.flatMap((user) => bodies.flatMap(([endpoint, each]) => each.map((body) => ({ user, endpoint, body }))));
}

function moduleOf({ service }: Json): unknown {
  return typeof service === 'object' && service !== null && 'ID' in service ? service.ID : '';
}

async function record(state: Buffer): Promise<RecordedCall[]> {
  const dataFolder = folderWithState(state);
  try {
    const server = await startServer({ script, dataFolder, databaseFolders: [] });
    try {
      return await ask(server, await everyRead(await server.login('admin', keptPassword)));
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dataFolder, { recursive: true });
  }
}

const state = await makeState();
const replies = await record(state);
mkdirSync(keptStates, { recursive: true });
writeFileSync(path.join(keptStates, `${release}.db.gz`), gzipSync(state, { level: 9 }));
writeFileSync(path.join(keptStates, `${release}.replies.json.gz`), gzipSync(JSON.stringify(replies), { level: 9 }));
console.log(`${release}: ${state.length} bytes, ${replies.length} replies`);
