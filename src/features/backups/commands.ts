import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ServerCommand } from '../../connections/localServer/serverCommand.ts';
import type { ServerCommandMessage } from '../../contract/serverCommands.ts';
import { attempt } from '../../editor/commandError.ts';
import type { CommandServices } from '../../editor/commands/services.ts';
import { displayText } from '../../editor/displayText.ts';
import { showInformationMessage, showWarningMessage } from '../../editor/messages.ts';
import { showOpenDialog, showSaveDialog } from '../../editor/panels.ts';
import { withProgress } from '../../editor/progress.ts';
import { showQuickPick } from '../../editor/quickInput.ts';

type Result<K extends ServerCommandMessage['kind']> = Extract<ServerCommandMessage, { kind: K }>;

/** Backs up the data of the local server into one file, while it runs. */
export async function backUpData(services: CommandServices): Promise<void> {
  const args = await chooseTarget(services);
  if (!args) return;
  const made = await run(services, 'backup', {
    ...{ name: 'backup', args },
    title: vscode.l10n.t('Backing up {0}', localName(services)),
    failure: vscode.l10n.t('Could not back up {0}', localName(services)),
  });
  const message = vscode.l10n.t(
    'Backed up {0} to {1}. The backup holds users, groups, policies, reports, settings and the audit trail. It does not hold the key of stored passwords or the databases that reports read.',
    localName(services),
    made.file,
  );
  await showWithPath(showInformationMessage, [message], made.file);
}

/** Restores the data of the local server from a backup, after showing what would be lost. */
export async function restoreData(services: CommandServices): Promise<void> {
  const file = await chooseBackup(services, vscode.l10n.t('Select a backup to restore'));
  if (file !== undefined) await restoreFrom(services, file);
}

/** Lists the backups of the local server, to restore one of them. */
export async function showBackups(services: CommandServices): Promise<void> {
  const file = await chooseBackup(services, vscode.l10n.t('Backups, newest first'));
  if (file !== undefined) await restoreFrom(services, file);
}

/** Checks the data of the local server for damage, dangling relations and changes of its audit trail. */
export async function checkData(services: CommandServices): Promise<void> {
  const name = localName(services);
  const failure = vscode.l10n.t('Could not check {0}', name);
  const title = vscode.l10n.t('Checking {0}', name);
  const { findings } = await run(services, 'checked', { name: 'check', args: [], title, failure });
  if (findings.length === 0) {
    void showInformationMessage(
      vscode.l10n.t('{0} has no damage, no dangling relations and a whole audit trail.', name),
    );
    return;
  }
  const detail = findings.map(({ text }) => `• ${displayText(text)}`).join('\n');
  const repairable = findings.filter(({ isRepairable }) => isRepairable).length;
  const repair = vscode.l10n.t('Back Up and Repair');
  const question = vscode.l10n.t(
    'Findings in the data of {0}: {1}. Can be repaired: {2}.',
    name,
    findings.length,
    repairable,
  );
  const chosen = await showWarningMessage(question, { modal: true, detail }, ...(repairable > 0 ? [repair] : []));
  if (chosen !== repair) return;
  const done = await run(services, 'checked', { name: 'check', args: ['--fix'], title, failure, isStopping: true });
  const message = vscode.l10n.t('Repaired: {0}. The data before is kept as {1}.', done.repaired, done.keptAs ?? '');
  await showWithPath(showInformationMessage, [message], done.keptAs ?? '');
}

async function restoreFrom(services: CommandServices, file: string): Promise<void> {
  const name = localName(services);
  const failure = vscode.l10n.t('Could not restore {0}', name);
  const title = vscode.l10n.t('Restoring {0}', name);
  const preview = await run(services, 'preview', {
    ...{
      name: 'restore',
      args: ['--from', file],
      title: vscode.l10n.t('Comparing {0} with the backup', name),
      failure,
    },
  });
  const question =
    preview.moment === null
      ? vscode.l10n.t('Replace all data of {0} with this copy? All sessions end.', name)
      : vscode.l10n.t(
          'Replace all data of {0} with the backup of {1}? All sessions end.',
          name,
          momentText(preview.moment),
        );
  const restore = vscode.l10n.t('Restore');
  const kept = preview.lost
    ? vscode.l10n.t('The current data is kept as a backup.')
    : vscode.l10n.t('The current data is kept in a file of its own.');
  const detail = [file, describeLost(preview), kept].join('\n\n');
  if ((await showWarningMessage(question, { modal: true, detail }, restore)) !== restore) return;
  const args = ['--from', file, '--yes'];
  const done = await run(services, 'restored', { name: 'restore', args, title, failure, isStopping: true });
  await services.tree.refresh();
  const restored = vscode.l10n.t('{0} is restored.', name);
  const keptAs = done.keptAs === null ? '' : vscode.l10n.t('The replaced data is kept as {0}.', done.keptAs);
  const copyable = done.keptAs ?? '';
  if (done.passwordsToEnter.length === 0) {
    await showWithPath(showInformationMessage, [restored, keptAs], copyable);
    return;
  }
  const passwords = vscode.l10n.t(
    'These passwords were encrypted with another key. Enter them again: {0}.',
    done.passwordsToEnter.map(displayText).join(', '),
  );
  await showWithPath(showWarningMessage, [restored, passwords, keptAs], copyable);
}

/** Shows sentences with a button that copies the path in them, if any: without a button, the editor shows only one line. */
async function showWithPath(
  show: (message: string, ...buttons: string[]) => Thenable<string | undefined>,
  sentences: readonly string[],
  file: string,
): Promise<void> {
  const copy = vscode.l10n.t('Copy Path');
  const chosen = await show(sentences.filter(Boolean).join(' '), ...(file === '' ? [] : [copy]));
  if (chosen === copy) await vscode.env.clipboard.writeText(file);
}

/** Objects created or changed since the backup, by kind, with their names. */
function describeLost({ lost, isOther }: Result<'preview'>): string {
  if (!lost) return vscode.l10n.t('The current data cannot be read, so what would be lost is not known.');
  if (lost.length === 0) return vscode.l10n.t('No object was created or changed since.');
  const lines = lost.map(({ kind, count, names }) => {
    const shown = names.map((one) => `"${displayText(one)}"`).join(', ');
    return `• ${kindText(kind)} (${count}): ${shown}${count > names.length ? ', …' : ''}`;
  });
  const since = isOther
    ? vscode.l10n.t('The backup is of another server. All objects of this one are lost:')
    : vscode.l10n.t('Created or changed since, and lost:');
  return [since, ...lines].join('\n');
}

function kindText(kind: string): string {
  const texts: Readonly<Record<string, string>> = {
    users: vscode.l10n.t('Users'),
    groups: vscode.l10n.t('Groups'),
    tags: vscode.l10n.t('Data Tags'),
    policies: vscode.l10n.t('Policies'),
    folders: vscode.l10n.t('Folders'),
    reports: vscode.l10n.t('Reports'),
    dashboards: vscode.l10n.t('Dashboards'),
    applications: vscode.l10n.t('Applications'),
    servers: vscode.l10n.t('Database Servers'),
  };
  return texts[kind] ?? displayText(kind);
}

/** Arguments for the backup's file; undefined when the user cancelled. */
async function chooseTarget(services: CommandServices): Promise<string[] | undefined> {
  const own = { label: vscode.l10n.t('Folder of the Backups'), isOwn: true };
  const other = { label: vscode.l10n.t('Choose File…'), isOwn: false };
  const placeHolder = vscode.l10n.t('Select where to save the backup of {0}', localName(services));
  const chosen = await showQuickPick([own, other], { placeHolder });
  if (!chosen) return undefined;
  if (chosen.isOwn) return [];
  const target = await showSaveDialog({ title: placeHolder, filters: { [vscode.l10n.t('Backup')]: ['db'] } });
  return target && ['--to', target.fsPath];
}

/** Path of one of the local server's backups, or of another file; undefined when the user cancelled. */
async function chooseBackup(services: CommandServices, placeHolder: string): Promise<string | undefined> {
  const folder = path.join(await requireData(services), 'backups');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.db'));
  const files = await Promise.all(names.map(async (name) => ({ name, ...(await written(path.join(folder, name))) })));
  const rows = files
    .toSorted((one, other) => other.at - one.at)
    .map(({ name, at, size }) => ({
      label: name,
      description: `${momentText(new Date(at).toISOString())}, ${(size / 1e6).toFixed(1)} MB`,
      file: path.join(folder, name),
    }));
  const other = { label: vscode.l10n.t('Choose File…'), file: undefined };
  const chosen = await showQuickPick([...rows, other], { placeHolder, matchOnDescription: true });
  if (!chosen || chosen.file !== undefined) return chosen?.file;
  const [opened] = (await showOpenDialog({ title: placeHolder, canSelectMany: false })) ?? [];
  return opened?.fsPath;
}

async function written(file: string): Promise<{ at: number; size: number }> {
  const { mtimeMs, size } = await stat(file);
  return { at: mtimeMs, size };
}

function momentText(moment: string): string {
  return new Date(moment).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}

function localName({ connections }: CommandServices): string {
  return connections.local?.name ?? vscode.l10n.t('Local Server');
}

/** The data folder. @throws {Error} when the local server was never started. */
async function requireData({ localServer }: CommandServices): Promise<string> {
  const folder = await localServer.dataFolder();
  if (folder === undefined) throw new Error(vscode.l10n.t('The local server has no data yet. Start it first.'));
  return folder;
}

/** A command with what is shown about it. */
interface ShownCommand extends Pick<ServerCommand, 'name' | 'args'> {
  title: string;
  /** What could not be done. */
  failure: string;
  /** Whether the server must be stopped first. */
  isStopping?: boolean;
}

/** For commands that replace data: cancelled halfway, they would end without a result although the data was replaced. */
const uncancelled = new AbortController().signal;

/** Runs a command with progress; its result must be of this kind. @throws {CommandError} */
function run<K extends ServerCommandMessage['kind']>(
  services: CommandServices,
  kind: K,
  { title, failure, isStopping, ...command }: ShownCommand,
): Promise<Result<K>> {
  return attempt(failure, async () => {
    await requireData(services);
    const result = await withProgress(title, async (signal, report) => {
      if (isStopping) await services.localServer.stop();
      signal.throwIfAborted();
      let shown = 0;
      const onProgress = (done: number) => {
        const percent = Math.floor(done * 100);
        if (percent > shown) report({ increment: percent - shown });
        shown = percent;
      };
      return services.localServer.runCommand({ ...command, signal: isStopping ? uncancelled : signal, onProgress });
    });
    if (result.kind !== kind) throw new Error(`server.js ${command.name}: ${result.kind}`);
    return result as Result<K>;
  });
}
