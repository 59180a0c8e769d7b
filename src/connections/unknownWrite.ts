import * as z from 'zod';
import { readChecked } from './checkedRecord.ts';

export const unknownWrite = z.object({
  /** A record of another version counts as unreadable: it may also be a write of unknown outcome. */
  version: z.literal(1).default(1),
  id: z.uuid(),
  connectionId: z.string(),
  /** Name of the server when the write was sent. */
  server: z.string(),
  kind: z.enum(['create', 'change', 'delete']),
  /** The object written, for messages. */
  object: z.string(),
  /** ISO 8601. */
  sentAt: z.iso.datetime(),
  /** Id of the process that sent it. */
  pid: z.int(),
  /** Why its outcome is unknown; empty while it is in progress. */
  reason: z.string(),
});

/** A stored write of unknown outcome. Contains no documents and no secrets. */
export type UnknownWrite = z.infer<typeof unknownWrite>;

/** A record of a write that cannot be read, so that its content is unknown. */
export interface DamagedWrite {
  /** Path of its file. */
  file: string;
  /** When it was last written, ISO 8601; empty if unknown. */
  changedAt: string;
}

/** Parses a stored write; undefined when `text` is invalid: records are written atomically, so it was damaged later. */
export function readUnknownWrite(text: string): UnknownWrite | undefined {
  const read = readChecked(text);
  return read.kind === 'whole' ? unknownWrite.safeParse(read.value).data : undefined;
}
