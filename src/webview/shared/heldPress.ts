/**
 * Holds back what may redraw the page while the mouse is pressed on a button: a button that moves away before the mouse
 * is released gets no click.
 */
export class HeldPress {
  readonly #waiting: (() => void)[] = [];
  #isDown = false;

  constructor() {
    const begin = ({ target, button }: PointerEvent) => {
      this.#isDown = button === 0 && target instanceof Element && target.closest('button') !== null;
    };
    window.addEventListener('pointerdown', begin, { capture: true });
    const end = () => this.#end();
    // A menu may take the release of the mouse.
    for (const name of ['pointerup', 'pointercancel', 'contextmenu'])
      window.addEventListener(name, end, { capture: true });
    // The window itself, not one of its elements: another window takes it.
    window.addEventListener('blur', end);
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
