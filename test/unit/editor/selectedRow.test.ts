import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawingRow, selectedRow } from '../../../src/editor/selectedRow.ts';

interface Row {
  readonly id: string;
}

/** A view as the editor's: its selection leaves out rows that are being read again. */
class View {
  readonly #listeners = new Set<() => void>();
  readonly #known = new Set<Row>();
  #selected: Row[] = [];

  get selection(): Row[] {
    return this.#selected.filter((row) => this.#known.has(row));
  }

  readonly onDidChangeSelection = (listener: () => void) => {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  };

  get listeners(): number {
    return this.#listeners.size;
  }

  /** The editor is told of a click. */
  select(row: Row): void {
    this.#selected = [row];
    for (const listener of [...this.#listeners]) listener();
  }

  forgetRows(): void {
    this.#known.clear();
  }

  /** As the editor: it asks how the row looks, and knows the row a turn of its own later. */
  async draw(row: Row): Promise<void> {
    drawingRow();
    await Promise.resolve();
    this.#known.add(row);
  }
}

const row = { id: 'report' };
const other = { id: 'other' };
let view: View;

const waitFor = (selected: Promise<Row | undefined>) => {
  const state: { row?: Row | undefined; isOver: boolean } = { isOver: false };
  void selected.then((found) => Object.assign(state, { row: found, isOver: true }));
  return state;
};
/** All turns that are due, and no timer. */
const turns = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));

beforeEach(() => {
  // Time stands still: what is found without advancing it was found by an event.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  view = new View();
});
afterEach(() => vi.useRealTimers());

describe('selectedRow', () => {
  it('is the selected row', async () => {
    await view.draw(row);
    view.select(row);
    expect(await selectedRow<Row>(view as never)).toBe(row);
    expect(view.listeners).toBe(0);
  });

  it('is a row that was being read again when it was clicked, once it is drawn', async () => {
    view.select(row);
    const found = waitFor(selectedRow<Row>(view as never));
    await view.draw(other);
    await turns();
    expect(found.isOver).toBe(false);
    await view.draw(row);
    await turns();
    expect(found).toEqual({ row, isOver: true });
    expect(view.listeners).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is a row that the editor tells of after the click', async () => {
    await view.draw(row);
    const found = waitFor(selectedRow<Row>(view as never));
    await turns();
    expect(found.isOver).toBe(false);
    view.select(row);
    await turns();
    expect(found).toEqual({ row, isOver: true });
    expect(view.listeners).toBe(0);
  });

  it('is none when the row does not come back, and looks no more after that', async () => {
    await view.draw(row);
    view.select(row);
    view.forgetRows();
    const found = waitFor(selectedRow<Row>(view as never));
    await vi.advanceTimersByTimeAsync(1_999);
    expect(found.isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(found).toEqual({ row: undefined, isOver: true });
    expect(view.listeners).toBe(0);
  });
});
