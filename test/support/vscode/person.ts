/** Answers a question with Escape. */
export const dismiss = Symbol('dismiss');

/** The title of a button, the label of a row, labels of several rows, a typed text, or Escape. */
export type Answer = string | readonly string[] | typeof dismiss;

/** An answer, or what happens while the question is shown, before it is answered. */
type Scripted = Answer | (() => Answer);

/** A message, question, list or box as it was shown. */
export interface Shown {
  readonly kind: 'message' | 'list' | 'box' | 'status' | 'progress';
  /** Title, text and smaller text, in that order. */
  readonly text: string;
  /** Titles of buttons, or labels of rows. */
  readonly choices: readonly string[];
}

/** The person at the editor: answers questions as a test scripts them, and remembers what was shown. */
class Person {
  readonly shown: Shown[] = [];
  /** What the status bar said that is waited for. */
  readonly waits: string[] = [];
  /** Cancel of each notification that shows progress now. */
  readonly cancels = new Set<() => void>();
  /** Message in the status bar. */
  status = '';
  /** Text of the clipboard. */
  clipboard = '';
  /** What happens while a list is read, before something in it is chosen. */
  reads: () => Promise<void> = async () => undefined;
  /** What went wrong while something was asked; a command may swallow what is thrown at it. */
  readonly #faults: string[] = [];
  readonly #script: { question: string; answer: Scripted }[] = [];
  /** Answers to questions that are not always asked. */
  readonly #standing: { question: string; answer: Scripted }[] = [];

  /** Answers the next question, which has to contain `question`. */
  answers(question: string, answer: Scripted): this {
    this.#script.push({ question, answer });
    return this;
  }

  /** Answers a question whenever it is asked, which may be never. */
  mayAnswer(question: string, answer: Scripted): this {
    this.#standing.push({ question, answer });
    return this;
  }

  tell(kind: Shown['kind'], text: string, choices: readonly string[] = []): void {
    this.shown.push({ kind, text, choices });
  }

  /** Shows a question. @throws {Error} when the test has no answer to it, or one to another. */
  ask(kind: Shown['kind'], text: string, choices: readonly string[] = []): Answer {
    this.tell(kind, text, choices);
    const next = this.#standing.find(({ question }) => text.includes(question)) ?? this.#script.shift();
    if (!next) return this.#fail(`The test has no answer to "${text}" (${choices.join(', ')}).`);
    if (!text.includes(next.question)) return this.#fail(`"${next.question}" was expected, not "${text}".`);
    const answer = typeof next.answer === 'function' ? next.answer() : next.answer;
    const picked = answer === dismiss || kind === 'box' ? [] : [answer].flat();
    const missing = picked.find((label) => !choices.includes(label));
    if (missing !== undefined) return this.#fail(`"${text}" has no "${missing}", but ${choices.join(', ')}.`);
    return answer;
  }

  /** Texts of the messages, questions, lists and boxes that were shown. */
  texts(kind?: Shown['kind']): string[] {
    return this.shown.filter((shown) => kind === undefined || shown.kind === kind).map(({ text }) => text);
  }

  /** Starts over, for the next test. @throws {Error} when a question had no answer, or an answer no question. */
  leave(): void {
    this.status = '';
    this.reads = async () => undefined;
    const faults = [...this.#faults, ...this.#script.map(({ question }) => `"${question}" was never asked.`)];
    for (const list of [this.shown, this.waits, this.#faults, this.#script, this.#standing]) list.length = 0;
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }

  #fail(fault: string): never {
    this.#faults.push(fault);
    throw new Error(fault);
  }
}

export const person = new Person();
