import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { auditPurpose, SecretBox } from '../catalogue/secretBox.ts';
import { isForeign, storedSecrets } from '../catalogue/storedSecrets.ts';
import { AuditProofs } from '../store/auditProofs.ts';
import { auditSymbols, recordAudit } from '../store/auditTrail.ts';
import {
  asDamage,
  backupFolder,
  DamagedState,
  hasContent,
  readUnchanged,
  removeDatabase,
  syncFile,
  syncFolder,
} from '../store/stateBackup.ts';
import { breakSeal } from '../store/stateSeal.ts';
import { checkState } from '../store/stateVersions.ts';
import {
  type Backup,
  createDraft,
  digestOf,
  finishBackup,
  momentInName,
  readBackup,
  requireFile,
  withDatabase,
} from './backupFile.ts';

/** Objects of one kind that the current state has and a backup does not, or has in another version. */
export interface LostObjects {
  /** Such as 'users'. */
  kind: string;
  count: number;
  /** The first names, as stored. */
  names: string[];
}

/** What restoring a backup would do. */
export interface RestorePreview {
  backup: Backup;
  /** Objects created or changed since; undefined when the current state cannot be read. */
  lost: LostObjects[] | undefined;
  /** Whether the backup is of another installation, which shares no objects with this one. */
  isOther: boolean;
  /** Whether there is a state to replace. */
  hasState: boolean;
}

/** Statements for id, name and version of the objects of a kind. */
const objects: Readonly<Record<string, string>> = {
  users: 'SELECT id, login_name AS name, revision AS version FROM user',
  groups: 'SELECT id, name, revision AS version FROM security_group',
  tags: 'SELECT id, label AS name, revision AS version FROM data_tag',
  policies: 'SELECT id, name, revision AS version FROM policy',
  folders: 'SELECT id, name, revision AS version FROM folder',
  reports: "SELECT id, name, revision AS version FROM item WHERE kind = 'report'",
  dashboards: "SELECT id, name, revision AS version FROM item WHERE kind = 'dashboard'",
  applications: 'SELECT id, name, description AS version FROM application',
  servers: `SELECT id, coalesce(definition ->> '$.DisplayName', '') AS name, revision AS version FROM registered_server`,
};
const namesShown = 10;

/**
 * Compares a backup with the current state, which no process may have open. Changes nothing.
 * @throws Error when the backup cannot be restored.
 */
export function previewRestore(stateFile: string, file: string, requireReadable: RequireReadable): RestorePreview {
  const backup = readBackup(file);
  requireReadable(backup);
  const hasState = hasContent(stateFile);
  const isOther = hasState && isOfAnother(stateFile, file);
  const lost = hasState ? lostSince(stateFile, isOther ? undefined : file) : [];
  return { backup, lost, isOther, hasState };
}

/** Throws when a newer release made the backup. */
export type RequireReadable = (backup: Backup) => void;

/** Whether a backup is of another installation; false if the state cannot be read. */
function isOfAnother(stateFile: string, file: string): boolean {
  const identifier = (of: string) =>
    readUnchanged(of, (database) => database.prepare('SELECT identifier FROM installation').get()?.identifier);
  try {
    return identifier(stateFile) !== identifier(file);
  } catch (error) {
    if (asDamage(stateFile, error) instanceof DamagedState) return false;
    throw error;
  }
}

/** @param file undefined for all objects of the state. */
function lostSince(stateFile: string, file: string | undefined): LostObjects[] | undefined {
  const rows = (database: DatabaseSync, sql: string) => database.prepare(sql).all();
  try {
    checkState(stateFile);
    const earlier = (sql: string) => (file === undefined ? [] : readUnchanged(file, (database) => rows(database, sql)));
    return readUnchanged(stateFile, (current) =>
      Object.entries(objects).flatMap(([kind, sql]) => {
        const before = new Map(earlier(sql).map((row) => [row.id, row]));
        const changed = rows(current, sql).filter(
          ({ id, name, version }) => before.get(id)?.version !== version || before.get(id)?.name !== name,
        );
        const names = changed.slice(0, namesShown).map(({ name }) => String(name));
        return changed.length > 0 ? [{ kind, count: changed.length, names }] : [];
      }),
    );
  } catch (error) {
    if (asDamage(stateFile, error) instanceof DamagedState) return undefined;
    throw error;
  }
}

/** The result of a restore. */
export interface Restored {
  /** Where the replaced state is now; undefined when there was none. */
  keptAs: string | undefined;
  /** Objects whose stored password was encrypted with another key and was removed. */
  passwordsToEnter: string[];
}

/** How to restore. */
export interface RestoreOptions {
  stateFile: string;
  /** Path of the backup. */
  file: string;
  /** Key of the stored passwords; undefined keeps them as they are. */
  key: Buffer | undefined;
  release: string;
  now: Date;
  requireReadable: RequireReadable;
}

/**
 * Replaces the state with a backup and ends all sessions. No process may have the state open. The replaced state is
 * kept first. Killed at any point, it leaves the old state or the new one.
 * @throws Error when the backup cannot be restored, or there is no disk space; then the old state is in place.
 */
export function restoreBackup({ stateFile, file, key, release, now, requireReadable }: RestoreOptions): Restored {
  requireFile(file);
  const draft = createDraft(path.join(path.dirname(stateFile), 'state.restored'));
  try {
    // The check comes after the copy: the file could change in between.
    copyFileSync(file, draft);
    if (hasContent(`${file}-wal`)) copyFileSync(`${file}-wal`, `${draft}-wal`);
    const backup = readBackup(draft, file);
    requireReadable(backup);
    const lastEntry = lastAuditEntry(stateFile);
    const passwordsToEnter = withDatabase(draft, (database) => {
      database.exec('DROP TABLE IF EXISTS backup_record; DELETE FROM session');
      if (!key) return [];
      const box = new SecretBox(key);
      const moment = backup.record?.moment ?? 'an unknown moment';
      const replaced = lastEntry === undefined ? '' : ` over one with audit entries up to ${lastEntry}`;
      recordRestore(database, box, { detail: `restored the state of ${moment}${replaced}`, now });
      return removeForeignPasswords(database, box);
    });
    syncFile(draft);
    const keptAs = keepReplaced(stateFile, { release, moment: now });
    replaceState(stateFile, draft);
    return { keptAs, passwordsToEnter };
  } finally {
    removeDatabase(draft);
  }
}

/** Id of the last audit entry of a state; undefined when it cannot be read, or is of an earlier release. */
function lastAuditEntry(stateFile: string): number | undefined {
  if (!hasContent(stateFile)) return undefined;
  try {
    return readUnchanged(stateFile, (database) => {
      const head = isSigned(database) && database.prepare('SELECT entry_id FROM audit_head').get();
      return head ? Number(head.entry_id) : undefined;
    });
  } catch (error) {
    if (asDamage(stateFile, error) instanceof DamagedState) return undefined;
    throw error;
  }
}

/** Whether the audit trail of a state is of a release that signs it. */
function isSigned(database: DatabaseSync): boolean {
  return database.prepare("SELECT 1 FROM pragma_table_info('audit_head') WHERE name = 'proof'").get() !== undefined;
}

/** Leaves a trace of the entries that a restore takes out of the audit trail. */
function recordRestore(database: DatabaseSync, box: SecretBox, { detail, now }: { detail: string; now: Date }): void {
  if (!isSigned(database)) return;
  const state: Parameters<typeof recordAudit>[0] = {
    get: (sql, ...values) => database.prepare(sql).get(...values),
    run: (sql, ...values) => {
      const { changes, lastInsertRowid } = database.prepare(sql).run(...values);
      return { changes: Number(changes), lastId: Number(lastInsertRowid) };
    },
    auditProofs: new AuditProofs(box.derivedKey(auditPurpose)),
  };
  recordAudit(state, { symbol: auditSymbols.change, userId: null, detail }, now);
}

/**
 * Keeps the state as a backup, or, when it is damaged, its files as they are.
 * @returns where; undefined when there is no state.
 */
export function keepReplaced(stateFile: string, made: { release: string; moment: Date }): string | undefined {
  if (!hasContent(stateFile) && !hasContent(`${stateFile}-wal`)) return undefined;
  const target = path.join(backupFolder(stateFile), `replaced-${momentInName(made.moment)}.db`);
  const draft = createDraft(target);
  try {
    checkState(stateFile);
    readUnchanged(stateFile, (database) => {
      const before = digestOf(database);
      database.prepare('VACUUM INTO ?').run(draft);
      if (withDatabase(draft, digestOf) !== before) throw new DamagedState(stateFile, 'is damaged');
    });
    finishBackup(draft, target, made);
    return target;
  } catch (error) {
    if (!(asDamage(stateFile, error) instanceof DamagedState)) throw error;
    return keepDamaged(stateFile, `${target.slice(0, -'.db'.length)}.damaged`);
  } finally {
    removeDatabase(draft);
  }
}

function keepDamaged(stateFile: string, target: string): string {
  for (const end of ['', '-wal']) {
    if (!existsSync(`${stateFile}${end}`)) continue;
    copyFileSync(`${stateFile}${end}`, `${target}${end}`);
    syncFile(`${target}${end}`);
  }
  syncFolder(path.dirname(target));
  return target;
}

/** A journal must not outlive its database: SQLite would apply it to the new one. */
function replaceState(stateFile: string, draft: string): void {
  breakSeal(stateFile);
  if (hasContent(`${stateFile}-wal`)) writeJournalBack(stateFile);
  for (const end of ['-wal', '-shm']) rmSync(`${stateFile}${end}`, { force: true });
  syncFolder(path.dirname(stateFile));
  renameSync(draft, stateFile);
  syncFolder(path.dirname(stateFile));
}

function writeJournalBack(stateFile: string): void {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(stateFile);
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // A damaged state is kept with its journal.
    if (!(asDamage(stateFile, error) instanceof DamagedState)) throw error;
  } finally {
    database?.close();
  }
}

/** Removes passwords that `box` cannot decrypt; returns what they belong to. */
function removeForeignPasswords(database: DatabaseSync, box: SecretBox): string[] {
  const foreign = storedSecrets((sql) => database.prepare(sql).all()).filter((secret) => isForeign(secret, box));
  for (const { removal } of foreign) {
    const [sql, ...values] = removal;
    database.prepare(sql).run(...values);
  }
  return foreign.map(({ owner }) => owner);
}
