import type { Workbench } from '../workbench.ts';
import { password } from './faultyServer.ts';
import type { FaultyServer } from './faultyServer.ts';

/** Adds the server to the workbench by its wizard, signs in, and unfolds its reports. */
export async function signIn(workbench: Workbench, server: FaultyServer): Promise<void> {
  await workbench.openContainer('Analytics');
  await workbench.palette('Analytics: Add Server…');
  await workbench.quickInput('Add Server (1/4)', server.url);
  await workbench.quickPickChoose('User');
  await workbench.quickInput('User name', 'ada');
  await workbench.quickInput('Add Server (4/4)', password);
  await workbench.expand('Public');
  await workbench.expand('Faults');
}
