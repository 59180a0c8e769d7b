import { expect } from 'vitest';
import { ClientError } from '../../../src/client/clientError.ts';
import type { DataTag } from '../../../src/contract/resources/dataTag.ts';
import type { SeenRequest } from './faultProxy.ts';
import { tally } from './faultTally.ts';
import { isRecord } from '../isRecord.ts';

/** What the client said of a write; `accepted`: the server took it, and what it made of it could not be read. */
export type Claim = 'done' | 'not' | 'unknown' | 'accepted';

/** A write of the client's, and what it said of it. */
export interface Written {
  kind: 'create' | 'change' | 'delete';
  label: string;
  value: string;
  claim: Claim;
}

/** A data tag as the server keeps it. */
export type Tag = DataTag & { Revision?: number };

/** What is known of the writes of one run. */
export interface RunOfWrites {
  written: readonly Written[];
  /** Values set by somebody else, straight on the server. */
  foreign: readonly { label: string; group: string }[];
  /** Everything that went through the proxy. */
  seen: readonly SeenRequest[];
}

/** Holds what the server has of a tag in the end, if anything, against what the client said of its writes. */
export function checkLabel({ written, foreign, seen }: RunOfWrites, label: string, present: Tag | undefined): void {
  const committed = commitsIn(seen).filter(({ tag }) => tag.Label === label);
  tally.commits += committed.length;
  for (const { kind, claim, value } of written.filter((write) => write.label === label)) {
    if (kind === 'delete') {
      if (claim === 'done' || claim === 'accepted') expect(present, `${label} deleted`).toBeUndefined();
      continue;
    }
    const times = committed.filter(({ tag }) => tag.DefaultValue === value).length;
    if (claim === 'done' || claim === 'accepted') expect(times, `${kind} of ${label} said to be done`).toBe(1);
    if (claim === 'not') expect(times, `${kind} of ${label} said to have failed`).toBe(0);
    expect(times, `${kind} of ${label}`).toBeLessThanOrEqual(1);
  }
  const isDeleted = written.some((write) => write.label === label && isMaybeGone(write));
  if (isDeleted || committed.length === 0) return;
  // The last edit of each field, by whoever, is what the server holds.
  const last = committed.reduce((one, other) => (revisionOf(one.tag) > revisionOf(other.tag) ? one : other));
  expect(present?.DefaultValue).toBe(last.tag.DefaultValue);
  const lastForeign = foreign.filter((edit) => edit.label === label).at(-1);
  if (lastForeign) expect(present?.TagGroup, `edit of ${label} by somebody else`).toBe(lastForeign.group);
}

/** The client's saves that the server confirmed, whoever got to know. */
function commitsIn(seen: readonly SeenRequest[]): { entry: SeenRequest; tag: Tag }[] {
  return seen.flatMap((entry) => {
    const { endpoint, answer } = entry;
    if (endpoint !== 'DataTag/SaveDataTag' || answer?.status !== 200) return [];
    const reply: unknown = JSON.parse(answer.text);
    return isRecord(reply) && reply.ErrorCode === 0 ? [{ entry, tag: reply }] : [];
  });
}

/** Whether a deletion may have taken the tag away. */
export function isMaybeGone({ kind, claim }: Written): boolean {
  return kind === 'delete' && claim !== 'not';
}

/** What an outcome of a write claims. */
export function claimOf(outcome: unknown): Claim {
  if (!(outcome instanceof ClientError)) return 'done';
  if (outcome.kind !== 'unknownOutcome') return 'not';
  return /Test Server accepted (?!the sign-in)/.test(outcome.message) ? 'accepted' : 'unknown';
}

function revisionOf({ Revision }: Tag): number {
  return Revision ?? 0;
}
