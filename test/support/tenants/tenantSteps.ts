import { addFavourite, moveReport } from '../../../src/features/library/commands.ts';
import { setFolderPermissions } from '../../../src/features/library/folderPermissions.ts';
import { hideFolders, moveFolder, newFolder, showFolders } from '../../../src/features/library/folders.ts';
import { cloneObject, describeReport, renameDataTag, renameObject } from '../../../src/features/documents/commands.ts';
import { deleteObjects } from '../../../src/features/documents/deleteObjects.ts';
import { newPolicy } from '../../../src/features/documents/newObjects.ts';
import { changeRole, grantRole, revokeRole } from '../../../src/features/security/applicationRoles.ts';
import {
  activatePolicy,
  assignPolicy,
  deactivatePolicy,
  unassignPolicy,
} from '../../../src/features/security/assignPolicy.ts';
import { setPin, unlockUser } from '../../../src/features/security/commands.ts';
import { addToGroup, removeFromGroup } from '../../../src/features/security/groupMembers.ts';
import { saveTemplate } from '../../../src/features/userImport/saveTemplate.ts';
import { changeOn, rowsBelow } from '../commandScene.ts';
import type { Answers, TenantAdmin } from './tenantAdmin.ts';

/** A step of the tenant's day. */
export interface TenantStep extends Answers {
  readonly title: string;
  readonly run: (admin: TenantAdmin) => Promise<unknown>;
  /** The writes, each once: the endpoint, and for whole objects the fields that differ from what was read. */
  readonly writes: readonly string[];
  /** What is said or asked. */
  readonly says?: RegExp;
}

const password = 'a long enough passphrase 1';
const constraint = (TableName: string, label: string) => ({
  ...{ ModuleID: '', TableOwner: '', TableName, ColumnName: 'state', Operator: 'in', Value: `/#${label}#/` },
  ...{ Value2: '', Logical: 'AND', ColumnType: '' },
});
const user = 'Contact/SaveContact';
const policy = 'Shield/SaveShieldPolicy';
const folder = 'library/SaveLibraryFolder';
const tag = 'DataTag/SaveDataTag';

const takingIn: readonly TenantStep[] = [
  {
    title: 'creates the group of the tenant',
    run: (a) => a.creates('group', { GroupName: 'West', GroupDescription: 'Tenant in the west' }),
    writes: ['Group/SaveSecurityGroup: GroupDescription GroupName'],
  },
  {
    title: 'creates a second group, for authors',
    run: (a) => a.creates('group', { GroupName: 'West Authors' }),
    writes: ['Group/SaveSecurityGroup: GroupName'],
  },
  {
    title: 'creates a folder, whose groups are asked for',
    run: async (a) => newFolder(a.scene.services, await a.folder()),
    ...{ types: ['For West'], picks: [['West']] },
    writes: [`${folder}: ParentLibrary Permissions+ fname`],
    says: /Who sees "For West"/,
  },
  {
    title: 'creates a folder inside, which inherits its groups',
    run: async (a) => newFolder(a.scene.services, await a.folder('For West')),
    ...{ types: ['Archive'], picks: [[]] },
    writes: [`${folder}: ParentLibrary fname`],
  },
  {
    title: 'creates a data tag',
    run: (a) => a.creates('tag', { Label: 'branch', isGroup: true }),
    writes: [`${tag}: Label isGroup`],
  },
  {
    title: "sets the tenant's value on the page of the tag",
    run: (a) => a.values('branch', { groups: { West: 'CO' } }),
    writes: [`${tag}: SecurityGroups+`],
  },
  {
    title: 'begins a policy from the menu of the tag',
    run: async (a) => {
      await newPolicy(a.scene.services, await a.row('dataTags', 'branch'));
      await a.saves(() => ({ Name: 'West rows', Constraints: [constraint('flights', 'branch')] }));
    },
    writes: [`${policy}: Constraints+ Groups Name Users`],
  },
  {
    title: 'assigns the policy to the group',
    run: async (a) => assignPolicy(a.scene.services, await a.row('policies', 'West rows')),
    picks: [['West']],
    writes: ['Shield/AddGroup'],
  },
  {
    title: 'activates the policy',
    run: async (a) => activatePolicy(a.scene.services, await a.row('policies', 'West rows')),
    writes: [`${policy}: isActive`],
  },
  { title: 'saves a template for users', run: () => saveTemplate(), writes: [], says: /CSV template/ },
  {
    title: 'imports users with groups, application and role',
    run: async (a) => {
      const rows = [1, 2, 3, 4, 5].map((n) => `west.${n},Miller,${password},West,Flight Operations,Agent`);
      const done = await a.imports('LoginName,LastName,Password,Groups,Application,Role', ...rows);
      if (done.some((row) => !row.endsWith(' done'))) throw new Error(done.join());
    },
    writes: [`${user}: LastName LoginName Pin`, `${user}: UserApplications+`, 'Group/AddUser'],
  },
  {
    title: 'asks before columns of a file are left out',
    run: (a) => a.imports('LoginName,LastName,Password,Shoes', `west.6,Miller,${password},42`),
    picks: ['Choose a CSV File…'],
    writes: [`${user}: LastName LoginName Pin`],
    says: /Shoes/,
  },
];

const roles: readonly TenantStep[] = [
  {
    title: 'grants an application role',
    run: async (a) => grantRole(a.scene.services, await a.row('users', 'west.6')),
    picks: ['Flight Operations', 'Agent'],
    writes: [`${user}: UserApplications+`],
    says: /seats left/,
  },
  {
    title: 'changes the role',
    run: async (a) => changeRole(a.scene.services, await a.row('users', 'west.6')),
    picks: ['Flight Operations', 'Builder', 'Change Roles'],
    writes: [`${user}: UserApplications+ UserApplications-`],
    says: /Role of west\.6/,
  },
  {
    title: 'adds a user to a group by a drag',
    run: async (a) =>
      addToGroup(a.scene.services, {
        dropped: [await a.row('users', 'west.6')],
        onto: await a.row('groups', 'West Authors'),
      }),
    picks: ['Modify'],
    writes: ['Group/AddUser'],
  },
  {
    title: 'changes the role in a group',
    run: async (a) =>
      addToGroup(a.scene.services, {
        dropped: [await a.row('users', 'west.6')],
        onto: await a.row('groups', 'West Authors'),
      }),
    picks: ['Delete', 'Change Roles'],
    writes: ['Group/AddUser'],
    says: /west\.6 currently has Modify/,
  },
  {
    title: 'grants a role to the members of a group',
    run: async (a) => grantRole(a.scene.services, await a.row('groups', 'West Authors')),
    picks: ['Flight Operations', 'Architect', 'Change Roles'],
    writes: [`${user}: UserApplications+ UserApplications-`],
  },
  {
    title: 'sees who holds the seats',
    run: async (a) => {
      const licences = await a.scene.find(a.connection, 'administration', 'licences');
      const facts = await rowsBelow(licences);
      const names = (await Promise.all(facts.map((fact) => rowsBelow(fact)))).flat();
      if (!names.some((row) => row.kind === 'holder' && row.user.loginName === 'west.6')) throw new Error('Not shown');
    },
    writes: [],
  },
  {
    title: 'revokes the role',
    run: async (a) => revokeRole(a.scene.services, await a.row('users', 'west.6')),
    writes: [`${user}: UserApplications-`],
    says: /Revoke the role Architect/,
  },
  {
    title: 'sets a value of a user',
    run: (a) => a.values('branch', { users: { 'west.2': 'UT' } }),
    writes: [`${tag}: Contacts+`],
  },
  {
    title: 'changes a value of a user',
    run: (a) => a.values('branch', { users: { 'west.2': 'NM' } }),
    writes: [`${tag}: Contacts+ Contacts-`],
  },
];

const westRows = (a: TenantAdmin) => a.row('policies', 'West rows');
const changing: readonly TenantStep[] = [
  {
    title: 'sets the default of a tag in its document',
    run: async (a) => a.edits(await a.row('dataTags', 'branch'), () => ({ DefaultValue: 'CO' })),
    writes: [`${tag}: DefaultValue`],
  },
  {
    title: 'edits the description of a policy',
    run: async (a) => a.edits(await westRows(a), () => ({ Description: 'Rows of the west' })),
    writes: [`${policy}: Description`],
  },
  {
    title: 'adds a constraint',
    run: async (a) =>
      a.edits(await westRows(a), ({ Constraints }) => ({
        Constraints: [...(Constraints as object[]), constraint('airports', 'branch')],
      })),
    writes: [`${policy}: Constraints+`],
  },
  {
    title: 'joins what a colleague saved meanwhile',
    run: async (a) => {
      const row = await westRows(a);
      await a.edits(row, (present) => ({ ...present, Description: 'Mine' }));
      const id = row.kind === 'policy' ? row.policyId : '';
      await changeOn(a.connection, 'policy', id, { Description: 'Theirs' });
      await a.edits(row, () => ({ Description: 'Mine again' }));
    },
    writes: [`${policy}: Description`],
  },
  {
    title: 'renames the tag in the policy that compares with it',
    run: async (a) => renameDataTag(a.scene.services, await a.row('dataTags', 'branch')),
    types: ['office'],
    writes: [`${tag}: Label`, `${policy}: Constraints+ Constraints-`],
  },
  {
    title: 'assigns the policy to a user',
    run: async (a) => assignPolicy(a.scene.services, await westRows(a)),
    picks: [['west.6']],
    writes: [`${policy}: Users+`],
  },
  {
    title: 'unassigns the user, after a question about rows',
    run: async (a) => unassignPolicy(a.scene.services, await westRows(a)),
    picks: [['west.6']],
    writes: [`${policy}: Users-`],
    says: /west\.6 will see all rows of airports and flights/,
  },
  {
    title: 'deactivates the policy, after a question about rows',
    run: async (a) => deactivatePolicy(a.scene.services, await westRows(a)),
    writes: [`${policy}: isActive`],
    says: /5 users will see all rows of airports and flights/,
  },
  {
    title: 'activates it again',
    run: async (a) => activatePolicy(a.scene.services, await westRows(a)),
    writes: [`${policy}: isActive`],
  },
  {
    title: 'clones the policy',
    run: async (a) => {
      await cloneObject(a.scene.services, await westRows(a));
      await a.saves(() => ({ Name: 'West rows too' }));
    },
    writes: [`${policy}: Constraints+ CreatedBy Description Groups ModifiedBy Name Users isActive`],
  },
  {
    title: 'renames the clone',
    run: async (a) => renameObject(a.scene.services, await a.row('policies', 'West rows too')),
    types: ['Another'],
    writes: [`${policy}: Name`],
  },
  {
    title: 'deletes the clone',
    run: async (a) => deleteObjects(a.scene.services, await a.row('policies', 'Another')),
    types: ['Another'],
    writes: ['Shield/DeletePolicy:'],
    says: /cannot be undone/,
  },
  {
    title: "edits a user's profile",
    run: async (a) => a.edits(await a.row('users', 'west.3'), () => ({ Company: 'Western', Tag1: 'W' })),
    writes: [`${user}: Company Tag1`],
  },
  {
    title: 'sets a new password',
    run: async (a) => setPin(a.scene.services, await a.row('users', 'west.3')),
    types: ['another long passphrase 2', 'another long passphrase 2'],
    writes: [`${user}: Pin`],
  },
  {
    title: 'finds no locked user',
    run: async (a) => unlockUser(a.scene.services, a.scene.services.tree.serverNode(a.connection)),
    writes: [],
    says: /No users are locked/,
  },
];

const inLibrary: readonly TenantStep[] = [
  {
    title: 'moves a report to the tenant',
    run: async (a) => moveReport(a.scene.services, await a.folder('Flights', 'Routes')),
    picks: ['For West'],
    writes: ['Report/SaveReport: folderid'],
  },
  {
    title: 'describes the report',
    run: async (a) => describeReport(a.scene.services, await a.folder('For West', 'Routes')),
    types: ['Of the west'],
    writes: ['Report/UpdateReport: Description'],
  },
  {
    title: 'marks it as a favourite',
    run: async (a) => addFavourite(a.scene.services, await a.folder('For West', 'Routes')),
    writes: ['library/FavReport'],
  },
  {
    title: 'opens the folder to the authors, who are named',
    run: async (a) => setFolderPermissions(a.scene.services, await a.folder('For West')),
    picks: [['West', 'West Authors']],
    writes: [`${folder}: Permissions+`],
    says: /west\.6 will see the content of For West and Archive/,
  },
  {
    title: 'restricts the folder inside',
    run: async (a) => setFolderPermissions(a.scene.services, await a.folder('For West', 'Archive')),
    picks: [['West Authors']],
    writes: [`${folder}: Permissions+`],
  },
  {
    title: 'hides a folder',
    run: async (a) => hideFolders(a.scene.services, await a.folder('For West', 'Archive')),
    writes: [`${folder}: isHidden`],
  },
  {
    title: 'shows it again',
    run: async (a) => showFolders(a.scene.services, await a.folder('For West', 'Archive')),
    writes: [`${folder}: isHidden`],
    says: /Show Archive/,
  },
  {
    title: 'moves a folder',
    run: async (a) => moveFolder(a.scene.services, await a.folder('For West', 'Archive')),
    picks: ['Flights'],
    writes: [`${folder}: ParentLibrary`],
    says: /Move folder "Archive" to Flights/,
  },
];

const takingAway: readonly TenantStep[] = [
  {
    title: 'removes a member, after a question about rows',
    run: async (a) => removeFromGroup(a.scene.services, await a.member('West', 'west.5')),
    writes: ['Group/RemoveUser'],
    says: /west\.5 will see all rows of airports and flights/,
  },
  {
    title: 'deletes a user',
    run: async (a) => deleteObjects(a.scene.services, await a.row('users', 'west.5')),
    types: ['west.5'],
    writes: ['Contact/DeleteContact:'],
  },
  {
    title: 'deletes a group in use, after a question about folders and rows',
    run: async (a) => deleteObjects(a.scene.services, await a.row('groups', 'West')),
    types: ['West'],
    writes: ['Group/DeleteSecurityGroup:'],
    says: /4 users will see all rows of airports and flights/,
  },
  {
    title: 'deletes the folder and what is in it',
    run: async (a) => deleteObjects(a.scene.services, await a.folder('For West')),
    types: ['For West'],
    writes: ['library/DelFolder'],
    says: /Routes/,
  },
];

/** The tenant is taken in, changed and taken away. */
export const tenantSteps: readonly TenantStep[] = [...takingIn, ...roles, ...changing, ...inLibrary, ...takingAway];
