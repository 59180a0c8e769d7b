import * as vscode from 'vscode';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../../editor/messages.ts';
import { showQuickPick } from '../../editor/quickInput.ts';
import { ApplicationSetup } from './applicationSetup.ts';
import { canSee, offerRoles, reloadPermissions } from './rolesOnNew.ts';
import { chooseSetup, remainingText, notEnded, stateLabel } from './openSetups.ts';
import { SetupJournalStore, type FirstReportType } from './setupJournal.ts';
import type { AnalyticsClient } from '../../client/client.ts';
import { isClientError } from '../../client/clientError.ts';
import { runWithSignal } from '../../client/http/cancelScope.ts';
import type { Connection } from '../../connections/connection.ts';
import { warnOfDamagedRecords } from '../../editor/damagedRecords.ts';
import { displayText } from '../../editor/displayText.ts';
import { withProgress } from '../../editor/progress.ts';
import { adminServerOf, objectServerOf } from '../../editor/pickers/verifiedServer.ts';
import {
  applicationDraft,
  askApplication,
  askDatabase,
  type ApplicationDraft,
  askReportType,
} from './applicationSteps.ts';
import { attempt } from '../../editor/commandError.ts';
import { askText } from '../../editor/pickers/inputSteps.ts';
import { listObjects } from '../../editor/pickers/objectPicks.ts';
import type { CommandServices } from '../../editor/commands/services.ts';

/** State of one wizard run. */
interface Wizard {
  services: CommandServices;
  connection: Connection;
  client: AnalyticsClient;
  setup: ApplicationSetup;
  draft: ApplicationDraft;
  title: string;
}

/**
 * Creates an application: its name, database, first report type and first report. An interrupted setup can be resumed
 * or abandoned the next time.
 */
export async function newApplication(services: CommandServices, argument?: unknown): Promise<void> {
  const title = vscode.l10n.t('New Application');
  const connection = await adminServerOf(argument, services, title);
  if (!connection) return;
  const journals = new SetupJournalStore(vscode.Uri.joinPath(services.context.globalStorageUri, 'applications').fsPath);
  const { setups, damaged } = await journals.readAll();
  warnOfDamagedRecords(damaged);
  const kept = setups.filter(({ connectionId }) => connectionId === connection.id);
  const what = vscode.l10n.t('Could not create an application on {0}', connection.name);
  const client = await attempt(what, () => connection.client());
  const open = await attempt(what, () => notEnded(client, kept, journals));
  const chosen = open.length === 0 ? 'new' : await chooseSetup(connection, open);
  if (!chosen) return;
  const fullTitle = vscode.l10n.t('{0} on {1}', title, connection.name);
  if (chosen !== 'new') return resume(services, connection, new ApplicationSetup(client, chosen, journals), fullTitle);
  const names = new Set((await attempt(what, () => listObjects(client, 'applications'))).map(({ name }) => name));
  const draft = applicationDraft();
  const timeZones = () => client.call('RegServers/GetTimeZones', {});
  if (!(await attempt(what, () => askApplication(fullTitle, draft, { names, timeZones })))) return;
  draft.database.displayName = draft.name;
  const begun = await attempt(what, async () => {
    const installation = await (await objectServerOf(connection)).installation();
    const { name, description, database } = draft;
    return journals.begin({ connectionId: connection.id, installation, name, description, database });
  });
  const setup = new ApplicationSetup(client, begun, journals);
  await walk({ services, connection, client, setup, draft, title: fullTitle });
}

/** Resumes a setup, or abandons it after asking; objects it already created remain. */
async function resume(
  services: CommandServices,
  connection: Connection,
  setup: ApplicationSetup,
  title: string,
): Promise<void> {
  const { name, database } = setup.kept;
  const goOn = vscode.l10n.t('Continue');
  const giveUp = vscode.l10n.t('Abandon Setup');
  const question = vscode.l10n.t('The setup of "{0}" on {1} is not finished.', name, connection.name);
  const answer = await showInformationMessage(
    question,
    { modal: true, detail: `${stateLabel(setup.kept)}\n\n${remainingText(setup.kept)}` },
    goOn,
    giveUp,
  );
  if (answer === giveUp) await setup.end();
  if (answer !== goOn) return;
  const client = await connection.client();
  const draft = { ...applicationDraft(), name, database: { ...database } };
  await walk({ services, connection, client, setup, draft, title }, true);
}

/** Runs the remaining steps, then creates the first report. */
async function walk(wizard: Wizard, isResumed = false): Promise<void> {
  const { services, connection, setup, draft } = wizard;
  const what = vscode.l10n.t('Could not set up "{0}" on {1}', draft.name, connection.name);
  await attempt(what, async () => {
    if (isResumed) {
      await setup.checkServer();
      if (await askPasswordAgain(wizard)) return;
    }
    if (!(await register(wizard))) return;
    if (draft.database.platform === '') return tellCreated(wizard);
    if (!(await canSee(wizard))) return;
    if (!(await registerDatabase(wizard, isResumed)) || !(await connect(wizard))) return;
    await services.tree.refreshObjects(connection, 'application');
    const reportType = await firstReportType(wizard);
    await services.tree.refreshObjects(connection, 'application');
    if (reportType !== undefined) await newReport(wizard, reportType);
  });
}

/** Registers the application. @returns false if it may already exist and the user does not want another one. */
async function register({ services, connection, setup, draft }: Wizard): Promise<boolean> {
  const create = (isSure: boolean) =>
    progress({ connection, draft }, async (tell) => {
      tell(vscode.l10n.t('registering the application'));
      return setup.createApplication(isSure);
    });
  if (!(await create(false)) && !((await askWhetherGone(connection, draft.name)) && (await create(true)))) return false;
  await services.tree.refreshObjects(connection, 'application');
  return true;
}

/**
 * Asks whether to register an application again if an earlier request got no reply and the application is not visible.
 */
async function askWhetherGone(connection: Connection, name: string): Promise<boolean> {
  const register = vscode.l10n.t('Register Now');
  const reload = vscode.l10n.t('Reload My Permissions');
  const words = vscode.l10n.t('You do not see "{0}" on {1}, but it may be registered.', name, connection.name);
  const detail = vscode.l10n.t(
    'The registration was already sent, but the reply was lost. New applications appear only after you have a role in them: edit your user, reload your permissions, then continue. Register it now only if you are sure that it does not exist.',
  );
  const answer = await showWarningMessage(words, { modal: true, detail }, reload, register);
  if (answer === reload) await reloadPermissions(connection);
  return answer === register;
}

/** Registers the database, or asks for a different address if the server refuses it. @returns false if cancelled. */
function registerDatabase(wizard: Wizard, isResumed: boolean): Promise<boolean> {
  const { setup, draft, connection } = wizard;
  const words = vscode.l10n.t('{0} does not register the database of "{1}".', connection.name, draft.name);
  return untilTaken(wizard, words, () =>
    progress(wizard, async (tell) => {
      tell(vscode.l10n.t('registering the database'));
      await setup.registerDatabase(draft.password);
      // The password saved before the interruption may have been wrong.
      if (isResumed && setup.kept.step === 'test' && draft.password !== '') {
        await setup.changeDatabase({ ...draft.database }, draft.password);
      }
    }),
  );
}

/** The password is not stored, so it is requested again if still needed. @returns whether the user cancelled. */
async function askPasswordAgain({ setup, draft, title }: Wizard): Promise<boolean> {
  const { step } = setup.kept;
  if (draft.database.login === '' || step === 'reportType' || step === 'report') return false;
  const answer = await askText({
    title,
    isPassword: true,
    placeholder: vscode.l10n.t('Database password of {0}', draft.database.login),
    prompt: vscode.l10n.t('Passwords are not stored. Enter the password again.'),
    accept: async () => undefined,
  });
  if (typeof answer !== 'string') return true;
  draft.password = answer;
  return false;
}

/** Tests the connection until it succeeds or the user cancels; the address can be corrected between attempts. */
async function connect(wizard: Wizard): Promise<boolean> {
  const { setup, draft, connection } = wizard;
  if (setup.kept.step !== 'test') return true;
  const words = vscode.l10n.t('{0} cannot reach the database of "{1}".', connection.name, draft.name);
  return untilTaken(wizard, words, () =>
    progress(wizard, async (tell) => {
      tell(vscode.l10n.t('connecting to the database'));
      await setup.testConnection(draft.password);
    }),
  );
}

/**
 * Retries `work` until the server accepts the database's address, which the user can correct between attempts.
 * @param words what was refused.
 * @returns false if cancelled.
 */
async function untilTaken(wizard: Wizard, words: string, work: () => Thenable<void>): Promise<boolean> {
  for (;;) {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isClientError(error, 'refused')) throw error;
      if (!(await correctDatabase(wizard, words, error.message))) return false;
    }
  }
}

/** Asks for a different database address and saves it. @returns false if cancelled. */
async function correctDatabase(wizard: Wizard, words: string, cause: string): Promise<boolean> {
  const { setup, draft, client, title } = wizard;
  const correct = vscode.l10n.t('Edit Connection Details…');
  const detail = `${cause}\n\n${vscode.l10n.t('The registered parts are kept. Run the command again to continue.')}`;
  if ((await showErrorMessage(words, { modal: true, detail }, correct)) !== correct) return false;
  const timeZones = () => client.call('RegServers/GetTimeZones', {});
  if (!(await askDatabase(title, draft, { timeZones }))) return false;
  await progress(wizard, async (tell) => {
    tell(vscode.l10n.t('saving the database'));
    await setup.changeDatabase({ ...draft.database }, draft.password);
  });
  return true;
}

/** @returns the name of the saved report type; undefined if cancelled. */
async function firstReportType(wizard: Wizard): Promise<string | undefined> {
  const { setup, client, title, draft } = wizard;
  const saved = await setup.savedReportType();
  if (saved !== undefined) return saved;
  const reportType = (await keptReportType(wizard)) ?? (await askReportType(client, setup.place, title, draft.name));
  if (!reportType) return undefined;
  await setup.chooseReportType(reportType);
  await progress(wizard, async (tell) => {
    tell(vscode.l10n.t('saving the report type'));
    await setup.saveReportType(reportType);
  });
  return reportType.name;
}

/** The report type chosen before an interruption; undefined if there is none or the user wants another one. */
async function keptReportType({ setup, title }: Wizard): Promise<FirstReportType | undefined> {
  const { chosen } = setup.kept;
  if (!chosen) return undefined;
  const tables = chosen.tables.map(({ alias }) => alias).join(', ');
  const save = {
    label: vscode.l10n.t('Save report type "{0}"', displayText(chosen.name)),
    description: displayText(tables),
  };
  const differentTables = { label: vscode.l10n.t('Choose Different Tables…'), description: '' };
  const picked = await showQuickPick([save, differentTables], { title, ignoreFocusOut: true });
  if (!picked) throw new vscode.CancellationError();
  return picked === save ? chosen : undefined;
}

async function newReport({ connection, setup, draft }: Wizard, reportType: string): Promise<void> {
  const words = vscode.l10n.t(
    '"{0}" is ready on {1}. Choose a folder for its first report.',
    draft.name,
    connection.name,
  );
  void offerRoles(connection, setup.kept, words);
  const { moduleId: applicationId, regServerId: serverId } = setup.place;
  const target = { connectionId: connection.id, applicationId, serverId, reportType };
  await vscode.commands.executeCommand('analytics.report.new', target);
}

/** Shows cancellable progress: the setup can be resumed later; `tell` reports the current step. */
function progress<T>(
  { connection, draft }: Pick<Wizard, 'connection' | 'draft'>,
  work: (tell: (message: string) => void) => Promise<T>,
): Promise<T> {
  const title = vscode.l10n.t('Setting up "{0}" on {1}', draft.name, connection.name);
  return withProgress(title, (signal, report) => runWithSignal(signal, () => work((message) => report({ message }))));
}

async function tellCreated(wizard: Wizard): Promise<void> {
  const { connection, setup, draft: created } = wizard;
  await setup.end();
  if (!(await canSee(wizard))) return;
  const words = vscode.l10n.t(
    'Application "{0}" was created on {1}. Next, add a database.',
    created.name,
    connection.name,
  );
  void offerRoles(connection, setup.kept, words);
}
