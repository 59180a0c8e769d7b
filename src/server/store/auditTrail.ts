import { chainStep, entryDigest, proofStep, signedParts, storingProof, unsignedStep } from './auditChain.ts';
import { type AuditProofs, type ChainPart, lostProof } from './auditProofs.ts';
import { numberOf, textOf } from './columns.ts';
import type { RoomSchema } from './migrations.ts';
import type { Store } from './store.ts';

/** Whether a type is recorded (`recorded` is -1 or 0) and for how many days. API description, Events. */
export interface StoredAuditType {
  id: number;
  type: number;
  symbol: string;
  recorded: number;
  retention: number;
  options: string;
}

/** One entry to record: user and action. */
export interface AuditEntry {
  symbol: AuditSymbol;
  userId: string | null;
  detail: string;
}

/** Symbols of the audit types. The last two are extensions of the API description. */
export const auditSymbols = {
  loginSuccess: 'Login Success',
  loginFailure: 'Login Failure',
  reportExecution: 'Report Execution',
  reportSql: 'Report Execution SQL',
  logout: 'Logout',
  change: 'Administration',
} as const;

export type AuditSymbol = (typeof auditSymbols)[keyof typeof auditSymbols];

/** Constant ids of the audit types: every commit looks one up. */
const typeIds: Readonly<Record<AuditSymbol, number>> = {
  [auditSymbols.loginSuccess]: 1,
  [auditSymbols.loginFailure]: 2,
  [auditSymbols.logout]: 3,
  [auditSymbols.change]: 4,
  [auditSymbols.reportExecution]: 7,
  [auditSymbols.reportSql]: 16,
};

/** Tables of the audit types and entries. */
export const auditSchema: RoomSchema = {
  room: 'audit',
  steps: [
    `
    CREATE TABLE audit_type (
      id INTEGER PRIMARY KEY,
      type INTEGER NOT NULL,
      symbol TEXT NOT NULL UNIQUE,
      recorded INTEGER NOT NULL,
      retention INTEGER NOT NULL,
      options TEXT NOT NULL DEFAULT ''
    );
    INSERT INTO audit_type (id, type, symbol, recorded, retention) VALUES
      (1, 0, '${auditSymbols.loginSuccess}', -1, 365),
      (2, 1, '${auditSymbols.loginFailure}', -1, 365),
      (3, 2, '${auditSymbols.logout}', 0, 365),
      (4, 3, '${auditSymbols.change}', -1, 365),
      (7, 6, '${auditSymbols.reportExecution}', -1, 365),
      (16, 15, '${auditSymbols.reportSql}', 0, 365);
    CREATE TABLE audit_entry (
      id INTEGER PRIMARY KEY,
      moment TEXT NOT NULL,
      type_id INTEGER NOT NULL REFERENCES audit_type (id),
      user_id INTEGER,
      detail TEXT NOT NULL
    );
    CREATE INDEX audit_entry_by_moment ON audit_entry (type_id, moment);
    `,
    // Every commit writes entries and had to flush a page of this index, which only the hourly purge read.
    'DROP INDEX audit_entry_by_moment',
    chainStep,
    proofStep,
    unsignedStep,
  ],
};

/** Records an entry in the running transaction if its type is recorded. */
export function recordAudit(
  store: Pick<Store, 'get' | 'run' | 'auditProofs'>,
  { symbol, userId, detail }: AuditEntry,
  now: Date,
): void {
  const typeId = typeIds[symbol];
  const head = store.get(
    `SELECT first_id, max(entry_id, (SELECT coalesce(max(id), 0) FROM audit_entry)) AS last_id, digest, proof FROM audit_head
      WHERE (SELECT recorded FROM audit_type WHERE id = ?) <> 0`,
    typeId,
  );
  if (!head) return;
  const part = { kind: 'end', firstId: numberOf(head, 'first_id') } as const;
  // As SQLite stores text: what is read back must have the same digest.
  const stored = detail.toWellFormed();
  // Behind all entries also where someone moved the end back: otherwise nothing could be saved any more.
  const entry = { id: numberOf(head, 'last_id') + 1, moment: now.toISOString(), typeId, userId, detail: stored };
  const digest = entryDigest(textOf(head, 'digest'), entry);
  const sql = 'INSERT INTO audit_entry (id, moment, type_id, user_id, detail, digest) VALUES (?, ?, ?, ?, ?, ?)';
  store.run(sql, entry.id, entry.moment, typeId, userId, stored, digest);
  const before = { ...part, lastId: entry.id - 1, digest: textOf(head, 'digest'), proof: textOf(head, 'proof') };
  const proof = store.auditProofs?.follow(before, { ...part, lastId: entry.id, digest }) ?? before.proof;
  store.run('UPDATE audit_head SET entry_id = ?, digest = ?, proof = ?', entry.id, digest, proof);
}

/**
 * Signs the audit trail with this key from now on. A trail without a proof is signed only if nothing was recorded since
 * the upgrade to a release that signs it, and one of another key only if `isNew`: otherwise a cut end could be signed.
 */
export function signAuditTrail(store: Store, proofs: AuditProofs, isNew: boolean): void {
  store.auditProofs = proofs;
  store.run(replacingHead, lostProof);
  const parts = signedParts((sql) => store.all(sql)).map((part) => ({ part, judgement: proofs.judge(part) }));
  const isUpgraded =
    parts.some(({ part, judgement }) => part.kind === 'end' && judgement === 'unsigned') && isUnusedSinceUpgrade(store);
  const toSign = parts.filter(
    ({ judgement }) => (isUpgraded && judgement === 'unsigned') || (isNew && judgement === 'foreign'),
  );
  if (toSign.length === 0) return;
  store.transaction(() => {
    for (const { part } of toSign) store.run(storingProof(part), proofs.sign(part));
  });
}

/** Gives a trail whose head was taken out a new one, without which nothing would be recorded; `check` goes on to show it. */
const replacingHead = `
  WITH link (first, last, digest) AS (
    SELECT id, id, digest FROM audit_entry WHERE digest <> ''
    UNION ALL SELECT first_id, last_id, digest FROM audit_removed
  ), newest (id) AS (SELECT coalesce(max(id), 0) FROM audit_entry)
  INSERT INTO audit_head (only, first_id, entry_id, digest, proof)
  SELECT 1, coalesce((SELECT min(first) FROM link), newest.id + 1), coalesce((SELECT max(last) FROM link), newest.id),
    coalesce((SELECT digest FROM link ORDER BY last DESC LIMIT 1), ''), ?
  FROM newest WHERE NOT EXISTS (SELECT 1 FROM audit_head)`;

/** By ids, since the clock may have been set back. */
function isUnusedSinceUpgrade(store: Store): boolean {
  return store.get('SELECT entry_id = unsigned_end AS isUnused FROM audit_head')?.isUnused === 1;
}

/** All audit types, by id. */
export function listAuditTypes(store: Store): StoredAuditType[] {
  return store.all('SELECT id, type, symbol, recorded, retention, options FROM audit_type ORDER BY id').map((row) => ({
    id: numberOf(row, 'id'),
    type: numberOf(row, 'type'),
    symbol: textOf(row, 'symbol'),
    recorded: numberOf(row, 'recorded'),
    retention: numberOf(row, 'retention'),
    options: textOf(row, 'options'),
  }));
}

/** An entry of the audit trail as administrators read it. */
export interface ListedAuditEntry {
  id: number;
  /** ISO 8601, UTC. */
  moment: string;
  symbol: string;
  /** Login name; the id of a deleted user; empty without a user. */
  user: string;
  detail: string;
}

/** The newest entries with an id below `before`. */
export function listAuditEntries(
  store: Store,
  { before, limit }: { before: number; limit: number },
): ListedAuditEntry[] {
  const sql = `
    SELECT entry.id, entry.moment, type.symbol, entry.detail,
      coalesce(user.login_name, entry.user_id || ' (deleted)', '') AS user
    FROM audit_entry AS entry JOIN audit_type AS type ON type.id = entry.type_id
    LEFT JOIN user ON user.id = entry.user_id
    WHERE entry.id < ? ORDER BY entry.id DESC LIMIT ?`;
  return store.all(sql, before, limit).map((row) => ({
    id: numberOf(row, 'id'),
    moment: textOf(row, 'moment'),
    symbol: textOf(row, 'symbol'),
    user: textOf(row, 'user'),
    detail: textOf(row, 'detail'),
  }));
}

/** Changes whether a type is recorded, for how many days, and its options. */
export function updateAuditType(
  store: Store,
  id: number,
  change: Pick<StoredAuditType, 'recorded' | 'retention' | 'options'>,
): void {
  const sql = 'UPDATE audit_type SET recorded = ?, retention = ?, options = ? WHERE id = ?';
  store.run(sql, change.recorded, change.retention, change.options, id);
}

/**
 * Entries checked by one call of {@link forgetOldEntries}: takes some milliseconds, during which no other call runs.
 */
const entriesAtOnce = 5_000;

/**
 * Deletes entries older than their type's retention, checking the next ones after the id `after`.
 * @returns the id to continue after, or undefined when all were checked.
 */
export function forgetOldEntries(store: Store, now: Date, after = 0): number | undefined {
  const newest = 'SELECT max(id) AS newest FROM (SELECT id FROM audit_entry WHERE id > ? ORDER BY id LIMIT ?)';
  const last = store.get(newest, after, entriesAtOnce)?.newest;
  if (typeof last !== 'number') return undefined;
  store.transaction(() => {
    const removed = listAuditTypes(store).flatMap((type) => {
      const oldest = new Date(now.getTime() - type.retention * 86_400_000).toISOString();
      const sql =
        'DELETE FROM audit_entry WHERE id > ? AND id <= ? AND type_id = ? AND moment < ? RETURNING id, digest';
      return store.all(sql, after, last, type.id, oldest);
    });
    noteRemoved(
      store,
      removed.map((row) => ({ id: numberOf(row, 'id'), digest: textOf(row, 'digest') })),
    );
  });
  return last;
}

/** Keeps what the chain needs of deleted entries: one row for each run of adjacent ones. */
function noteRemoved(store: Store, removed: readonly { id: number; digest: string }[]): void {
  const runs: { first: number; last: number; digest: string }[] = [];
  for (const { id, digest } of removed.toSorted((one, other) => one.id - other.id)) {
    const run = runs.at(-1);
    if (run?.last === id - 1) Object.assign(run, { last: id, digest });
    else runs.push({ first: id, last: id, digest });
  }
  for (const run of runs) {
    const before = adjacent(store, 'last_id', run.first - 1);
    const behind = adjacent(store, 'first_id', run.last + 1);
    const merged = {
      kind: 'removed',
      firstId: before?.firstId ?? run.first,
      lastId: behind?.lastId ?? run.last,
      digest: behind?.digest ?? run.digest,
    } as const;
    for (const part of [before, behind]) {
      if (part) store.run('DELETE FROM audit_removed WHERE first_id = ?', part.firstId);
    }
    store.run(
      'INSERT INTO audit_removed (first_id, last_id, digest, proof) VALUES (?, ?, ?, ?)',
      ...[merged.firstId, merged.lastId, merged.digest, store.auditProofs?.sign(merged) ?? ''],
    );
  }
}

/** The run of deleted entries to merge with; undefined when there is none, or it was not recorded with this key. */
function adjacent(store: Store, column: 'first_id' | 'last_id', id: number): ChainPart | undefined {
  const [row] = store.all(`SELECT first_id, last_id, digest, proof FROM audit_removed WHERE ${column} = ?`, id);
  if (!row) return undefined;
  const part: ChainPart = {
    kind: 'removed',
    firstId: numberOf(row, 'first_id'),
    lastId: numberOf(row, 'last_id'),
    digest: textOf(row, 'digest'),
    proof: textOf(row, 'proof'),
  };
  return store.auditProofs && store.auditProofs.judge(part) !== 'valid' ? undefined : part;
}
