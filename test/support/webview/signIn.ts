import type { Workbench } from '../workbench/workbench.ts';
import { password } from './faultyServer.ts';
import type { FaultyServer } from './faultyServer.ts';
import { addServer } from '../workbench/addServer.ts';

/** Adds the server to the workbench by its wizard, signs in, and unfolds its reports. */
export async function signIn(workbench: Workbench, server: FaultyServer): Promise<void> {
  await workbench.openContainer('Analytics');
  await addServer(workbench, { url: server.url, userName: 'ada', password });
  await workbench.expand('Public');
  await workbench.expand('Faults');
}
