import { createHash } from 'node:crypto';
import type { Edit } from 'jsonc-parser';
import type { BuilderEdit } from '../pageContract.ts';

/** The text that a session edits. */
export interface ReportText {
  /** Returns the current text. */
  read(): string;
  /** Applies edits to the current text. @returns whether they were applied; the text may have changed meanwhile. */
  change(edits: readonly Edit[]): PromiseLike<boolean>;
}

/** Options of {@link EditQueue}. */
export interface EditQueueOptions {
  text: ReportText;
  /** Why the text is currently invalid; empty if it is valid. */
  problem: () => string;
  /** Typing bursts in the text, in any builder. */
  bursts: UndoGroups;
  now: () => Date;
  words: {
    /** Shown if VS Code rejects a change. */
    notTaken(): string;
  };
}

/** Computes an edit's changes from the current text. */
type MakeEdits = (text: string) => Edit[] | Promise<Edit[]>;

/** How often to recompute an edit because the text changed before VS Code applied it. */
const attempts = 3;

/** Runs the edits of a text one after the other, so that each is based on the result of the previous one. */
export class EditQueue {
  readonly #options: EditQueueOptions;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: EditQueueOptions) {
    this.#options = options;
  }

  /**
   * Queues an edit.
   * @param box the input box that was typed into; undefined if the edit was not typed.
   * @throws {Error} if the text is not a report or cannot be edited.
   */
  edit(make: MakeEdits, box?: string): Promise<void> {
    const { text, words, problem, bursts, now } = this.#options;
    // A typing pause is the time between keystrokes, not between the changes that a busy VS Code applies.
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

  /** Runs `work` once all pending edits are applied, and before later ones. */
  after(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Whether the text is in a state between two keystrokes of a typing burst, where undo and redo do not stop. */
  get isInsideTyping(): boolean {
    return this.#options.bursts.isInside(this.#options.text.read());
  }
}

/** Pause that ends a typing burst, in ms. */
export const undoGroupPauseMs = 1500;
/** Maximum number of stored bursts. Older ones are undone one keystroke at a time. */
const remembered = 200;

/** The states of a text during typing into one box. */
interface Burst {
  box: string;
  start: string;
  /** States between the first and the last one. */
  inside: Set<string>;
  end: string;
  lastAt: number;
}

/**
 * Stores which states of a text are inside a typing burst, so that undo can continue to where typing stopped: each
 * keystroke is a separate change of the document, which users do not expect. States are identified by their text,
 * whether undo, redo or another editor led to them. Shared by all builders of a document.
 */
export class UndoGroups {
  #bursts: Burst[] = [];
  #travellers = 0;

  /** Whether an undo or redo is running that determines its own end. */
  get isTravelled(): boolean {
    return this.#travellers > 0;
  }

  /** Call before an undo or redo. @returns a function to call afterwards. */
  travel(): () => void {
    this.#travellers++;
    return () => void this.#travellers--;
  }

  /** @param box the input box that was typed into; undefined if the change was not typed. @param now in ms. */
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

  /** Whether typing never stopped at this state of the text. */
  isInside(text: string): boolean {
    const state = digest(text);
    if (this.#bursts.some(({ start, end }) => start === state || end === state)) return false;
    return this.#bursts.some(({ inside }) => inside.has(state));
  }
}

/** The input box of a typed edit; undefined if the edit was chosen or clicked. */
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
