import type { PromptValue } from '../../../contract/pages/promptForm.ts';
import type { PromptSheet } from './promptSheet.ts';
import type { RunOptions, RunTarget } from '../run/runOptions.ts';

/** The values kept under names for the prompts of one report, as the form that `sheet` makes takes them. */
export class RunPresets {
  readonly #memory: RunOptions['memory'];
  readonly #target: RunTarget;
  readonly #sheet: PromptSheet | undefined;

  /** @param sheet the prompts; undefined before they were read, and then nothing fits. */
  constructor(memory: RunOptions['memory'], target: RunTarget, sheet: PromptSheet | undefined) {
    this.#memory = memory;
    this.#target = target;
    this.#sheet = sheet;
  }

  /** Names under which values are kept. */
  get names(): string[] {
    return this.#memory.presetNames(this.#target);
  }

  /** Values kept under a name, with the server's defaults where they no longer fit; null where there are none. */
  choose(name: string): PromptValue[] | null {
    if (this.#sheet === undefined) return null;
    const values = this.#memory.recallPreset(this.#target, name, this.#sheet.shapes);
    return values === undefined ? null : this.#sheet.filled(values);
  }

  /** Keeps values under a name; answers the names there are. */
  async keep(name: string, values: readonly PromptValue[]): Promise<string[]> {
    const sheet = this.#sheet;
    if (sheet !== undefined) {
      await this.#memory.keepPreset(this.#target, name, sheet.shapes, sheet.settled(values));
    }
    return this.names;
  }

  /** Forgets what was kept under a name; answers the names there are. */
  async remove(name: string): Promise<string[]> {
    await this.#memory.removePreset(this.#target, name);
    return this.names;
  }
}
