import { hash } from 'node:crypto';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import type { AuditProofs, ChainPart, Judgement } from './auditProofs.ts';

/** Content of an audit entry, as stored. */
export interface ChainedEntry {
  id: number;
  moment: string;
  typeId: number;
  userId: string | null;
  detail: string;
}

/** SHA-256 of an entry and the digest of the one before, hexadecimal. The first one has no digest before it. */
export function entryDigest(previous: string, { id, moment, typeId, userId, detail }: ChainedEntry): string {
  const text = JSON.stringify([previous, id, moment, typeId, userId, detail]);
  return hash('sha256', text, 'hex');
}

/**
 * Schema step that chains the entries recorded from now on. `audit_head` holds the first chained entry and the last
 * one; `audit_removed` has the digest of the last of each run of entries that were deleted after their retention.
 */
export const chainStep = `
  ALTER TABLE audit_entry ADD COLUMN digest TEXT NOT NULL DEFAULT '';
  CREATE TABLE audit_head (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    first_id INTEGER NOT NULL,
    entry_id INTEGER NOT NULL,
    digest TEXT NOT NULL
  );
  INSERT INTO audit_head SELECT 1, coalesce(max(id), 0) + 1, coalesce(max(id), 0), '' FROM audit_entry;
  CREATE TABLE audit_removed (first_id INTEGER PRIMARY KEY, last_id INTEGER NOT NULL UNIQUE, digest TEXT NOT NULL);
`;

/** Schema step that signs the end of the chain and the runs of deleted entries; see {@link AuditProofs}. */
export const proofStep = `
  ALTER TABLE audit_head ADD COLUMN proof TEXT NOT NULL DEFAULT '';
  ALTER TABLE audit_removed ADD COLUMN proof TEXT NOT NULL DEFAULT '';
`;

/** Schema step that notes the end of a trail that was not signed until this upgrade: only as such it may be signed. */
export const unsignedStep = `
  ALTER TABLE audit_head ADD COLUMN unsigned_end INTEGER;
  UPDATE audit_head SET unsigned_end = entry_id WHERE proof = '';
`;

/** The signed parts of a chain, its end first; `all` returns the rows of a query. */
export function signedParts(all: (sql: string) => Record<string, unknown>[]): ChainPart[] {
  const sql = `SELECT 'end' AS kind, first_id, entry_id AS last_id, digest, proof FROM audit_head
    UNION ALL SELECT 'removed', first_id, last_id, digest, proof FROM audit_removed`;
  return all(sql).map((row) => ({
    kind: row.kind === 'end' ? 'end' : 'removed',
    firstId: Number(row.first_id),
    lastId: Number(row.last_id),
    digest: String(row.digest),
    proof: String(row.proof),
  }));
}

/** Statement that stores the proof of a part. */
export function storingProof({ kind, firstId }: ChainPart): string {
  return kind === 'end'
    ? `UPDATE audit_head SET proof = ? WHERE first_id = ${firstId}`
    : `UPDATE audit_removed SET proof = ? WHERE first_id = ${firstId}`;
}

/** Parts of a chain that were not recorded with this key, by how they were. */
export function unprovedParts(
  database: DatabaseSync,
  proofs: AuditProofs,
): Record<Exclude<Judgement, 'valid'>, ChainPart[]> {
  const parts = signedParts((sql) => database.prepare(sql).all());
  const judged = Map.groupBy(parts, (part) => proofs.judge(part));
  const of = (judgement: Judgement) => judged.get(judgement) ?? [];
  return { foreign: of('foreign'), unsigned: of('unsigned'), forged: of('forged') };
}

/** What is wrong with parts that someone without the key recorded. */
export function forgeries(parts: readonly ChainPart[]): string[] {
  return parts.map(({ kind, firstId, lastId }) =>
    kind === 'end' ? 'its end is not the one that the server recorded' : `${range(firstId, lastId)} taken out`,
  );
}

/** Entries of the chain, and runs of deleted ones, in the order of their ids. */
const links = `
  SELECT id AS first, id AS last, digest, moment, type_id, user_id, detail FROM audit_entry WHERE id >= ?
  UNION ALL SELECT first_id, last_id, digest, NULL, NULL, NULL, NULL FROM audit_removed WHERE last_id >= ?
  ORDER BY first`;

/**
 * Recomputes the chain.
 * @returns what is wrong with it, such as 'entry 12 was changed'; empty when nothing was taken out or changed, except
 * by someone who recomputed all digests that follow.
 */
export function brokenLinks(database: DatabaseSync): string[] {
  const head = database.prepare('SELECT first_id, entry_id, digest FROM audit_head').get();
  if (!head) return ['its head was taken out'];
  const broken: string[] = [];
  const first = Number(head.first_id);
  let next = first;
  let previous = '';
  for (const link of database.prepare(links).iterate(first, first)) {
    const id = Number(link.first);
    const digest = String(link.digest);
    const isNext = id <= next;
    if (!isNext) broken.push(`${range(next, id - 1)} taken out`);
    if (link.moment !== null && isNext && entryDigest(previous, entryOf(link)) !== digest)
      broken.push(`${range(id, id)} changed`);
    previous = digest;
    next = Number(link.last) + 1;
  }
  const last = Number(head.entry_id);
  if (next <= last) broken.push(`${range(next, last)} taken out`);
  else if (next > last + 1 || previous !== head.digest) broken.push('its end does not match its head');
  return broken;
}

function range(first: number, last: number): string {
  return first === last ? `entry ${first} was` : `entries ${first} to ${last} were`;
}

function entryOf({
  first,
  moment,
  type_id: typeId,
  user_id: userId,
  detail,
}: Record<string, SQLOutputValue>): ChainedEntry {
  return {
    id: Number(first),
    moment: String(moment),
    typeId: Number(typeId),
    userId: typeof userId === 'number' ? String(userId) : null,
    detail: String(detail),
  };
}
