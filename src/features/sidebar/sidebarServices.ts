import type { CommandServices } from '../../editor/commands/services.ts';
import type { ServersTree } from './serversTree.ts';

/** What commands of the sidebar work with. */
export type SidebarServices = CommandServices & { tree: ServersTree };
