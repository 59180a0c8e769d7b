import type { TestProject } from 'vitest/node';
import type { StoredSession } from '../../../src/client/session/sessionState.ts';
import { startServer } from '../server.ts';
import { memoryVault, testClient } from '../testClient.ts';

/** The one server with the sample that the files of the page tier read, and the session that they share. */
export interface SampleServer {
  apiBase: string;
  userName: string;
  password: string;
  session: StoredSession;
}

declare module 'vitest' {
  interface ProvidedContext {
    sampleServer: SampleServer;
  }
}

/** Starts the server and signs in: a second sign-in would end the session of another file. */
export async function setup(project: TestProject): Promise<() => Promise<unknown>> {
  const server = await startServer({ sample: true });
  const account = { userName: 'admin', password: server.adminPassword };
  const vault = memoryVault();
  await testClient(server.apiBase, account, { vault }).call('library/SearchReports', { searchstring: '' });
  const session = await vault.read();
  if (session === undefined) throw new Error('The sign-in left no session.');
  project.provide('sampleServer', { apiBase: server.apiBase, ...account, session });
  return () => server.stop();
}
