import type { Frame } from 'playwright-core';
import type { Workbench } from './workbench.ts';

/** Counts what a person does by hand in the workbench and in its pages: clicks of either button, Enter and Ctrl+S. */
export class ClickCount {
  readonly #workbench: Workbench;

  constructor(workbench: Workbench) {
    this.#workbench = workbench;
  }

  /** Counts from now on, also in a page that came since. */
  async watch(...frames: readonly Frame[]): Promise<void> {
    for (const place of [this.#workbench.page, ...frames]) await place.evaluate(listen);
  }

  /** What was counted since the last time. Pages that are closed by now are not asked. */
  async take(): Promise<number> {
    const counts = this.#workbench.page.frames().map((frame) => frame.evaluate(taken).catch(() => 0));
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }
}

type Counted = typeof globalThis & { handCount?: number };

/** In the page. */
function listen(): void {
  const place = globalThis as Counted;
  if (place.handCount !== undefined) return;
  place.handCount = 0;
  const count = () => (place.handCount = (place.handCount ?? 0) + 1);
  addEventListener('mousedown', (event) => event.isTrusted && count(), true);
  addEventListener(
    'keydown',
    (event) => {
      const isSave = event.ctrlKey && event.key === 's';
      if (event.isTrusted && (event.key === 'Enter' || isSave)) count();
    },
    true,
  );
}

/** In the page. */
function taken(): number {
  const place = globalThis as Counted;
  const count = place.handCount ?? 0;
  if (place.handCount !== undefined) place.handCount = 0;
  return count;
}
