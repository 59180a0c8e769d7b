import { createHash } from 'node:crypto';
import type { Edit } from 'jsonc-parser';
import type { BuilderEdit } from '../pageContract.ts';

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
  bursts: UndoGroups;
  now: () => Date;
  words: {
    /** Said when the editor takes no change. */
    notTaken(): string;
  };
}

/** Works out the changes of an edit from the text as it stands. */
type MakeEdits = (text: string) => Edit[] | Promise<Edit[]>;

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

/** A pause that ends a burst of typing, in ms. */
export const undoGroupPauseMs = 1500;
/** Bursts that are remembered; older ones are undone a keystroke at a time. */
const remembered = 200;

/** States of a text that typing into one box led through. */
interface Burst {
  box: string;
  start: string;
  /** Between the first state and the last. */
  inside: Set<string>;
  end: string;
  lastAt: number;
}

/**
 * Remembers which states of a text lie inside a burst of typing, so that undo can go on to where a person stopped: each
 * keystroke is a change of the document of its own, but nobody thinks of it as one. States are told apart by their text,
 * whichever way undo, redo or another editor led to them. All builders of a document share one.
 */
export class UndoGroups {
  #bursts: Burst[] = [];
  #travellers = 0;

  /** Whether somebody is on the way through the history of the text, and decides where to stop. */
  get isTravelled(): boolean {
    return this.#travellers > 0;
  }

  /** Called before somebody goes back or forth. @returns what is to be called afterwards. */
  travel(): () => void {
    this.#travellers++;
    return () => void this.#travellers--;
  }

  /** @param box what was typed into, or undefined for a change that was not typed. @param now in ms. */
  changed(box: string | undefined, before: string, after: string, now: number): void {
    const open = this.#bursts.at(-1);
    const [from, to] = [digest(before), digest(after)];
    if (box === undefined || from === to) return;
    if (open && open.box === box && open.end === from && now - open.lastAt <= undoGroupPauseMs) {
      if (open.end !== open.start) open.inside.add(open.end);
      open.end = to;
      open.lastAt = now;
      return;
    }
    this.#bursts.push({ box, start: from, inside: new Set(), end: to, lastAt: now });
    this.#bursts = this.#bursts.slice(-remembered);
  }

  /** Whether a person never stopped at this state of the text. */
  isInside(text: string): boolean {
    const state = digest(text);
    if (this.#bursts.some(({ start, end }) => start === state || end === state)) return false;
    return this.#bursts.some(({ inside }) => inside.has(state));
  }
}

/** The box that an edit was typed into; undefined for one that was chosen or clicked. */
export function typedBox(edit: BuilderEdit): string | undefined {
  switch (edit.kind) {
    case 'setText':
      return `${edit.kind} ${edit.name}`;
    case 'setTopN':
      return edit.kind;
    case 'renameField':
    case 'setFormula':
      return `${edit.kind} ${edit.field}`;
    case 'setCriterion': {
      const part = (['value1', 'value2'] as const).find((name) => edit.change[name] !== undefined);
      return part && `${edit.kind} ${edit.field} ${edit.row} ${part}`;
    }
    case 'setTotal':
      return edit.change.value2 === undefined ? undefined : `${edit.kind} ${edit.total}`;
    case 'setPair':
      return edit.change.target === undefined ? undefined : `${edit.kind} ${edit.link} ${edit.place}`;
    default:
      return undefined;
  }
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('base64');
}
