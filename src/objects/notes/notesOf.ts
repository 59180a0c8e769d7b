import { auditNotes, serverNotes, settingsNotes, smtpNotes } from './administrationNotes.ts';
import { sayListed } from '../../l10n/l10n.ts';
import type { FieldChoice, FieldNote, FieldNotes } from './fieldNote.ts';
import { folderNotes, reportNotes, reportTypeNotes } from './libraryNotes.ts';
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
  Name: 'Name in lists; two policies should not share one.',
  Description: 'What the policy is for.',
  Constraints:
    'Comparisons that every row must pass. Each compares a column with a text, a data tag such as /#state#/ or a field of the reader’s profile such as /#login#/. The server decides which fields an entry has.',
  Groups: 'Security groups whose members are restricted.',
  'Groups.GroupId': 'Id of a security group.',
  'Groups.GroupName': 'Name of the group, for reading; the id decides.',
  Users: 'Users who are restricted by themselves, whatever groups they are in.',
  'Users.ID': 'Id of a user.',
  'Users.LoginName': 'Name the user signs in with, for reading; the id decides.',
  'Users.FullName': 'Name of the user, for reading; the id decides.',
  isActive: 'Only active policies hide rows. An inactive one restricts nobody.',
  CreatedDate: 'When the policy was created.',
  ModifiedDate: 'When the policy was last saved.',
  CreatedBy: 'Who created the policy.',
  ModifiedBy: 'Who saved the policy last.',
};

/** Notes on a data tag. API description, Data tag. @l10n */
const tagNotes: FieldNotes = {
  ID: 'Identifies the tag on this server.',
  Label: 'Name that constraints use: a tag labelled state is written /#state#/.',
  SecurityGroups: 'Values for the members of security groups.',
  'SecurityGroups.RightID': 'Id of a security group.',
  'SecurityGroups.Option1': 'Value for the members of this group; several are separated by commas.',
  Contacts: 'Values for single users.',
  'Contacts.RightID': 'Id of a user.',
  'Contacts.Option1': 'Value for this user; several are separated by commas.',
  DataTypeEnum: 'Kind of value; the server’s own number.',
  isGroup: 'Whether groups may have a value.',
  isUser: 'Whether users may have a value.',
  isActive: 'Whether the tag is in use.',
  DefaultValue: 'Value for whoever has none of their own. Without it, they may see no row of what a policy compares.',
  TagGroup: 'Heading under which the tag is listed.',
  Index: 'Place in lists.',
  ModifiedDate: 'When the tag was last saved.',
  CreatedDate: 'When the tag was created.',
};

/** Notes on a security group. API description, Security group. @l10n */
const groupNotes: FieldNotes = {
  GroupId: 'Identifies the group on this server.',
  GroupName: 'Name in lists; two groups should not share one.',
  GroupDescription: 'What the group is for.',
  GroupCreated: 'When the group was created.',
  GroupModified: 'When the group was last saved.',
  GroupRoles: 'Roles of the group.',
  GroupStatus: 'State of the group; 0 is the usual one.',
};

/** UTC−12 to UTC+14, in whole hours. */
const offsets: readonly FieldChoice[] = Array.from({ length: 27 }, (_, index) => ({
  value: index - 12,
  meaning: `UTC${index < 12 ? '−' : '+'}${Math.abs(index - 12)}`,
}));

/** Notes on a user. API description, User. @l10n */
const userNotes: FieldNotes = {
  ID: 'Identifies the user on this server.',
  LoginName: 'Name the user signs in with.',
  FirstName: 'First name.',
  LastName: 'Last name.',
  EmailAddress: 'Where mail for the user goes.',
  Company: 'Company; constraints compare with it as /#company#/.',
  Description: 'Note for administrators.',
  Tag1: 'First profile tag; constraints compare with it as /#tag1#/.',
  Tag2: 'Second profile tag; constraints compare with it as /#tag2#/.',
  Tag3: 'Third profile tag; constraints compare with it as /#tag3#/.',
  Tag4: 'Fourth profile tag; constraints compare with it as /#tag4#/.',
  twofa: 'Second factor at sign-in; none asks for no other.',
  AuthType: 'How the user proves who it is; PIN is a password kept by this server.',
  CreateDate: 'When the user was created.',
  ModifyDate: 'When the user was last saved.',
  LoginDate: 'When the user signed in last.',
  lockdate: 'Since when the user is locked; year 0001 means not locked.',
  isAdmin: 'May administer users, groups and row security.',
  isSuperAdmin: 'May administer everything, whatever its applications and groups.',
  isBuilder: 'Holds a Builder seat.',
  isAgent: 'Holds an Agent seat.',
  isArchitect: 'Holds an Architect seat.',
  SecurityGroups: 'Groups the user is a member of. Joining and leaving are commands of their own.',
  'SecurityGroups.GroupId': 'Id of a security group.',
  'SecurityGroups.GroupName': 'Name of the group.',
  'SecurityGroups.GroupRoles': 'Roles within the group.',
  'SecurityGroups.GroupRoles.RoleId': { text: 'Role within the group.', choices: groupRoles },
  UserApplications: 'Applications the user may use. Each role takes a licence seat.',
  'UserApplications.ApplicationID': 'Id of an application.',
  'UserApplications.ApplicationName': 'Name of the application, for reading; the id decides.',
  'UserApplications.ApplicationRoleID': {
    text: 'Role on the application; it takes a licence seat.',
    choices: applicationRoles,
  },
  'UserApplications.ApplicationRoleName': 'Name of the role, for reading; the id decides.',
  'UserApplications.ApplicationRoleType': 'Kind of role, as the server numbers it.',
  'UserApplications.applicationUserDataSourceID': 'Data source of its own on this application; usually empty.',
  Preferences: 'Settings the user made in the web pages, kept as they are.',
  Language: 'Language of the web pages.',
  timezone: { text: 'Hours from UTC.', choices: offsets, isOpen: true },
  timezonename: 'Name of the time zone.',
  isFastCache: 'Whether results are kept for this user.',
  FastCacheLimit: 'How much is kept.',
  bforcepasschange: 'Asks for a new password at the next sign-in.',
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
  ['server', serverNotes],
  ['reporttype', reportTypeNotes],
  ['smtp', smtpNotes],
  ['settings', settingsNotes],
  ['audit', auditNotes],
]);

/** The localized note on a field of a kind, by its path such as `Groups.GroupId`; undefined if there is none. */
export function noteOf(kind: string, path: string): FieldNote | undefined {
  const notes = notesByKind.get(kind);
  const note = notes && Object.hasOwn(notes, path) ? notes[path] : undefined;
  if (note === undefined) return undefined;
  if (typeof note === 'string') return { text: sayListed(note) };
  return { ...note, text: sayListed(note.text), ...(note.choices && { choices: note.choices.map(translated) }) };
}

function translated({ value, meaning, detail }: FieldChoice): FieldChoice {
  const words = sayListed(meaning);
  return { value, meaning: detail === undefined ? words : `${words} (${sayListed(detail)})` };
}

/** Paths of a kind that have a note. */
export function notedPaths(kind: string): string[] {
  return Object.keys(notesByKind.get(kind) ?? {});
}
