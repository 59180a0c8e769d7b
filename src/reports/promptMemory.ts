import * as z from 'zod';
import type { PromptValue } from '../protocol/promptForm.ts';
import type { PromptShape } from './promptFields.ts';

/** Where values are kept; the editor's global state is one. */
export interface ValueStore {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

export const promptValue = z.object({
  low: z.string(),
  high: z.string(),
  list: z.array(z.string()),
  isSkipped: z.boolean(),
}) satisfies z.ZodType<PromptValue>;

const kept = z.array(z.object({ name: z.string(), mode: z.string(), value: promptValue }));

/** The values last used for a report, kept per connection. They fit again as long as the report asks for the same. */
export class PromptMemory {
  readonly #store: ValueStore;

  constructor(store: ValueStore) {
    this.#store = store;
  }

  /** Values last used, by place; undefined where the prompt was not there or asked for something else. */
  recall(connectionId: string, reportId: string, shapes: readonly PromptShape[]): (PromptValue | undefined)[] {
    const found = kept.safeParse(this.#store.get(keyOf(connectionId, reportId))).data ?? [];
    return shapes.map(({ name, mode, isSkipable }, index) => {
      const isSame = (entry: { name: string; mode: string }) => entry.name === name && entry.mode === mode;
      const inPlace = found[index];
      const entry = inPlace !== undefined && isSame(inPlace) ? inPlace : found.find(isSame);
      if (entry === undefined) return undefined;
      return { ...entry.value, isSkipped: entry.value.isSkipped && isSkipable };
    });
  }

  /** Keeps the values that a report was run with. */
  async keep(
    connectionId: string,
    reportId: string,
    shapes: readonly PromptShape[],
    values: readonly PromptValue[],
  ): Promise<void> {
    const entries = shapes.flatMap(({ name, mode }, index) => {
      const value = values[index];
      return value === undefined ? [] : [{ name, mode, value }];
    });
    await this.#store.update(keyOf(connectionId, reportId), entries);
  }
}

function keyOf(connectionId: string, reportId: string): string {
  return `analytics.prompts.${connectionId}.${reportId}`;
}
