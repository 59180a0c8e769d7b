import * as z from 'zod';

/*
 * What `server.js backup`, `restore` and `check` send over the IPC channel to the extension that starts them.
 */

/** Number of objects by kind, such as 'users'. */
const counts = z.record(z.string(), z.number());

const finding = z.object({
  /** `note`: harmless, such as a tag without a use. */
  kind: z.enum(['damage', 'audit', 'relation', 'policy', 'note']),
  /** A sentence without its full stop. */
  text: z.string(),
  /** Whether `check --fix` repairs it. */
  isRepairable: z.boolean(),
});

export const serverCommandMessage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('progress'), copied: z.number(), total: z.number() }),
  z.object({ kind: z.literal('backup'), file: z.string(), moment: z.string(), counts }),
  z.object({
    kind: z.literal('preview'),
    /** When the backup was made; null for a copy without a record. */
    moment: z.string().nullable(),
    /** Objects created or changed since, which a restore loses; null when the current state cannot be read. */
    lost: z.array(z.object({ kind: z.string(), count: z.number(), names: z.array(z.string()) })).nullable(),
    /** Whether the backup is of another server: all objects are lost then. */
    isOther: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal('restored'),
    keptAs: z.string().nullable(),
    /** Names of stored passwords that another key encrypted and that were removed. */
    passwordsToEnter: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('checked'),
    findings: z.array(finding),
    repaired: z.number(),
    keptAs: z.string().nullable(),
  }),
]);

/** Outcome of the last automatic backup: sent to the parent process, and stored as `backups/automatic.json`. */
export const automaticBackupOutcome = z.object({
  /** ISO 8601, UTC. */
  at: z.string(),
  /** Path of the backup; empty if it failed. */
  file: z.string(),
  /** Why it failed; empty if it did not. */
  reason: z.string(),
});

export type AutomaticBackupOutcome = z.output<typeof automaticBackupOutcome>;

export type ServerCommandMessage = z.output<typeof serverCommandMessage>;
