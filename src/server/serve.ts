import { mkdirSync } from 'node:fs';
import path from 'node:path';
import {
  createAuditPurge,
  auditHandlers,
  createLicenceHandlers,
  installationId,
  createSettingsHandlers,
} from './administration/administrationHandlers.ts';
import { createMailHandlers, mailServers } from './administration/mailHandlers.ts';
import type { Handlers } from './calls/handlers.ts';
import { applicationRecord, serverRecord } from './catalogue/applicationRecords.ts';
import { listApplications, visibleApplications } from './catalogue/applications.ts';
import { createCatalogueHandlers } from './catalogue/catalogueHandlers.ts';
import { serversOf } from './catalogue/registeredServers.ts';
import { SecretBox } from './catalogue/secretBox.ts';
import { claimDataFolder, type DataFolder, keyInFolder, noteState, refuseLostState } from './dataFolder.ts';
import { DatabaseFolders } from './databases/databaseFolders.ts';
import { Databases } from './databases/databases.ts';
import { ApiServer, createProof } from './http/apiServer.ts';
import { createDispatcher } from './http/dispatcher.ts';
import type { AllowedOrigin } from './http/originGuard.ts';
import { defaultBodyLimit } from './http/requestBody.ts';
import { prepareFirstPasswords } from './identity/passwords.ts';
import { createGroupHandlers } from './identity/groupHandlers.ts';
import { createSessionHandlers } from './identity/sessionHandlers.ts';
import { Sessions } from './identity/sessions.ts';
import { SignInLocks } from './identity/signInLocks.ts';
import { createUserHandlers } from './identity/userHandlers.ts';
import { UserRecords } from './identity/userRecords.ts';
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
import { Store } from './store/store.ts';

/** How to run the embedded server. */
export interface ServeOptions {
  dataFolder: string;
  port: number;
  /** Path that the API lies below, such as `/api`. */
  prefix: string;
  allowedOrigin: AllowedOrigin;
  /** Folder with the sample's files, or undefined to run without the sample. */
  sampleFiles: string | undefined;
  /** Folders beside that of the data folder and of the sample whose files reports may read. */
  databaseFolders: readonly string[];
  /** Begins a new state where the earlier one is gone, which is refused otherwise. Default false. */
  isNew?: boolean;
  /** Password of the built-in admin on a new data folder; a random one when left out. */
  password: string | undefined;
  /** Key of the stored database passwords; one in the data folder when left out. */
  key: Buffer | undefined;
  /** The server's own log. */
  log: (message: string) => void;
}

/** A running embedded server. */
export interface RunningServer {
  /** Root of the server; the API lies below its prefix. */
  url: string;
  port: number;
  /** The random password of a new data folder that was given none. */
  newPassword: string | undefined;
  /** Ends calls, writes what is unwritten and lets go of the data folder. */
  stop: () => Promise<void>;
}

/**
 * Puts the rooms of the embedded server together and starts it. What takes long (password hashes, the sample's data) goes
 * on after it answers; the calls that need it wait.
 * @throws Error when the data folder is in use, a file cannot be read or the port is taken.
 */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { log } = options;
  const folder = claimDataFolder(options.dataFolder);
  let opened: Store | undefined;
  try {
    const now = new Date();
    // First: a state that is refused changes nothing.
    if (!options.isNew) refuseLostState(folder);
    const store = Store.open(folder.stateFile, stateSchemas);
    opened = store;
    noteState(folder);
    const secrets = new SecretBox(options.key ?? keyInFolder(folder));
    if (options.sampleFiles !== undefined) {
      seedSample(store, now);
      connectSampleDatabase(store, options.sampleFiles);
    }
    const passwords = prepareFirstPasswords(store, options.password, log);
    const onError = (error: unknown) => log(`Background work failed: ${describe(error)}`);
    const sessions = new Sessions(store, now, onError);
    const purge = createAuditPurge(store, onError);
    const databases = new Databases(new DatabaseFolders(databaseFoldersOf(options, folder), folder.path));
    const rooms = { store, sessions, secrets, databases, passwordsReady: passwords.ready };
    const dispatch = createDispatcher({ store, sessions, handlers: allHandlers(rooms), log });
    const { port, prefix, allowedOrigin } = options;
    const prove = options.key && createProof(options.key, installationId(store));
    const api = new ApiServer({ port, prefix, allowedOrigin, bodyLimit: defaultBodyLimit, dispatch, prove, log });
    const listeningPort = await api.listen();
    return {
      url: `http://127.0.0.1:${listeningPort}`,
      port: listeningPort,
      newPassword: passwords.newPassword,
      stop: async () => {
        await api.stop();
        await passwords.ready;
        await databases.close();
        purge.stop();
        sessions.close();
        store.close();
        folder.release();
      },
    };
  } catch (error) {
    opened?.close();
    folder.release();
    throw error;
  }
}

/** The folder of databases in the data folder, which is made here, those of the sample and those of the operator. */
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

/** The handlers of all rooms. What one room needs of another that it may not import is handed over here. */
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
