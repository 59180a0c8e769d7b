import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createDraft, finishBackup, momentInName, withDatabase, type BackupRecord } from './backups/backupFile.ts';
import type { ServerCommandMessage } from '../contract/serverCommands.ts';
import { examineState, repairState, type Finding } from './backups/examineState.ts';
import { requestCopy } from './backups/control.ts';
import {
  keepReplaced,
  previewRestore,
  restoreBackup,
  type RestorePreview,
  type Restored,
} from './backups/restoreBackup.ts';
import { auditPurpose, SecretBox } from './catalogue/secretBox.ts';
import { claimDataFolder, FolderInUse, keyInFolder, noteState } from './dataFolder.ts';
import { stateSchemas } from './schemas.ts';
import { refuseNewer } from './store/migrations.ts';
import { AuditProofs } from './store/auditProofs.ts';
import type { CopyProgress } from './store/copyDatabase.ts';
import { explainDiskError } from './store/fullDisk.ts';
import { DamagedState, hasContent, readUnchanged, removeDatabase } from './store/stateBackup.ts';
import { breakSeal } from './store/stateSeal.ts';
import { checkState, readVersions } from './store/stateVersions.ts';
import { thisRelease } from './store/store.ts';

/** A command of `server.js` on the data folder, which runs to its end instead of serving. */
export type BackupCommand = 'backup' | 'restore' | 'check';

const backupUsage = `Usage: node server.js backup --data DIR [--to FILE or FOLDER]
       node server.js restore --data DIR --from FILE [--yes]
       node server.js check --data DIR [--fix]
  backup   copies the state into one file, checked, while a server runs on it or not; by default into DIR/backups
  restore  says what would be lost; with --yes, replaces the state by the backup and ends all sessions. Stop the server first
  check    looks for damage, for changes of the audit trail, and for relations to missing objects; with --fix, removes these
           relations after a backup. Exit code 3 when something is wrong`;

const contents =
  'It holds users, groups, tags, policies, folders, reports, applications, settings and the audit trail. It does not ' +
  'hold the key of the stored passwords, nor the databases that reports read.';

/** Runs a command. `key` is that of the stored passwords, when the parent process supplied it. */
export async function runBackupCommand(
  command: BackupCommand,
  args: readonly string[],
  key: Buffer | undefined,
): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      data: { type: 'string' },
      to: { type: 'string' },
      from: { type: 'string' },
      yes: { type: 'boolean', default: false },
      fix: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`${backupUsage}\n`);
    return;
  }
  if (!values.data) throw new Error(`--data is missing.\n${backupUsage}`);
  const dataFolder = path.resolve(values.data);
  if (command === 'backup') return runBackup(dataFolder, values.to);
  try {
    if (command === 'check') return await runCheck(dataFolder, values.fix, knownKey(dataFolder, key));
    if (!values.from) throw new Error(`--from is missing.\n${backupUsage}`);
    return await runRestore(dataFolder, path.resolve(values.from), { isConfirmed: values.yes, key });
  } catch (error) {
    throw explainDiskError(error, [dataFolder]);
  }
}

async function runBackup(dataFolder: string, to: string | undefined): Promise<void> {
  const now = new Date();
  const target = backupTarget(dataFolder, to, now);
  const record = await makeBackup(dataFolder, target, reportProgress);
  await tell({ kind: 'backup', file: target, moment: record.moment, counts: record.counts }, [
    `${target}: the state at ${record.moment}, release ${record.release}, checked.`,
    `${listCounts(record.counts)}. SHA-256 of the content: ${record.digest}`,
    contents,
  ]);
}

function backupTarget(dataFolder: string, to: string | undefined, now: Date): string {
  const name = `backup-${momentInName(now)}.db`;
  const given = to === undefined ? path.join(dataFolder, 'backups', name) : path.resolve(to);
  const target = statSync(given, { throwIfNoEntry: false })?.isDirectory() ? path.join(given, name) : given;
  if (existsSync(target)) throw new Error(`${target} exists. Specify another file with --to.`);
  return target;
}

/**
 * Makes a checked backup of the state in `dataFolder` as the file `target`, through the server that runs on it, if any.
 * @throws Error when there is no state, it is damaged, or there is no disk space; then there is no such file.
 */
export async function makeBackup(dataFolder: string, target: string, onProgress: CopyProgress): Promise<BackupRecord> {
  requireState(dataFolder);
  try {
    return await withDraft(target, async (draft) => {
      await copyState(dataFolder, draft, onProgress);
      requireKnown(dataFolder, draft);
      return finishBackup(draft, target, { release: thisRelease, moment: new Date() });
    });
  } catch (cause) {
    const reason = reasonOf(explainDiskError(cause, [dataFolder, path.dirname(target)]));
    throw new Error(`There is no backup of ${dataFolder}: ${reason}`, { cause });
  }
}

/** Runs `work` with an empty draft of `target`, which is deleted afterwards, also when this process is asked to end. */
async function withDraft<T>(target: string, work: (draft: string) => Promise<T>): Promise<T> {
  const draft = createDraft(target);
  const stop = () => {
    removeDatabase(draft);
    process.exit(1);
  };
  const ends = ['SIGTERM', 'SIGINT', 'disconnect'] as const;
  for (const end of ends) process.once(end, stop);
  try {
    return await work(draft);
  } finally {
    removeDatabase(draft);
    for (const end of ends) process.off(end, stop);
  }
}

/** Reads the current state: the file itself or, while a server runs on it, a copy. */
async function readCurrent<T>(dataFolder: string, read: (stateFile: string) => T): Promise<T> {
  try {
    const folder = claimDataFolder(dataFolder);
    try {
      return read(folder.stateFile);
    } finally {
      folder.release();
    }
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    return withDraft(path.join(dataFolder, 'backups', 'current.db'), async (draft) => {
      await requestCopy(dataFolder, draft, reportProgress);
      return read(draft);
    });
  }
}

async function copyState(dataFolder: string, draft: string, onProgress: CopyProgress): Promise<void> {
  try {
    const folder = claimDataFolder(dataFolder);
    try {
      checkState(folder.stateFile);
      readUnchanged(folder.stateFile, (database) => database.prepare('VACUUM INTO ?').run(draft));
    } finally {
      folder.release();
    }
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    await requestCopy(dataFolder, draft, onProgress);
  }
}

async function runRestore(
  dataFolder: string,
  file: string,
  { isConfirmed, key }: { isConfirmed: boolean; key: Buffer | undefined },
): Promise<void> {
  const stateFile = path.join(dataFolder, 'state.db');
  const requireReadable = ({ versions }: RestorePreview['backup']) =>
    refuseNewer(stateFile, versions, { schemas: stateSchemas, release: thisRelease, upgraded: file });
  if (!isConfirmed) {
    const preview = await readCurrent(dataFolder, (current) => previewRestore(current, file, requireReadable));
    const { backup, lost = null, isOther } = preview;
    await tell({ kind: 'preview', moment: backup.record?.moment ?? null, lost, isOther }, [
      ...describePreview(preview),
      'Nothing was changed. To restore it, run again with --yes.',
    ]);
    return;
  }
  const folder = claimDataFolder(dataFolder);
  try {
    const ownKey = knownKey(folder.path, key);
    const restored = restoreBackup({
      ...{ stateFile: folder.stateFile, file, key: ownKey, release: thisRelease, now: new Date(), requireReadable },
    });
    noteState(folder);
    await tell(
      { kind: 'restored', ...restored, keptAs: restored.keptAs ?? null },
      describeRestored(restored, ownKey !== undefined),
    );
  } finally {
    folder.release();
  }
}

/** The key of the stored passwords; undefined when only an editor knows it. */
function knownKey(dataFolder: string, given: Buffer | undefined): Buffer | undefined {
  return given ?? (existsSync(path.join(dataFolder, 'secret.key')) ? keyInFolder({ path: dataFolder }) : undefined);
}

async function runCheck(dataFolder: string, isFix: boolean, key: Buffer | undefined): Promise<void> {
  const proofs = key && new AuditProofs(new SecretBox(key).derivedKey(auditPurpose));
  const checked = isFix ? fixState(dataFolder, proofs) : await examine(dataFolder, proofs);
  const { findings, repaired, keptAs } = checked;
  const sent = findings.map(({ kind, text, repair }) => ({ kind, text, isRepairable: repair !== undefined }));
  const isWrong = findings.some(({ kind }) => kind !== 'note');
  const repairable = findings.filter(({ repair }) => repair !== undefined).length;
  if (isWrong && repaired < findings.filter(({ kind }) => kind !== 'note').length) process.exitCode = 3;
  await tell({ kind: 'checked', findings: sent, repaired, keptAs: keptAs ?? null }, [
    ...findings.map(({ text }) => `${text}.`),
    isWrong
      ? `Findings: ${findings.length}.`
      : 'Nothing is wrong: pages, relations, policies and the audit trail are whole.',
    ...(keptAs === undefined ? [] : [`Repaired: ${repaired}. The state before is kept as ${keptAs}`]),
    ...(isFix || repairable === 0
      ? []
      : [`To repair ${repairable} of these after a backup, stop the server and run with --fix.`]),
  ]);
}

interface Checked {
  findings: Finding[];
  repaired: number;
  keptAs: string | undefined;
}

async function examine(dataFolder: string, proofs: AuditProofs | undefined): Promise<Checked> {
  requireState(dataFolder);
  const findings = await readCurrent(dataFolder, (stateFile) => {
    checkState(stateFile);
    requireKnown(dataFolder, stateFile);
    return readUnchanged(stateFile, (database) => examineState(database, proofs));
  });
  return { findings, repaired: 0, keptAs: undefined };
}

function fixState(dataFolder: string, proofs: AuditProofs | undefined): Checked {
  requireState(dataFolder);
  const folder = claimDataFolder(dataFolder);
  try {
    checkState(folder.stateFile);
    requireKnown(folder.path, folder.stateFile);
    const findings = readUnchanged(folder.stateFile, (database) => examineState(database, proofs));
    if (findings.every(({ repair }) => repair === undefined)) return { findings, repaired: 0, keptAs: undefined };
    const keptAs = keepReplaced(folder.stateFile, { release: thisRelease, moment: new Date() });
    breakSeal(folder.stateFile);
    return { findings, repaired: withDatabase(folder.stateFile, (state) => repairState(state, findings)), keptAs };
  } finally {
    folder.release();
  }
}

function requireState(dataFolder: string): void {
  if (!hasContent(path.join(dataFolder, 'state.db'))) throw new Error(`${dataFolder} holds no state.`);
}

/** @throws NewerData when a newer release has migrated the state, which `file` holds or copies. */
function requireKnown(dataFolder: string, file: string): void {
  const versions = readVersions(file);
  const known = { schemas: stateSchemas, release: thisRelease };
  if (versions) refuseNewer(path.join(dataFolder, 'state.db'), versions, known);
}

function reportProgress(copied: number, total: number): void {
  process.send?.({ kind: 'progress', copied, total } satisfies ServerCommandMessage);
}

function describePreview({ backup, lost, isOther, hasState }: RestorePreview): string[] {
  const { record, file } = backup;
  const what = record
    ? `${file} holds the state at ${record.moment}, release ${record.release}: ${listCounts(record.counts)}.`
    : `${file} is a copy of a state without a record: its pages are whole, but its content cannot be checked.`;
  if (!hasState) return [what, 'There is no state to replace.'];
  if (!lost) return [what, 'The current state cannot be read: what would be lost is not known.'];
  if (lost.length === 0) return [what, 'No object was created or changed since.'];
  const each = lost.map(({ kind, count, names }) => {
    const more = count > names.length ? `, and ${count - names.length} more` : '';
    return `  ${kind}: ${count} (${names.map((name) => JSON.stringify(name)).join(', ')}${more})`;
  });
  const since = isOther
    ? 'It is a backup of another server, whose key signed its audit trail. Restoring it loses all objects of this one:'
    : 'Created or changed since, and lost by restoring it:';
  return [what, since, ...each];
}

function describeRestored({ keptAs, passwordsToEnter }: Restored, hasKey: boolean): string[] {
  const kept = keptAs === undefined ? [] : [`The replaced state is kept as ${keptAs}`];
  const unknown = 'The key of the stored passwords is not known here: they are kept as they are.';
  const passwords = passwordsToEnter.map((name) => `  ${JSON.stringify(name)}`);
  const toEnter = 'These passwords were encrypted with another key. Enter them again:';
  return [
    'The backup is restored, and all sessions have ended.',
    ...kept,
    ...(hasKey ? [] : [unknown]),
    ...(passwords.length > 0 ? [toEnter, ...passwords] : []),
  ];
}

function listCounts(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ');
}

/** Resolves when the message is sent: the process ends soon after. */
async function tell(message: ServerCommandMessage, lines: readonly string[]): Promise<void> {
  if (process.send) await new Promise((resolve) => process.send?.(message, resolve));
  else process.stdout.write(`${lines.join('\n')}\n`);
}

function reasonOf(cause: unknown): string {
  if (cause instanceof DamagedState) return `the state ${cause.what}.`;
  return cause instanceof Error ? cause.message : String(cause);
}
