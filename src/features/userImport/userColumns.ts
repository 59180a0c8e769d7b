import { csvFormat } from '../../editor/csv.ts';

/** What a column of a user file contains. */
export type Column =
  | 'login'
  | 'first'
  | 'last'
  | 'email'
  | 'company'
  | 'description'
  | 'tag1'
  | 'tag2'
  | 'tag3'
  | 'tag4'
  | 'groups'
  | 'application'
  | 'role'
  | 'password';

/** Column names without blanks, dashes and case, in English and German. */
const columnNames = new Map<string, Column>(
  Object.entries({
    login: 'login',
    loginname: 'login',
    user: 'login',
    username: 'login',
    first: 'first',
    firstname: 'first',
    givenname: 'first',
    last: 'last',
    lastname: 'last',
    surname: 'last',
    email: 'email',
    emailaddress: 'email',
    mail: 'email',
    company: 'company',
    organisation: 'company',
    organization: 'company',
    description: 'description',
    tag1: 'tag1',
    tag2: 'tag2',
    tag3: 'tag3',
    tag4: 'tag4',
    group: 'groups',
    groups: 'groups',
    application: 'application',
    app: 'application',
    role: 'role',
    applicationrole: 'role',
    password: 'password',
    pin: 'password',
    anmeldename: 'login',
    benutzer: 'login',
    benutzername: 'login',
    vorname: 'first',
    nachname: 'last',
    emailadresse: 'email',
    firma: 'company',
    beschreibung: 'description',
    gruppe: 'groups',
    gruppen: 'groups',
    anwendung: 'application',
    rolle: 'role',
    anwendungsrolle: 'role',
    kennwort: 'password',
    passwort: 'password',
  } as const),
);

/** The header of a file that can be imported. */
export const userCsvHeader =
  'LoginName,FirstName,LastName,EmailAddress,Company,Description,Tag1,Tag2,Tag3,Tag4,Groups,Application,Role,Password';

/** The column with a title, in any case and with blanks or dashes; undefined if unknown. */
export function columnOf(title: string): Column | undefined {
  return columnNames.get(title.toLowerCase().replace(/[\s_-]/g, ''));
}

/** Whether a record before the header is a comment. */
export function isComment(values: readonly string[]): boolean {
  return values[0]?.startsWith('#') === true;
}

/**
 * A file to fill in: comments, each a line, and the header.
 * @param comments without line breaks.
 */
export function userCsvTemplate(comments: readonly string[]): string {
  const lines = comments.map((comment) => csvFormat.text(`# ${comment}`));
  return [...lines, userCsvHeader, ''].join(csvFormat.rowEnd);
}
