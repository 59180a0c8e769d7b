import type { Workbench } from './workbench.ts';

/** A server as somebody adds it. */
export interface ServerToAdd {
  /** Root of the server. */
  url: string;
  /** Account; `admin` unless given. */
  userName?: string;
  password: string;
  /** Whether the password is kept, so that the editor signs in by itself. */
  keepsPassword?: boolean;
}

/** Adds a server by the wizard and signs in, the way a person does. The sidebar may still be reading afterwards. */
export async function addServer(workbench: Workbench, server: ServerToAdd): Promise<void> {
  await workbench.palette('Analytics: Add Server…');
  await workbench.quickInput('Add Server (1/4)', server.url);
  await workbench.quickPickChoose(server.keepsPassword ? 'User, password saved' : 'User');
  await workbench.quickInput('User name', server.userName ?? 'admin');
  await workbench.quickInput('Add Server (4/4)', server.password);
}
