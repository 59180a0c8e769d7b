import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { insertUser } from '../../../src/server/identity/users.ts';
import { insertFolder } from '../../../src/server/library/folders.ts';
import { findItem, insertReport, listItems } from '../../../src/server/library/items.ts';
import { stateSchemas } from '../../../src/server/schemas.ts';
import { Store } from '../../../src/server/store/store.ts';
import { largeNames } from './largeNames.ts';
import { startServer, type TestServer } from '../server.ts';

/** How much a large server holds beside the sample. */
export const largeCounts = { folders: 500, reportsPerFolder: 20, users: 5_000 };

/**
 * Starts the embedded server with the sample and, in its own tables, 10,000 reports in 500 folders and 5,000 users, or as many as
 * `counts` says. They are written while it rests: through the API that would take minutes.
 * @param script to run; the sources by default.
 * @param launcher that prepares a place for the server, such as one core.
 */
export async function startLargeServer(
  script?: string,
  counts = largeCounts,
  launcher: readonly string[] = [],
): Promise<TestServer> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), 'analytics-large-'));
  const options = {
    dataFolder,
    launcher,
    sample: true,
    allowOrigin: 'none',
    ...(script === undefined ? {} : { script }),
  };
  const first = await startServer(options);
  // Only a sign-in proves that the first passwords are stored.
  await first.login('admin', first.adminPassword);
  await first.stop();
  fill(path.join(dataFolder, 'state.db'), counts);
  const server = await startServer(options);
  return {
    ...server,
    stop: async () => {
      const code = await server.stop();
      await rm(dataFolder, { recursive: true, force: true });
      return code;
    },
  };
}

function fill(stateFile: string, counts: typeof largeCounts): void {
  const store = Store.open(stateFile, stateSchemas);
  try {
    store.transaction(() => {
      const some = listItems(store).find(({ kind }) => kind === 'report');
      const model = some && findItem(store, some.id);
      if (!model?.applicationId) throw new Error('The sample has no report to copy.');
      const createdBy = '1';
      for (let folder = 0; folder < counts.folders; folder++) {
        const place = { name: largeNames.folder(folder), parentId: null, kind: 'public', ownerId: null } as const;
        const folderId = insertFolder(store, place);
        for (let report = 0; report < counts.reportsPerFolder; report++) {
          const definition = { ...model.definition, Reportname: largeNames.report(folder, report) };
          insertReport(store, { definition, folderId, createdBy, applicationId: model.applicationId });
        }
      }
      for (let user = 0; user < counts.users; user++) {
        const loginName = largeNames.user(user);
        insertUser(store, {
          loginName,
          firstName: 'Employee',
          lastName: String(user),
          email: `${loginName}@example.com`,
        });
      }
    });
  } finally {
    store.close();
  }
}
