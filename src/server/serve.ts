import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  createAuditPurge,
  auditHandlers,
  installationId,
  createSettingsHandlers,
} from './administration/administrationHandlers.ts';
import { createLicenceHandlers } from './administration/licenceHandlers.ts';
import { createMailHandlers, mailServers } from './administration/mailHandlers.ts';
import {
  AutomaticBackups,
  lastAutomaticBackup,
  latestBackup,
  type AutomaticBackupOptions,
} from './backups/automaticBackups.ts';
import { openControl } from './backups/control.ts';
import type { Handlers } from './calls/handlers.ts';
import { applicationRecord, serverRecord } from './catalogue/applicationRecords.ts';
import { listApplications, visibleApplications } from './catalogue/applications.ts';
import { createCatalogueHandlers } from './catalogue/catalogueHandlers.ts';
import { serversOf } from './catalogue/registeredServers.ts';
import { auditPurpose, SecretBox } from './catalogue/secretBox.ts';
import { claimDataFolder, type DataFolder, noteState, openSecrets, refuseLostState } from './dataFolder.ts';
import { DatabaseFolders } from './databases/databaseFolders.ts';
import { Databases } from './databases/databases.ts';
import { ApiServer, createProof, type ObservedCall } from './http/apiServer.ts';
import { createDispatcher, waitingBodies } from './http/dispatcher.ts';
import { explainListenError, type PublicListening } from './http/listening.ts';
import type { AllowedOrigin } from './http/originGuard.ts';
import { defaultBodyLimit } from './http/requestBody.ts';
import { prepareFirstPasswords, waitingPasswords } from './identity/passwords.ts';
import { type LicenceOptions, setLicence } from './identity/licences.ts';
import { createGroupHandlers } from './identity/groupHandlers.ts';
import { createSessionHandlers } from './identity/sessionHandlers.ts';
import { Sessions } from './identity/sessions.ts';
import { SignInLocks } from './identity/signInLocks.ts';
import { createUserHandlers } from './identity/userHandlers.ts';
import { UserRecords } from './identity/userRecords.ts';
import type { Log } from './log/serverLog.ts';
import { CallMetrics } from './monitoring/callMetrics.ts';
import { Monitor, type MonitorAddress, type Phase } from './monitoring/monitor.ts';
import { countReports } from './library/items.ts';
import { createLibraryHandlers } from './library/libraryHandlers.ts';
import { checkConstraints, contradictsPolicies } from './reports/policyTypes.ts';
import { createReportHandlers } from './reports/reportHandlers.ts';
import { connectSampleDatabase } from './sample/sampleDatabase.ts';
import { seedSample } from './sample/seedSample.ts';
import { stateSchemas } from './schemas.ts';
import { dataTagHandlers } from './security/dataTagHandlers.ts';
import { applicationsInPolicies, profileFieldsInPolicies } from './security/policies.ts';
import { createPolicyHandlers } from './security/policyHandlers.ts';
import { AuditProofs } from './store/auditProofs.ts';
import { signAuditTrail } from './store/auditTrail.ts';
import { explainDiskError, fullDiskOf, keepReserve, releaseReserve } from './store/fullDisk.ts';
import { Store, thisRelease } from './store/store.ts';

/** Options of the embedded server. */
export interface ServeOptions {
  dataFolder: string;
  port: number;
  /** How clients on other machines reach the server; undefined for loopback only. */
  listening?: PublicListening | undefined;
  /** Base path of the API, such as `/api`. */
  prefix: string;
  allowedOrigin: AllowedOrigin;
  /** Folder with the sample's files, or undefined to run without the sample. */
  sampleFiles: string | undefined;
  /** Folders whose database files reports may read, in addition to those in the data folder and the sample. */
  databaseFolders: readonly string[];
  /** Accepts database servers whose release is too old to be tested. Default false. */
  allowsOldEngines?: boolean;
  /** Refuses on a full disk what would be audited, instead of storing it once there is space. Default false. */
  requiresAudit?: boolean;
  /** Licence for each application; by default 1,000 seats that do not expire. */
  licence?: LicenceOptions;
  /** Starts with a new state if the earlier one is missing, which is otherwise refused. Default false. */
  isNew?: boolean;
  /** Password of the built-in admin of a new data folder; random if undefined. */
  password: string | undefined;
  /** Key of the stored database passwords; read from the data folder if undefined. */
  key: Buffer | undefined;
  /** Automatic backups; none if undefined. */
  backups?: Pick<AutomaticBackupOptions, 'folder' | 'limitBytes' | 'makeBackup' | 'onOutcome'>;
  /** Address of `/healthz` and `/metrics`; not served if undefined. */
  monitor?: MonitorAddress | undefined;
  /** Milliseconds that running calls have to finish when the server stops. Default a second. */
  stopWithinMs?: number | undefined;
  /** Speaks a second dialect of lists without a described form, for tests of clients. Default false. */
  speaksOther?: boolean;
  /** Logs each call at level debug. Default false. */
  logsCalls?: boolean;
  log: Log;
}

/** A running embedded server. */
export interface RunningServer {
  /** Root URL of the server; the API is below its prefix. */
  url: string;
  /** Release of the server. */
  release: string;
  port: number;
  /** The random password generated for a new data folder. */
  newPassword: string | undefined;
  /** Reads the certificate again; logs why a new one is not used. */
  reloadCertificate: () => void;
  /** Ends running calls, writes pending changes and releases the data folder. */
  stop: () => Promise<void>;
}

/**
 * Assembles the rooms of the embedded server and starts it. Slow work (password hashes, the sample's data) continues
 * after the server is reachable; calls that need it wait.
 * @throws Error when the data folder is in use, a file cannot be read or the port is taken.
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  let folder: DataFolder | undefined;
  let store: Store | undefined;
  try {
    folder = claimDataFolder(options.dataFolder);
    // Must come first: refusing a state must not change anything.
    if (!options.isNew) refuseLostState(folder);
    store = Store.open(folder.stateFile, stateSchemas);
    return await serveState(options, folder, store);
  } catch (error) {
    store?.close();
    folder?.release();
    const dataFolder = path.resolve(options.dataFolder);
    if (fullDiskOf(error, [dataFolder]) && releaseReserve(dataFolder)) return startServer(options);
    throw explainListenError(explainDiskError(error, [dataFolder]));
  }
}

async function serveState(options: ServeOptions, folder: DataFolder, store: Store): Promise<RunningServer> {
  const { log, listening } = options;
  const now = new Date();
  store.mustStoreAudit = options.requiresAudit ?? false;
  store.onDroppedWrite = (error) => log(`A write that waited for space is lost: ${describe(error)}`);
  noteState(folder);
  keepReserve(folder.path);
  if (options.licence) setLicence(store, options.licence);
  const secrets = options.key ? new SecretBox(options.key) : secretsIn(folder, store, options);
  signAuditTrail(store, new AuditProofs(secrets.derivedKey(auditPurpose)), options.isNew ?? false);
  store.mark();
  if (options.sampleFiles !== undefined) {
    seedSample(store, now);
    connectSampleDatabase(store, options.sampleFiles);
  }
  const passwords = prepareFirstPasswords(store, options.password, log);
  const onError = (error: unknown) => log(`Background work failed: ${describe(error)}`);
  const sessions = new Sessions(store, now, onError);
  const purge = createAuditPurge(store, onError);
  const databases = new Databases(
    new DatabaseFolders(databaseFoldersOf(options, folder), folder.path),
    options.allowsOldEngines,
  );
  const rooms = { store, sessions, secrets, databases, passwordsReady: passwords.ready };
  const calls = new CallMetrics();
  const api = createApi(options, rooms, calls);
  const listeningPort = await api.listen();
  let phase: Phase = 'starting';
  void passwords.ready.then(() => (phase = phase === 'starting' ? 'running' : phase));
  const monitor = createMonitor(options, folder, { ...rooms, api, calls, phase: () => phase });
  if (options.monitor) await monitor.listen(options.monitor);
  const control = await openControl(folder.path, (target, onProgress) =>
    store.copyTo(target, onProgress).catch((error: unknown) => {
      throw explainDiskError(error, [path.dirname(target), folder.path]);
    }),
  );
  const backups =
    options.backups &&
    new AutomaticBackups({
      ...options.backups,
      ...{ dataFolder: folder.path, installation: installationId(store), now: () => new Date() },
    });
  backups?.start();
  return {
    url: listening?.publicUrl.origin ?? `http://127.0.0.1:${listeningPort}`,
    release: thisRelease,
    port: listeningPort,
    newPassword: passwords.newPassword,
    reloadCertificate: () => reloadCertificate(api, log),
    stop: async () => {
      phase = 'stopping';
      log(`Stopping; ${api.runningCalls} calls run.`, 'info');
      await Promise.all([api.stop(options.stopWithinMs), backups?.stop(), control.close()]);
      monitor.close();
      await passwords.ready;
      await databases.close();
      purge.stop();
      sessions.close();
      store.close();
      folder.release();
    },
  };
}

function secretsIn(folder: DataFolder, store: Store, { isNew = false, log }: ServeOptions): SecretBox {
  const { secrets, removed } = openSecrets(folder, store, isNew);
  for (const owner of removed) log(`The password of ${JSON.stringify(owner)} was removed: enter it again.`, 'warn');
  return secrets;
}

function createApi(options: ServeOptions, rooms: Rooms, calls: CallMetrics): ApiServer {
  const { port, listening, prefix, allowedOrigin, key, log } = options;
  const { store, sessions } = rooms;
  const observe = (call: ObservedCall) => {
    calls.add(call.endpoint, call.outcome, call.seconds);
    log(call.endpoint, 'debug', { outcome: call.outcome, status: call.status, seconds: call.seconds });
  };
  return new ApiServer({
    ...{ port, listening, prefix, allowedOrigin, bodyLimit: defaultBodyLimit, log },
    dispatch: createDispatcher({
      ...{ store, sessions, handlers: allHandlers(rooms), log },
      speaksOther: options.speaksOther,
    }),
    // The proof is for the parent process, which reaches the server by loopback.
    prove: key && !listening ? createProof(key, installationId(store)) : undefined,
    observe: options.monitor || options.logsCalls ? observe : undefined,
  });
}

function createMonitor(
  { backups, requiresAudit = false, log }: ServeOptions,
  { path: dataFolder }: DataFolder,
  parts: Rooms & { api: ApiServer; calls: CallMetrics; phase: () => Phase },
): Monitor {
  const { api, store, sessions, databases, calls, phase } = parts;
  return new Monitor({
    ...{ dataFolder, release: thisRelease, calls, phase, requiresAudit, log },
    runningCalls: () => api.runningCalls,
    queues: () => ({ passwords: waitingPasswords(), bodies: waitingBodies() }),
    engines: () => databases.loads(),
    sessions: () => sessions.count(new Date()),
    readState: () => void store.get('SELECT content FROM settings'),
    lastBackup: () => backups && lastAutomaticBackup(dataFolder),
    latestBackup: () => backups && latestBackup(backups.folder),
  });
}

function reloadCertificate(api: ApiServer, log: Log): void {
  try {
    api.reloadCertificate();
    log('The certificate was read again.', 'info');
  } catch (error) {
    log(`The earlier certificate stays in use: ${describe(error)}`);
  }
}

/** Folders of database files: one in the data folder, created here, the sample's and those of the operator. */
function databaseFoldersOf({ sampleFiles, databaseFolders }: ServeOptions, { path: folder }: DataFolder): string[] {
  const own = path.join(folder, 'databases');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return [own, ...(sampleFiles === undefined ? [] : [sampleFiles]), ...databaseFolders];
}

interface Rooms {
  store: Store;
  sessions: Sessions;
  secrets: SecretBox;
  databases: Databases;
  passwordsReady: Promise<void>;
}

/** The handlers of all rooms. Passes each room what it needs from others that it may not import. */
function allHandlers({ sessions, secrets, databases, passwordsReady }: Rooms): Handlers {
  const applicationNames = (store: Store) => new Map(listApplications(store).map(({ id, name }) => [id, name]));
  const records = new UserRecords(applicationNames);
  const locks = new SignInLocks();
  return {
    ...createSessionHandlers({
      sessions,
      locks,
      records,
      applicationNames,
      passwordsReady,
      countReports,
      moduleProfiles: (store, { caller }) =>
        visibleApplications(store, caller).map((found) => applicationRecord(store, found, []).ModuleProfile),
      registeredServers: (store, { caller }) =>
        visibleApplications(store, caller)
          .flatMap(({ id }) => serversOf(store, id))
          .map((server) => serverRecord(store, server)),
      mailServers,
    }),
    ...createUserHandlers({
      sessions,
      locks,
      records,
      applicationNames,
      protectedProfileFields: profileFieldsInPolicies,
    }),
    ...createGroupHandlers(records, sessions),
    ...dataTagHandlers,
    ...createPolicyHandlers({
      records,
      applicationNames,
      checkConstraints: (context, constraints) => checkConstraints({ databases, secrets }, context, constraints),
    }),
    ...createLibraryHandlers({ applicationNames }),
    ...createCatalogueHandlers({
      secrets,
      databases,
      userRecords: records,
      protectedApplications: applicationsInPolicies,
      contradictsPolicies: (context, moduleId, reportType) =>
        contradictsPolicies({ databases, secrets }, context, moduleId, reportType),
    }),
    ...createReportHandlers({ databases, secrets, afterSave: (token) => sessions.renewPassport(token) }),
    ...createSettingsHandlers(secrets),
    ...auditHandlers,
    ...createMailHandlers(secrets),
    ...createLicenceHandlers(applicationNames),
  };
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
