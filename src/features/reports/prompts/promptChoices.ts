import type { Prompt } from '../../../contract/resources/report.ts';
import type { PromptChoice } from '../../../contract/pages/promptForm.ts';
import { dateChoices, resolveRelativeDate } from './relativeDates.ts';
import type { PromptShape } from './promptFields.ts';

/** Maximum number of values that a server lists for a prompt, in its sample settings. API description, Limits. */
export const promptValuesLimit = 10_000;
/** A list whose length is a multiple of this may be truncated by a limit that the server's administrator set. */
const roundLength = 500;
/** Maximum number of values shown at a time. Typing finds the others. */
const shownChoices = 200;

/** An entry of a value list as the server sends it: `key` is the value, `val` its label. */
export interface FieldValue {
  key?: unknown;
  val?: unknown;
}

/** Values that match the typed text, and facts about the list. */
export interface FoundChoices {
  choices: PromptChoice[];
  /** Total number of matches. */
  matches: number;
  /** Number of entries from the server, including empty and duplicate ones. */
  listed: number;
  /** Whether the server's limit truncated the list. */
  isLimited: boolean;
  /** Whether the length suggests another limit, so that the list may be truncated. */
  isRound: boolean;
}

/** A parsed list: its choices, and its original number of entries. */
interface ReadList {
  choices: readonly PromptChoice[];
  entries: number;
}

/** The value lists of a form. Each is read from the server once and searched locally. */
export class PromptChoicesSource {
  readonly #read: (prompt: Prompt) => Promise<readonly FieldValue[]>;
  readonly #today: () => string;
  readonly #lists = new Map<number, Promise<ReadList>>();

  /**
   * @param read requests the list from the server (GetFieldValues).
   * @param today in the user's time zone, as `YYYY-MM-DD`.
   */
  constructor(read: (prompt: Prompt) => Promise<readonly FieldValue[]>, today: () => string) {
    this.#read = read;
    this.#today = today;
  }

  /**
   * Finds the values of the prompt at `index` whose label or value contains `search`, prefix matches first.
   * @param shape if given, date choices are adapted to the prompt.
   * @throws {ClientError} if the server does not return them; the next call retries.
   */
  async find(index: number, prompt: Prompt, search: string, shape?: PromptShape): Promise<FoundChoices> {
    const { choices, entries } = await this.#list(index, prompt);
    const isDate = shape?.input === 'date' || shape?.input === 'datetime';
    const list = isDate ? dateChoices(choices, shape) : choices;
    const needle = search.trim().toLowerCase();
    const matching = list.flatMap((choice) => {
      const places = [choice.label, choice.value].map((text) => text.toLowerCase().indexOf(needle));
      const place = Math.min(...places.filter((at) => at >= 0));
      return Number.isFinite(place) ? [{ choice, isStart: place === 0 }] : [];
    });
    const ordered = [...matching.filter(({ isStart }) => isStart), ...matching.filter(({ isStart }) => !isStart)];
    return {
      choices: ordered.slice(0, shownChoices).map(({ choice }) => choice),
      matches: matching.length,
      listed: entries,
      isLimited: entries >= promptValuesLimit,
      isRound: entries > 0 && entries % roundLength === 0,
    };
  }

  #list(index: number, prompt: Prompt): Promise<ReadList> {
    const known = this.#lists.get(index);
    if (known !== undefined) return known;
    const list = this.#read(prompt).then((values) => ({
      choices: this.#choices(values),
      entries: values.length,
    }));
    this.#lists.set(index, list);
    list.catch(() => this.#lists.delete(index));
    return list;
  }

  #choices(values: readonly FieldValue[]): PromptChoice[] {
    const byValue = new Map<string, PromptChoice>();
    for (const { key, val } of values) {
      const value = textOf(key) ?? textOf(val);
      if (value === undefined || byValue.has(value)) continue;
      const label = textOf(val) ?? value;
      const dates = /^\[.*\]$/.test(value) ? resolveRelativeDate(value, this.#today()) : undefined;
      byValue.set(
        value,
        dates === undefined
          ? { value, label }
          : { value, label: label.replace(/^\[|\]$/g, ''), dates, isRelative: true },
      );
    }
    return [...byValue.values()];
  }
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}
