import * as vscode from 'vscode';
import type { DatabasePlan, FirstReportType } from './setupJournal.ts';
import { displayText } from '../../editor/displayText.ts';
import type { ReplyOf } from '../../contract/endpoints.ts';
import { databasePlatforms } from '../../objects/notes/administrationNotes.ts';
import { askChoice, askText, back, walkSteps, type StepAnswer } from '../../editor/pickers/inputSteps.ts';
import { showWarningMessage } from '../../editor/messages.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import {
  readFieldTypes,
  readTable,
  readTableNames,
  type TableName,
  fieldLabel,
  proposeFields,
  proposeJoins,
  unjoinedTables,
  withAliases,
  type AliasedTable,
  type ProposedJoin,
} from './proposeReportType.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import type { ReportTypePlace } from '../../objects/kinds/reportTypeId.ts';

/** Answers of the wizard before anything is sent. */
export interface ApplicationDraft {
  name: string;
  description: string;
  /** Without a platform, the application is registered without a database. */
  database: DatabasePlan;
  /** Held in memory for this window only. */
  password: string;
}

type Step = () => Promise<StepAnswer<true>>;

/** Loads the server's time zones on demand. API description, GetTimeZones. */
export type ReadTimeZones = () => Promise<ReplyOf<'RegServers/GetTimeZones'>>;

/** Shared state of the wizard's steps. */
interface Wizard {
  title: string;
  draft: ApplicationDraft;
  /** The steps so far; later ones depend on the platform. */
  steps: Step[];
  timeZones: ReadTimeZones;
}

/** Databases that are a single file on the analytics server's disk, without accounts. */
const filePlatforms: readonly string[] = ['duckdb', 'sqlite'];

/** Creates an empty draft. */
export function applicationDraft(): ApplicationDraft {
  const database = { displayName: '', platform: '', host: '', database: '', owner: '', login: '', timeZone: 0 };
  return { name: '', description: '', database, password: '' };
}

/**
 * Asks for an application and its database.
 * @param title of every step.
 * @param names of the existing applications.
 * @returns false if cancelled.
 */
export function askApplication(
  title: string,
  draft: ApplicationDraft,
  { names, timeZones }: { names: ReadonlySet<string>; timeZones: ReadTimeZones },
): Promise<boolean> {
  const steps: Step[] = [];
  const isTaken = (name: string) =>
    names.has(name) ? vscode.l10n.t('An application with this name already exists.') : undefined;
  steps.push(
    () =>
      ask(title, steps, 1, vscode.l10n.t('Name shown to report authors'), draft.name, {
        accept: (name) => (displayText(name) === '' ? vscode.l10n.t('Enter a name.') : isTaken(name)),
        take: (name) => (draft.name = name),
      }),
    () =>
      ask(title, steps, 2, vscode.l10n.t('Purpose (optional)'), draft.description, {
        take: (description) => (draft.description = description),
      }),
    () => askPlatform({ title, draft, steps, timeZones }, 3),
  );
  return walkSteps(steps);
}

/** Asks again for the address of a database; false if cancelled. */
export function askDatabase(
  title: string,
  draft: ApplicationDraft,
  { timeZones }: { timeZones: ReadTimeZones },
): Promise<boolean> {
  const steps: Step[] = [];
  steps.push(() => askPlatform({ title, draft, steps, timeZones }, 1));
  return walkSteps(steps);
}

/** Asks for the platform, which determines the next steps. */
async function askPlatform(wizard: Wizard, place: number): Promise<StepAnswer<true>> {
  const { title, draft, steps } = wizard;
  const known = databasePlatforms.map(({ value, meaning }) => ({ label: meaning, platform: String(value) }));
  const none = { label: vscode.l10n.t('No database for now'), platform: '' };
  const choices = place === 1 ? known : [...known, none];
  const chosen = await askChoice(`${title}: ${vscode.l10n.t('database')}`, [place, steps.length], choices);
  if (chosen === undefined || chosen === back) return chosen;
  draft.database.platform = chosen.platform;
  steps.splice(place, steps.length, ...addressSteps(wizard, place));
  return true;
}

function addressSteps({ title, draft, steps, timeZones }: Wizard, before: number): Step[] {
  const { database } = draft;
  if (database.platform === '') return [];
  const isFile = filePlatforms.includes(database.platform);
  const required = (value: string) => (value === '' ? vscode.l10n.t('Enter a value.') : undefined);
  const asked: ((place: number) => Promise<StepAnswer<true>>)[] = [
    (place) => {
      const words = isFile
        ? vscode.l10n.t('Path of the database file, as the analytics server sees it')
        : vscode.l10n.t('Name of the database');
      const take = (value: string) => (database.database = value);
      return ask(title, steps, place, words, database.database, { accept: required, take });
    },
    (place) =>
      ask(title, steps, place, vscode.l10n.t("Schema (empty for the account's default)"), database.owner, {
        take: (value) => (database.owner = value),
      }),
  ];
  const askZone = (place: number) => askTimeZone({ title, draft, steps, timeZones }, place);
  if (isFile) {
    database.host = database.login = draft.password = '';
    return [...asked, askZone].map((step, index) => () => step(before + index + 1));
  }
  asked.unshift((place) =>
    ask(title, steps, place, vscode.l10n.t('Host, with :port if it is not the default'), database.host, {
      accept: required,
      take: (value) => (database.host = value),
    }),
  );
  asked.push(
    (place) =>
      ask(title, steps, place, vscode.l10n.t('Database account (optional)'), database.login, {
        take: (value) => (database.login = value),
      }),
    (place) =>
      ask(title, steps, place, vscode.l10n.t('Password of that account (optional)'), '', {
        isPassword: true,
        take: (value) => (draft.password = value),
      }),
    askZone,
  );
  return asked.map((step, index) => () => step(before + index + 1));
}

/** Asks for the time zone of the database's timestamps; UTC is listed first. */
async function askTimeZone({ title, draft, steps, timeZones }: Wizard, place: number): Promise<StepAnswer<true>> {
  const choices = (await timeZones()).flatMap(({ Name, Code, Offset }) =>
    typeof Offset === 'number' ? [{ label: displayText(Name || Code), code: Code ?? '', offset: Offset }] : [],
  );
  choices.sort((a, b) => Number(b.code === 'UTC') - Number(a.code === 'UTC'));
  const question = `${title}: ${vscode.l10n.t('time zone of dates and times in the database')}`;
  const chosen = await askChoice(question, [place, Math.max(place, steps.length)], choices);
  if (chosen === undefined || chosen === back) return chosen;
  draft.database.timeZone = chosen.offset;
  return true;
}

async function ask(
  title: string,
  steps: readonly Step[],
  place: number,
  prompt: string,
  value: string,
  question: { accept?: (value: string) => string | undefined; isPassword?: boolean; take: (value: string) => void },
): Promise<StepAnswer<true>> {
  const { accept, isPassword = false, take } = question;
  const asRead = (text: string) => (isPassword ? text : text.trim());
  const answer = await askText({
    title,
    step: [place, Math.max(place, steps.length)],
    value,
    prompt,
    isPassword,
    accept: async (text) => accept?.(asRead(text)),
  });
  if (typeof answer !== 'string') return answer;
  take(asRead(answer));
  return true;
}

interface TableChoice extends vscode.QuickPickItem {
  table: TableName;
}

interface JoinChoice extends vscode.QuickPickItem {
  /** Columns of the same two tables that form one join. */
  joins: readonly ProposedJoin[];
}

/**
 * Creates a report type from tables of a database: the user picks the tables, the joins and a name. The proposal is
 * shown before anything is saved.
 * @returns undefined if cancelled.
 * @throws {ClientError} if the server cannot describe its tables.
 */
export async function askReportType(
  client: AnalyticsClient,
  place: ReportTypePlace,
  title: string,
  suggestedName: string,
): Promise<FirstReportType | undefined> {
  const names = await readTableNames(client, place);
  if (names.length === 0) throw new Error(vscode.l10n.t('{0} sees no table of the database.', client.target.name));
  const chosen = await pickTables(names, title);
  if (!chosen || chosen.length === 0) return undefined;
  const tables = withAliases(await Promise.all(chosen.map((table) => readTable(client, place.regServerId, table))));
  const joins = tables.length === 1 ? [] : await pickJoins(tables, title);
  if (!joins) return undefined;
  const fields = proposeFields(tables, await readFieldTypes(client));
  const count = fields.filter(({ nodetype }) => nodetype === 'F').length;
  const name = await askText({
    title: vscode.l10n.t('{0}: report type of {1} columns from {2} tables', title, count, tables.length),
    value: suggestedName === '' ? fieldLabel(tables[0]?.name ?? '') : suggestedName,
    placeholder: vscode.l10n.t('Name of the report type'),
    prompt: vscode.l10n.t('Name of the report type. Fields and joins can be changed later in its document.'),
    accept: async (value) => (displayText(value) === '' ? vscode.l10n.t('Enter a name.') : undefined),
  });
  if (name === undefined || name === back) return undefined;
  return {
    name: name.trim(),
    tables: tables.map(({ name: table, owner, alias }) => ({ name: table, owner, alias })),
    joins: [...joins],
    fields,
  };
}

/** Asks for tables; undefined if cancelled. */
export async function pickTables(names: readonly TableName[], title: string): Promise<TableName[] | undefined> {
  const items = names.map((table): TableChoice => {
    return { label: displayText(table.name), description: displayText(table.owner), table };
  });
  const picked = await showQuickPick(items, {
    title: vscode.l10n.t('{0}: tables', title),
    placeHolder: vscode.l10n.t('Tables that reports can use together. The others join to the first one'),
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked?.map(({ table }) => table);
}

/** Shows the joins proposed from key names; the user selects the correct ones. */
async function pickJoins(tables: readonly AliasedTable[], title: string): Promise<ProposedJoin[] | undefined> {
  const proposed = proposeJoins(tables);
  const groups = Map.groupBy(proposed, ({ leftAlias, rightAlias }) => JSON.stringify([leftAlias, rightAlias]));
  const items = [...groups.values()].map((joins): JoinChoice => ({ ...lookOf(joins), picked: true, joins }));
  const lonely = unjoinedTables(tables, proposed);
  const none =
    lonely.length === 0
      ? undefined
      : vscode.l10n.t(
          'No key joins {0}. Add joins to the report type before reports use it.',
          lonely.map(({ alias }) => displayText(alias)).join(', '),
        );
  if (items.length === 0) {
    const goOn = vscode.l10n.t('Continue');
    const answer = await showWarningMessage(none ?? '', { modal: true }, goOn);
    return answer === goOn ? [] : undefined;
  }
  const picked = await showQuickPick(items, {
    title: vscode.l10n.t('{0}: joins proposed from matching keys', title),
    placeHolder: none ?? vscode.l10n.t('Select the joins to keep'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked?.flatMap(({ joins }) => [...joins]);
}

function lookOf(joins: readonly ProposedJoin[]): vscode.QuickPickItem {
  const words = joins.map((join) => {
    const { leftAlias, leftColumn, rightAlias, rightColumn } = join;
    return displayText(`${leftAlias}.${leftColumn} = ${rightAlias}.${rightColumn}`);
  });
  const [first] = joins;
  const description =
    first?.kind === 'left'
      ? vscode.l10n.t('left join: keeps rows of {0} without a match', displayText(first.leftAlias))
      : vscode.l10n.t('inner join: keeps rows with a match on both sides');
  return { label: words.join(` ${vscode.l10n.t('and')} `), description };
}
