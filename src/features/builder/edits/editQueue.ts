import type { Edit } from 'jsonc-parser';
import type { UndoBursts } from '../undoBursts.ts';

/** The text that a session edits. */
export interface ReportText {
  /** As it stands now. */
  read(): string;
  /** Makes changes of the text as it stands now. @returns whether they were taken; the text may have changed meanwhile. */
  change(edits: readonly Edit[]): PromiseLike<boolean>;
}

/** What {@link EditQueue} works with. */
export interface EditQueueOptions {
  text: ReportText;
  /** Why the text cannot be read now; empty when it can. */
  problem: () => string;
  /** What is known of typing into the text, in whichever builder. */
  bursts: UndoBursts;
  now: () => Date;
  words: {
    /** Said when the editor takes no change. */
    notTaken(): string;
  };
}

/** Works out the changes of an edit from the text as it stands. */
export type MakeEdits = (text: string) => Edit[] | Promise<Edit[]>;

/** How often an edit is worked out anew because the text changed while the editor was to take it. */
const attempts = 3;

/** Lets edits of one text wait for each other, so that each sees what the one before it left. */
export class EditQueue {
  readonly #options: EditQueueOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: EditQueueOptions) {
    this.#options = options;
  }

  /**
   * Makes an edit when its turn comes.
   * @param box what was typed into; undefined for what was not typed.
   * @throws {Error} when the text is no report, or cannot be edited.
   */
  edit(make: MakeEdits, box?: string): Promise<void> {
    const { text, words, problem, bursts, now } = this.#options;
    // A person's pauses lie between the keys, not between the changes that a busy editor makes of them.
    const asked = now().getTime();
    return this.after(async () => {
      for (let attempt = 0; attempt < attempts; attempt++) {
        if (problem() !== '') throw new Error(problem());
        const edits = await make(text.read());
        if (edits.length === 0) return;
        const before = text.read();
        if (!(await text.change(edits))) continue;
        bursts.changed(box, before, text.read(), asked);
        return;
      }
      throw new Error(words.notTaken());
    });
  }

  /** Does something to the text once all edits so far are made, and before those that come later. */
  after(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Whether the text stands between two keystrokes of one burst of typing, where undo and redo do not stop. */
  get isInsideTyping(): boolean {
    return this.#options.bursts.isInside(this.#options.text.read());
  }
}
