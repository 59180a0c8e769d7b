import type { Prompt } from '../../../contract/resources/report.ts';
import type { PromptChoice } from '../../../contract/pages/promptForm.ts';
import { dateChoices, resolveRelativeDate } from './relativeDates.ts';
import type { PromptShape } from './promptFields.ts';

/** Values that a server lists for a prompt at most, by its sample settings. API description, Limits. */
export const promptValuesLimit = 10_000;
/** A list as long as a multiple of this may have been cut short by a limit that the server's administrator set. */
const roundLength = 500;
/** Values that are shown at once; more are found by typing. */
const shownChoices = 200;

/** One entry of a value list as the server sends it: `key` is the value, `val` what is shown for it. */
export interface FieldValue {
  key?: unknown;
  val?: unknown;
}

/** Values that match what was typed, and what to say about the list. */
export interface FoundChoices {
  choices: PromptChoice[];
  /** How many match in all. */
  matches: number;
  /** How many entries the server listed, empty and equal ones among them. */
  listed: number;
  /** Whether the server's limit cut the list short. */
  isLimited: boolean;
  /** Whether it has a length that another limit would leave, so that it may have been cut short. */
  isRound: boolean;
}

/** A list as it was read: what can be chosen, and how many entries it was made from. */
interface ReadList {
  choices: readonly PromptChoice[];
  entries: number;
}

/** The value lists of one form: each is read from the server once, and searched here. */
export class PromptChoicesSource {
  readonly #read: (prompt: Prompt) => Promise<readonly FieldValue[]>;
  readonly #today: () => Date;
  readonly #lists = new Map<number, Promise<ReadList>>();

  /** @param read asks the server (GetFieldValues). */
  constructor(read: (prompt: Prompt) => Promise<readonly FieldValue[]>, today: () => Date) {
    this.#read = read;
    this.#today = today;
  }

  /**
   * The values of the prompt at `index` whose label or value contains `search`, those that begin with it first.
   * @param shape of the prompt, for which dates are offered as it takes them.
   * @throws {ClientError} when the server does not give them; the next call asks again.
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
