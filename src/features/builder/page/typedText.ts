/**
 * What is being typed into one box, until the document has answered: it is shown in place of the document's own value, which
 * follows a moment later. Once every edit is answered the document is right, also where it refused one.
 */
export class TypedText {
  readonly #changed: () => void;
  #text: string | undefined;
  #turn = 0;

  /** @param changed called when something else is to be shown. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** What to show; undefined for what the document says. */
  get text(): string | undefined {
    return this.#text;
  }

  /** @param answered when the edits so far are answered; never rejects. */
  type(text: string, answered: Promise<void>): void {
    const turn = ++this.#turn;
    this.#text = text;
    this.#changed();
    void answered.then(() => {
      if (turn !== this.#turn) return;
      this.#text = undefined;
      this.#changed();
    });
  }
}
