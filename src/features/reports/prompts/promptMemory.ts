import * as z from 'zod';
import { StoredState, type StateStore } from '../../../connections/storedState.ts';
import type { PromptValue } from '../../../contract/pages/promptForm.ts';
import type { PromptShape } from './promptFields.ts';

export const promptValue = z.object({
  low: z.string(),
  high: z.string(),
  list: z.array(z.string()),
  isSkipped: z.boolean(),
  relative: z
    .array(z.object({ expression: z.string(), label: z.string(), low: z.string(), high: z.string() }))
    .optional(),
}) satisfies z.ZodType<PromptValue>;

/** @see RequestedValues */
export const promptsAsked = z.array(z.object({ name: z.string(), mode: z.string() }));

export const entries = z.array(z.object({ name: z.string(), mode: z.string(), value: promptValue }));
export const presets = z.array(z.object({ name: z.string(), entries }));

type Entries = z.infer<typeof entries>;
type Presets = z.infer<typeof presets>;

/** The report that values belong to. */
interface PromptOwner {
  connectionId: string;
  reportId: string;
}

/**
 * The last used values of each report and its named presets, per connection. They apply as long as the report has the
 * same prompts.
 */
export class PromptMemory {
  readonly #values: StoredState<Entries>;
  readonly #presets: StoredState<Presets>;

  constructor(store: StateStore) {
    this.#values = new StoredState(store, { version: 1, parse: (value) => entries.safeParse(value).data });
    this.#presets = new StoredState(store, { version: 1, parse: (value) => presets.safeParse(value).data });
  }

  /** Last used values, by prompt index; undefined if the prompt did not exist or asked for something else. */
  recall(connectionId: string, reportId: string, shapes: readonly PromptShape[]): (PromptValue | undefined)[] {
    return fitted(this.#values.get(keyOf(connectionId, reportId)) ?? [], shapes);
  }

  /** Saves the values of a run. */
  async keep(
    connectionId: string,
    reportId: string,
    shapes: readonly PromptShape[],
    values: readonly PromptValue[],
  ): Promise<void> {
    await this.#values.update(keyOf(connectionId, reportId), entriesOf(shapes, values));
  }

  /** Names of a report's presets, in alphabetical order. */
  presetNames(owner: PromptOwner): string[] {
    return this.#presetsOf(owner).map(({ name }) => name);
  }

  /** Values of a preset, by prompt index as in {@link recall}; undefined if the preset does not exist. */
  recallPreset(
    owner: PromptOwner,
    name: string,
    shapes: readonly PromptShape[],
  ): (PromptValue | undefined)[] | undefined {
    const found = this.#presetsOf(owner).find((preset) => preset.name === name);
    return found && fitted(found.entries, shapes);
  }

  /** Saves a preset, replacing one with the same name. */
  async keepPreset(
    owner: PromptOwner,
    name: string,
    shapes: readonly PromptShape[],
    values: readonly PromptValue[],
  ): Promise<void> {
    const others = this.#presetsOf(owner).filter((preset) => preset.name !== name);
    const next = [...others, { name, entries: entriesOf(shapes, values) }];
    await this.#presets.update(
      presetsKeyOf(owner),
      next.toSorted((one, other) => one.name.localeCompare(other.name)),
    );
  }

  async removePreset(owner: PromptOwner, name: string): Promise<void> {
    const others = this.#presetsOf(owner).filter((preset) => preset.name !== name);
    await this.#presets.update(presetsKeyOf(owner), others.length === 0 ? undefined : others);
  }

  #presetsOf(owner: PromptOwner): Presets {
    return this.#presets.get(presetsKeyOf(owner)) ?? [];
  }
}

function entriesOf(shapes: readonly PromptShape[], values: readonly PromptValue[]): Entries {
  return shapes.flatMap(({ name, mode }, index) => {
    const value = values[index];
    return value === undefined ? [] : [{ name, mode, value }];
  });
}

/** The values of `found` that the prompts still ask for, by prompt index. */
function fitted(found: Entries, shapes: readonly PromptShape[]): (PromptValue | undefined)[] {
  const places = placesOfValues(found, shapes);
  return shapes.map(({ isSkipable }, index) => {
    const entry = found[places[index] ?? -1];
    return entry && { ...entry.value, isSkipped: entry.value.isSkipped && isSkipable };
  });
}

function keyOf(connectionId: string, reportId: string): string {
  return `analytics.prompts.${connectionId}.${reportId}`;
}

function presetsKeyOf({ connectionId, reportId }: PromptOwner): string {
  return `analytics.promptPresets.${connectionId}.${reportId}`;
}

/** What a value was entered for: the prompt's name and comparison. */
export interface RequestedValues {
  name: string;
  mode: string;
}

/** What the values of a form with these prompts are entered for, by prompt index. */
export function requestedValues(shapes: readonly PromptShape[]): RequestedValues[] {
  return shapes.map(({ name, mode }) => ({ name, mode }));
}

/**
 * Matches saved values to prompts. Reports change: prompts may be added, removed or reordered. A prompt takes the value
 * at its own index before those of other matching prompts, and each value is used once.
 * @returns for each prompt, the index of its value among those entered for `asked`; undefined if there is none.
 */
export function placesOfValues(
  asked: readonly RequestedValues[],
  shapes: readonly RequestedValues[],
): readonly (number | undefined)[] {
  const isSame = (place: number, { name, mode }: RequestedValues) =>
    asked[place]?.name === name && asked[place].mode === mode;
  const inPlace = shapes.map((shape, index) => (isSame(index, shape) ? index : undefined));
  const taken = new Set(inPlace);
  return shapes.map((shape, index) => {
    if (inPlace[index] !== undefined) return index;
    const place = asked.findIndex((_, at) => !taken.has(at) && isSame(at, shape));
    if (place < 0) return undefined;
    taken.add(place);
    return place;
  });
}
