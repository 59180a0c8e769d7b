import * as z from 'zod';
import type { Answers, Fields, Place, TenantPerson } from './tenantPerson.ts';

/** A step of the tenant's day. */
export interface TenantStep extends Answers {
  readonly title: string;
  readonly run: (person: TenantPerson) => Promise<unknown>;
  /** The writes, each once: the endpoint, and for whole objects the fields that differ from what was read. */
  readonly writes: readonly string[];
  /** What is said or asked. */
  readonly says?: RegExp;
}

const password = 'a long enough passphrase 1';
const constraintsOf = z.array(z.record(z.string(), z.unknown()));
const constraint = (TableName: string, ColumnName: string) => ({
  ...{ ModuleID: '', TableOwner: '', TableName, ColumnName, Operator: 'in', Value: '/#branch#/' },
  ...{ Value2: '', Logical: 'AND', ColumnType: '' },
});
/** Creates an object in the document that a command opens. */
async function creates(person: TenantPerson, command: string, place: Place, fields: Fields): Promise<void> {
  await person.runs(command, place);
  await person.saves(() => fields);
}
const user = 'Contact/SaveContact';
const policy = 'Shield/SaveShieldPolicy';
const folder = 'library/SaveLibraryFolder';
const tag = 'DataTag/SaveDataTag';

const takingIn: readonly TenantStep[] = [
  {
    title: 'creates the group of the tenant',
    run: (a) => creates(a, 'New Group…', ['groups'], { GroupName: 'West', GroupDescription: 'Tenant in the west' }),
    writes: ['Group/SaveSecurityGroup: GroupDescription GroupName'],
  },
  {
    title: 'creates a second group, for authors',
    run: (a) => creates(a, 'New Group…', ['groups'], { GroupName: 'West Authors' }),
    writes: ['Group/SaveSecurityGroup: GroupName'],
  },
  {
    title: 'creates a folder, whose groups are asked for',
    run: (a) => a.runs('New Folder…', ['library']),
    ...{ types: ['For West'], picks: [['West']] },
    writes: [`${folder}: ParentLibrary Permissions+ fname`],
    says: /Who sees "For West"/,
  },
  {
    title: 'creates a folder inside, which inherits its groups',
    run: (a) => a.runs('New Folder…', ['library', 'For West']),
    ...{ types: ['Archive'], picks: [[]] },
    writes: [`${folder}: ParentLibrary fname`],
  },
  {
    title: 'creates a data tag',
    run: (a) => creates(a, 'New Data Tag…', ['dataTags'], { Label: 'branch', isGroup: true }),
    writes: [`${tag}: Label isGroup`],
  },
  {
    title: "sets the tenant's value on the page of the tag",
    run: (a) => a.values('branch', { groups: { West: 'CO' } }),
    writes: [`${tag}: SecurityGroups+`],
  },
  {
    title: 'begins a policy from the menu of the tag',
    run: (a) => {
      const fields = { Name: 'West rows', Constraints: [constraint('flights', 'origin_state')] };
      return creates(a, 'New Policy…', ['dataTags', 'branch'], fields);
    },
    writes: [`${policy}: Constraints+ Groups Name Users`],
  },
  {
    title: 'assigns the policy to the group',
    run: (a) => a.runs('Assign Policy…', ['policies', 'West rows']),
    picks: [['West']],
    writes: ['Shield/AddGroup'],
  },
  {
    title: 'activates the policy',
    run: (a) => a.runs('Activate Policy', ['policies', 'West rows']),
    writes: [`${policy}: isActive`],
  },
  {
    title: 'saves a template for users',
    run: (a) => a.runs('Save CSV Template of Users…', ['users']),
    writes: [],
    says: /CSV template/,
  },
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
    run: (a) => a.runs('Grant Application Role…', ['users', 'west.6']),
    picks: ['Flight Operations', 'Agent'],
    writes: [`${user}: UserApplications+`],
    says: /seats left/,
  },
  {
    title: 'changes the role',
    run: (a) => a.runs('Change Application Role…', ['users', 'west.6']),
    picks: ['Flight Operations', 'Builder', 'Change Roles'],
    writes: [`${user}: UserApplications+ UserApplications-`],
    says: /Role of west\.6/,
  },
  {
    title: 'adds a user to a group by a drag',
    run: (a) => a.drags(['users', 'west.6'], ['groups', 'West Authors']),
    picks: ['Modify'],
    writes: ['Group/AddUser'],
  },
  {
    title: 'changes the role in a group',
    run: (a) => a.drags(['users', 'west.6'], ['groups', 'West Authors']),
    picks: ['Delete', 'Change Roles'],
    writes: ['Group/AddUser'],
    says: /west\.6 currently has Modify/,
  },
  {
    title: 'grants a role to the members of a group',
    run: (a) => a.runs('Grant Application Role…', ['groups', 'West Authors']),
    picks: ['Flight Operations', 'Architect', 'Change Roles'],
    writes: [`${user}: UserApplications+ UserApplications-`],
  },
  {
    title: 'sees who holds the seats',
    run: async (a) => {
      if (!(await a.seatHolders()).includes('west.6')) throw new Error('Not shown');
    },
    writes: [],
  },
  {
    title: 'revokes the role',
    run: (a) => a.runs('Revoke Application Role…', ['users', 'west.6']),
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

const westRows: Place = ['policies', 'West rows'];
const changing: readonly TenantStep[] = [
  {
    title: 'sets the default of a tag in its document',
    run: (a) => a.edits(['dataTags', 'branch'], () => ({ DefaultValue: 'CO' })),
    writes: [`${tag}: DefaultValue`],
  },
  {
    title: 'edits the description of a policy',
    run: (a) => a.edits(westRows, () => ({ Description: 'Rows of the west' })),
    writes: [`${policy}: Description`],
  },
  {
    title: 'adds a constraint',
    run: (a) =>
      a.edits(westRows, ({ Constraints }) => ({
        Constraints: [...constraintsOf.parse(Constraints), constraint('airports', 'state')],
      })),
    writes: [`${policy}: Constraints+`],
  },
  {
    title: 'joins what a colleague saved meanwhile',
    run: (a) => {
      const equals = ({ Constraints }: Fields) => ({
        Constraints: constraintsOf.parse(Constraints).map((each) => ({ ...each, Operator: '=' })),
      });
      return a.edits(westRows, equals, () => a.colleagueChanges('West rows', { Description: 'Theirs' }));
    },
    // The second is the colleague's.
    writes: [`${policy}: Constraints+ Constraints-`, `${policy}: Description`],
    says: /merged 1 change/,
  },
  {
    title: 'renames the tag in the policy that compares with it',
    run: (a) => a.runs('Rename Data Tag…', ['dataTags', 'branch']),
    types: ['office'],
    writes: [`${tag}: Label`, `${policy}: Constraints+ Constraints-`],
  },
  {
    title: 'assigns the policy to a user',
    run: (a) => a.runs('Assign Policy…', westRows),
    picks: [['west.6']],
    writes: [`${policy}: Users+`],
  },
  {
    title: 'unassigns the user, after a question about rows',
    run: (a) => a.runs('Unassign Policy…', westRows),
    picks: [['west.6']],
    writes: [`${policy}: Users-`],
    says: /west\.6 will see all rows of airports and flights/,
  },
  {
    title: 'deactivates the policy, after a question about rows',
    run: (a) => a.runs('Deactivate Policy', westRows),
    writes: [`${policy}: isActive`],
    says: /5 users will see all rows of airports and flights: west\.1, west\.2, west\.3, west\.4 and west\.5\./,
  },
  {
    title: 'activates it again',
    run: (a) => a.runs('Activate Policy', westRows),
    writes: [`${policy}: isActive`],
  },
  {
    title: 'clones the policy',
    run: (a) => creates(a, 'Clone Policy', westRows, { Name: 'West rows too' }),
    writes: [`${policy}: Constraints+ CreatedBy Description Groups ModifiedBy Name Users isActive`],
  },
  {
    title: 'renames the clone',
    run: (a) => a.runs('Rename Policy…', ['policies', 'West rows too']),
    types: ['Another'],
    writes: [`${policy}: Name`],
  },
  {
    title: 'deletes the clone',
    run: (a) => a.runs('Delete Policy…', ['policies', 'Another']),
    types: ['Another'],
    writes: ['Shield/DeletePolicy:'],
    says: /cannot be undone/,
  },
  {
    title: "edits a user's profile",
    run: (a) => a.edits(['users', 'west.3'], () => ({ Company: 'Western', Tag1: 'W' })),
    writes: [`${user}: Company Tag1`],
  },
  {
    title: 'sets a new password',
    run: (a) => a.runs('Set PIN…', ['users', 'west.3']),
    types: ['another long passphrase 2', 'another long passphrase 2'],
    writes: [`${user}: Pin`],
  },
  {
    title: 'finds no locked user',
    run: (a) => a.runs('Unlock User'),
    writes: [],
    says: /No users are locked/,
  },
];

const inLibrary: readonly TenantStep[] = [
  {
    title: 'moves a report to the tenant',
    run: (a) => a.runs('Move Report to Folder…', ['library', 'Flights', 'Routes']),
    picks: ['For West'],
    writes: ['Report/SaveReport: folderid'],
  },
  {
    title: 'describes the report',
    run: (a) => a.runs('Edit Report Description…', ['library', 'For West', 'Routes']),
    types: ['Of the west'],
    writes: ['Report/UpdateReport: Description'],
  },
  {
    title: 'marks it as a favourite',
    run: (a) => a.runs('Add to Favourites', ['library', 'For West', 'Routes']),
    writes: ['library/FavReport'],
  },
  {
    title: 'opens the folder to the authors, who are named',
    run: (a) => a.runs('Set Folder Permissions…', ['library', 'For West']),
    picks: [['West', 'West Authors']],
    writes: [`${folder}: Permissions+`],
    says: /west\.6 will see the content of For West and Archive/,
  },
  {
    title: 'restricts the folder inside',
    run: (a) => a.runs('Set Folder Permissions…', ['library', 'For West', 'Archive']),
    picks: [['West Authors']],
    writes: [`${folder}: Permissions+`],
  },
  {
    title: 'hides a folder',
    run: (a) => a.runs('Hide Folder', ['library', 'For West', 'Archive']),
    writes: [`${folder}: isHidden`],
  },
  {
    title: 'shows it again',
    run: (a) => a.runs('Show Folder', ['library', 'For West', 'Archive']),
    writes: [`${folder}: isHidden`],
    says: /Show folder "Archive"/,
  },
  {
    title: 'moves a folder',
    run: (a) => a.runs('Move Folder…', ['library', 'For West', 'Archive']),
    picks: ['Flights'],
    writes: [`${folder}: ParentLibrary`],
    says: /Move folder "Archive" to Flights/,
  },
];

const takingAway: readonly TenantStep[] = [
  {
    title: 'removes a member, after a question about rows',
    run: (a) => a.runs('Remove Users from Group…', ['groups', 'West', 'west.5']),
    writes: ['Group/RemoveUser'],
    says: /west\.5 will see all rows of airports and flights/,
  },
  {
    title: 'deletes a user',
    run: (a) => a.runs('Delete User…', ['users', 'west.5']),
    types: ['west.5'],
    writes: ['Contact/DeleteContact:'],
  },
  {
    title: 'deletes a group in use, after a question about folders and rows',
    run: (a) => a.runs('Delete Group…', ['groups', 'West']),
    types: ['West'],
    writes: ['Group/DeleteSecurityGroup:'],
    says: /4 users will see all rows of airports and flights: west\.1, west\.2, west\.3 and west\.4\.[^]*4 users will no longer see the content of For West: west\.1, west\.2, west\.3 and west\.4\./,
  },
  {
    title: 'deletes the folder and what is in it',
    run: (a) => a.runs('Delete Folder…', ['library', 'For West']),
    types: ['For West'],
    writes: ['library/DelFolder'],
    says: /Routes/,
  },
];

/** The tenant is taken in, changed and taken away. */
export const tenantSteps: readonly TenantStep[] = [...takingIn, ...roles, ...changing, ...inLibrary, ...takingAway];
