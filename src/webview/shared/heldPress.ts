/**
 * Holds back what may redraw the page while the mouse is pressed on a button: a button that moves away before the mouse
 * is released gets no click.
 */
export class HeldPress {
  readonly #waiting: (() => void)[] = [];
  #isDown = false;

  constructor() {
    const begin = ({ target }: Event) => {
      this.#isDown = target instanceof Element && target.closest('button') !== null;
    };
    window.addEventListener('pointerdown', begin, { capture: true });
    window.addEventListener('pointerup', () => this.#end(), { capture: true });
    window.addEventListener('pointercancel', () => this.#end(), { capture: true });
    // Released in another window.
    window.addEventListener('blur', () => this.#end());
  }

  /** Calls `work` now, or after the press. */
  run(work: () => void): void {
    if (this.#isDown) this.#waiting.push(work);
    else work();
  }

  #end(): void {
    // The click comes first, in the same task.
    setTimeout(() => {
      this.#isDown = false;
      for (const work of this.#waiting.splice(0)) work();
    });
  }
}
