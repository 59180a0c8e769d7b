import { auditNotes, licenceNotes, serverNotes, settingsNotes, smtpNotes } from './administrationNotes.ts';
import * as l10n from '../../l10n/l10n.ts';
import type { FieldChoice, FieldNote, FieldNotes } from './fieldNote.ts';
import { dashboardNotes, folderNotes, reportNotes, reportTypeNotes } from './libraryNotes.ts';
import { roles } from '../../contract/roles.ts';

const applicationRoles: readonly FieldChoice[] = roles
  .filter(({ appliesTo }) => appliesTo === 'application')
  .map(({ id, name, description }) => ({ value: id, meaning: name, detail: description }));
const groupRoles: readonly FieldChoice[] = roles
  .filter(({ appliesTo }) => appliesTo === 'group')
  .map(({ id, name, description }) => ({ value: id, meaning: name, detail: description }));

/** Notes on a policy. API description, Shield policy. @l10n */
const policyNotes: FieldNotes = {
  id: 'Identifies the policy on this server.',
  Name: 'Name in lists. Should be unique among policies.',
  Description: 'Purpose of the policy.',
  Constraints:
    'Conditions that every row must meet. Each compares a column with text, a data tag such as /#state#/ or a field of the reader’s profile such as /#login#/. The server defines the fields of an entry.',
  Groups: 'Security groups whose members are restricted.',
  'Groups.GroupId': 'ID of a security group.',
  'Groups.GroupName': 'Name of the group. For information only; the ID is used.',
  Users: 'Users who are restricted individually, regardless of their groups.',
  'Users.ID': 'ID of a user.',
  'Users.LoginName': 'Sign-in name of the user. For information only; the ID is used.',
  'Users.FullName': 'Name of the user. For information only; the ID is used.',
  isActive: 'Only active policies hide rows. An inactive policy restricts no one.',
  CreatedDate: 'When the policy was created.',
  ModifiedDate: 'When the policy was last saved.',
  CreatedBy: 'Who created the policy.',
  ModifiedBy: 'Who saved the policy last.',
};

/** Notes on a data tag. API description, Data tag. @l10n */
const tagNotes: FieldNotes = {
  ID: 'Identifies the tag on this server.',
  Label: 'Name that constraints use: for example, a tag labelled state is /#state#/.',
  SecurityGroups: 'Values for the members of security groups.',
  'SecurityGroups.RightID': 'ID of a security group.',
  'SecurityGroups.Option1': 'Value for the members of this group. Separate several values with commas.',
  Contacts: 'Values for single users.',
  'Contacts.RightID': 'ID of a user.',
  'Contacts.Option1': 'Value for this user. Separate several values with commas.',
  DataTypeEnum: 'Value type, as numbered by the server.',
  isGroup: 'Whether groups may have a value.',
  isUser: 'Whether users may have a value.',
  isActive: 'Whether the tag is in use.',
  DefaultValue:
    'Value for users without one of their own. Without it, they see no row that a policy compares with this tag.',
  TagGroup: 'Heading that the tag is listed under.',
  Index: 'Position in lists.',
  ModifiedDate: 'When the tag was last saved.',
  CreatedDate: 'When the tag was created.',
};

/** Notes on a security group. API description, Security group. @l10n */
const groupNotes: FieldNotes = {
  GroupId: 'Identifies the group on this server.',
  GroupName: 'Name in lists. Should be unique among groups.',
  GroupDescription: 'Purpose of the group.',
  GroupCreated: 'When the group was created.',
  GroupModified: 'When the group was last saved.',
  GroupRoles: 'Roles of the group.',
  GroupStatus: 'State of the group; 0 is normal.',
};

/** UTC−12 to UTC+14, in whole hours. */
const offsets: readonly FieldChoice[] = Array.from({ length: 27 }, (_, index) => ({
  value: index - 12,
  meaning: `UTC${index < 12 ? '−' : '+'}${Math.abs(index - 12)}`,
}));

/** Notes on a user. API description, User. @l10n */
const userNotes: FieldNotes = {
  ID: 'Identifies the user on this server.',
  LoginName: 'Sign-in name of the user.',
  FirstName: 'First name.',
  LastName: 'Last name.',
  EmailAddress: 'Where mail for the user goes.',
  Company: 'Company; constraints use it as /#company#/.',
  Description: 'Note for administrators.',
  Tag1: 'First profile tag; constraints use it as /#tag1#/.',
  Tag2: 'Second profile tag; constraints use it as /#tag2#/.',
  Tag3: 'Third profile tag; constraints use it as /#tag3#/.',
  Tag4: 'Fourth profile tag; constraints use it as /#tag4#/.',
  twofa: 'Second factor at sign-in; none means no second factor.',
  AuthType: 'How the user authenticates; PIN is a password managed by this server.',
  CreateDate: 'When the user was created.',
  ModifyDate: 'When the user was last saved.',
  LoginDate: 'When the user signed in last.',
  lockdate: 'When the user was locked; year 0001 means not locked.',
  isAdmin: 'Can administer users, groups and row security.',
  isSuperAdmin: 'Can administer everything, regardless of applications and groups.',
  isBuilder: 'Holds a Builder seat.',
  isAgent: 'Holds an Agent seat.',
  isArchitect: 'Holds an Architect seat.',
  SecurityGroups: 'Groups that the user is a member of. Use the group commands to add or remove members.',
  'SecurityGroups.GroupId': 'ID of a security group.',
  'SecurityGroups.GroupName': 'Name of the group.',
  'SecurityGroups.GroupRoles': 'Roles within the group.',
  'SecurityGroups.GroupRoles.RoleId': { text: 'Role within the group.', choices: groupRoles },
  UserApplications: 'Applications that the user can use. Each role takes a licence seat.',
  'UserApplications.ApplicationID': 'ID of an application.',
  'UserApplications.ApplicationName': 'Name of the application. For information only; the ID is used.',
  'UserApplications.ApplicationRoleID': {
    text: 'Role on the application; it takes a licence seat.',
    choices: applicationRoles,
  },
  'UserApplications.ApplicationRoleName': 'Name of the role. For information only; the ID is used.',
  'UserApplications.ApplicationRoleType': 'Role type, as numbered by the server.',
  'UserApplications.applicationUserDataSourceID': 'Separate data source for this application; usually empty.',
  Preferences: 'Settings from the web pages; saved unchanged.',
  Language: 'Language of the web pages.',
  timezone: { text: 'UTC offset in hours.', choices: offsets, isOpen: true },
  timezonename: 'Name of the time zone.',
  isFastCache: 'Whether results are cached for this user.',
  FastCacheLimit: 'Cache limit for this user.',
  bforcepasschange: 'Requires a new password at the next sign-in.',
  ComboName: 'Last name, first name.',
  FullName: 'First name, last name.',
};

const notesByKind = new Map<string, FieldNotes>([
  ['policy', policyNotes],
  ['tag', tagNotes],
  ['group', groupNotes],
  ['user', userNotes],
  ['profile', userNotes],
  ['folder', folderNotes],
  ['report', reportNotes],
  ['dashboard', dashboardNotes],
  ['server', serverNotes],
  ['reporttype', reportTypeNotes],
  ['smtp', smtpNotes],
  ['settings', settingsNotes],
  ['audit', auditNotes],
  ['licence', licenceNotes],
]);

/** The localized note on a field of a kind, by its path such as `Groups.GroupId`; undefined if there is none. */
export function noteOf(kind: string, path: string): FieldNote | undefined {
  const notes = notesByKind.get(kind);
  const note = notes && Object.hasOwn(notes, path) ? notes[path] : undefined;
  if (note === undefined) return undefined;
  if (typeof note === 'string') return { text: l10n.listed(note) };
  return { ...note, text: l10n.listed(note.text), ...(note.choices && { choices: note.choices.map(translated) }) };
}

function translated({ value, meaning, detail }: FieldChoice): FieldChoice {
  const words = l10n.listed(meaning);
  return { value, meaning: detail === undefined ? words : `${words} (${l10n.listed(detail)})` };
}

/** Paths of a kind that have a note. */
export function notedPaths(kind: string): string[] {
  return Object.keys(notesByKind.get(kind) ?? {});
}
