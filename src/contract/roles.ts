/** Role of a user in a group (0 to 4) or on an application (5 to 7). */
export interface RoleInfo {
  id: string;
  name: string;
  description: string;
  appliesTo: 'group' | 'application';
}

/** Roles; their names are those of the server. API description, Role. @l10n description */
export const roles: readonly RoleInfo[] = [
  { id: '0', name: 'None', description: 'No access within the group', appliesTo: 'group' },
  { id: '1', name: 'Admin', description: 'Full access to what the group is assigned', appliesTo: 'group' },
  { id: '2', name: 'View', description: 'Read only', appliesTo: 'group' },
  { id: '3', name: 'Modify', description: 'Read and edit', appliesTo: 'group' },
  { id: '4', name: 'Delete', description: 'Read, edit and delete', appliesTo: 'group' },
  { id: '5', name: 'Builder', description: 'Takes a Builder seat', appliesTo: 'application' },
  { id: '6', name: 'Agent', description: 'Takes an Agent seat', appliesTo: 'application' },
  { id: '7', name: 'Architect', description: 'Takes an Architect seat', appliesTo: 'application' },
];
