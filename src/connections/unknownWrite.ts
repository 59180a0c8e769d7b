import * as z from 'zod';

const unknownWrite = z.object({
  id: z.uuid(),
  connectionId: z.string(),
  /** Name of the server at that time. */
  server: z.string(),
  kind: z.enum(['create', 'change', 'delete']),
  /** What is written, for messages. */
  object: z.string(),
  /** ISO 8601. */
  sentAt: z.iso.datetime(),
  /** Process that sent it. */
  pid: z.int(),
  /** Why its outcome is not known; empty while it is under way. */
  reason: z.string(),
});

/** A write whose outcome is not known, as it is kept: no documents, no secrets. */
export type UnknownWrite = z.infer<typeof unknownWrite>;

/** A record of a write that cannot be read, so that nobody knows what it was about. */
export interface DamagedWrite {
  /** Path of its file. */
  file: string;
  /** When it was last written, ISO 8601; empty when that cannot be told. */
  changedAt: string;
}

/** Reads one that was kept; undefined when `text` is none: each is put on the disk whole, so it was damaged since. */
export function readUnknownWrite(text: string): UnknownWrite | undefined {
  try {
    return unknownWrite.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
