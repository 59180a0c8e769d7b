import type { ImportContract, ImportSnapshot } from '../pageContract.ts';
import { HostLink } from '../../../webview/shared/hostLink.ts';

/** What the page draws. Replaced whole at every change. */
export interface ImportView extends ImportSnapshot {
  isTroubleOnly: boolean;
  /** Why a request failed; empty otherwise. */
  failure: string;
}

/** The page's side of an import. */
export class ImportModel {
  readonly #link: HostLink<ImportContract>;
  #view: ImportView | undefined;
  #listener: () => void = () => undefined;

  constructor() {
    this.#link = new HostLink<ImportContract>({
      state: (state) => this.#change({ state }),
      rows: (changed) => {
        const rows = [...(this.#view?.rows ?? [])];
        for (const { index, row } of changed) rows[index] = row;
        this.#change({ rows });
      },
    });
  }

  /** What to draw; undefined until the host has answered. */
  get view(): ImportView | undefined {
    return this.#view;
  }

  /** Asks the host for what there is, and calls `listener` at every change. */
  async open(listener: () => void): Promise<void> {
    this.#listener = listener;
    this.#view = { ...(await this.#link.request('ready', null)), isTroubleOnly: false, failure: '' };
    listener();
  }

  /** Asks the host to do something; it shows in the state. */
  ask(name: 'import' | 'stop' | 'undo' | 'saveOutcome'): void {
    this.#link.request(name, null).then(
      () => this.#change({ failure: '' }),
      (error: unknown) => this.#change({ failure: error instanceof Error ? error.message : String(error) }),
    );
  }

  /** Shows only the rows that need a look, or all. */
  toggleTrouble(): void {
    this.#change({ isTroubleOnly: this.#view?.isTroubleOnly !== true });
  }

  #change(change: Partial<ImportView>): void {
    if (this.#view === undefined) return;
    this.#view = { ...this.#view, ...change };
    this.#listener();
  }
}
