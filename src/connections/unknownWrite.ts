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

/** Reads one that was kept; undefined when `text` is none. */
export function readUnknownWrite(text: string): UnknownWrite | undefined {
  try {
    return unknownWrite.safeParse(JSON.parse(text)).data;
  } catch {
    // No JSON: its writing was cut short, so what it would have announced never went out.
    return undefined;
  }
}
