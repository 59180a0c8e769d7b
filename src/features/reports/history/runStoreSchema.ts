import * as z from 'zod';
import { promptsAsked, promptValue } from '../prompts/promptMemory.ts';
import type { PastRun } from './runHistory.ts';

export const keptRun = z.object({
  target: z.object({ connectionId: z.string(), reportId: z.string(), name: z.string() }),
  server: z.string(),
  user: z.string(),
  values: z.array(promptValue),
  asked: promptsAsked.optional(),
  chips: z.array(z.object({ label: z.string(), text: z.string() })),
  isUnprompted: z.boolean().optional(),
  state: z.enum(['done', 'cancelled', 'failed']),
  startedAt: z.iso.datetime().transform((text) => new Date(text)),
  elapsedMs: z.number(),
  rows: z.number(),
  isCached: z.boolean(),
  isPinned: z.boolean(),
});

/** Parses the runs that an earlier window saved. Skips unreadable entries. */
export function parseRuns(kept: readonly unknown[]): Omit<PastRun, 'id' | 'hasRows'>[] {
  return kept.flatMap((each) => keptRun.safeParse(each).data ?? []);
}
