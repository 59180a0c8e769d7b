import type { ImportContract, ImportSnapshot } from '../pageContract.ts';
import { say } from '../../../webview/shared/liveRegion.ts';
import { HostLink } from '../../../webview/shared/hostLink.ts';

/** State rendered by the page. Replaced as a whole on every change. */
export interface ImportView extends ImportSnapshot {
  isTroubleOnly: boolean;
  /** Why a request failed; otherwise empty. */
  failure: string;
}

/** The page's model of an import. */
export class ImportModel {
  readonly #link: HostLink<ImportContract>;
  #view: ImportView | undefined;
  #saidSummary = '';
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

  /** The state to render; undefined until the host has responded. */
  get view(): ImportView | undefined {
    return this.#view;
  }

  /** Requests the initial state from the host, and calls `listener` on every change. */
  async open(listener: () => void): Promise<void> {
    this.#listener = listener;
    this.#view = { ...(await this.#link.request('ready', null)), isTroubleOnly: false, failure: '' };
    this.#saidSummary = this.#view.state.summary;
    for (const text of [this.#saidSummary, faultOf(this.#view)]) say(text);
    listener();
  }

  /** Sends a request to the host; its effect appears in the state. */
  ask(name: 'import' | 'stop' | 'undo' | 'saveOutcome'): void {
    this.#link.request(name, null).then(
      () => this.#change({ failure: '' }),
      (error: unknown) => this.#change({ failure: error instanceof Error ? error.message : String(error) }),
    );
  }

  /** Toggles between all rows and only those with problems. */
  toggleTrouble(): void {
    this.#change({ isTroubleOnly: this.#view?.isTroubleOnly !== true });
  }

  /** Announces starts, ends and faults; not every row. */
  #announce(before: ImportView, { state, ...view }: ImportView): void {
    const isStep = before.state.isRunning !== state.isRunning || !state.isRunning;
    if (isStep && state.summary !== this.#saidSummary) say((this.#saidSummary = state.summary));
    if (before.state.remark !== state.remark) say(state.remark);
    const fault = faultOf({ state, ...view });
    if (faultOf(before) !== fault) say(fault);
  }

  #change(change: Partial<ImportView>): void {
    if (this.#view === undefined) return;
    const before = this.#view;
    this.#view = { ...before, ...change };
    this.#announce(before, this.#view);
    this.#listener();
  }
}

/** Why a request or the whole import failed; empty if nothing did. */
export function faultOf({ failure, state }: Pick<ImportView, 'failure' | 'state'>): string {
  return [failure, state.fault].filter((part) => part !== '').join(' ');
}
