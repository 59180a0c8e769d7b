/**
 * The text typed into a box, until the document has answered. Shown instead of the document's value, which follows
 * shortly after. Once every edit is answered, the document's value applies, even if an edit was rejected.
 */
export class TypedText {
  readonly #changed: () => void;
  #text: string | undefined;
  #turn = 0;

  /** @param changed called when the displayed text changes. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** The text to show; undefined for the document's value. */
  get text(): string | undefined {
    return this.#text;
  }

  /** @param answered resolves when the edits so far are answered; never rejects. */
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
