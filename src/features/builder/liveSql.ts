import { isClientError } from '../../client/clientError.ts';
import type { Report } from '../../contract/resources/report.ts';
import type { LiveSqlState } from './pageContract.ts';

/** Options of {@link LiveSql}. */
interface LiveSqlOptions {
  /** Generates the formatted SQL of a report. @throws {ClientError} */
  generate(report: Report, signal: AbortSignal): Promise<string>;
  /** Localized reason for missing SQL. */
  explain(error: unknown): string;
  changed(state: LiveSqlState): void;
  /** Delay after a change before asking the server, in ms. */
  pauseMs: number;
}

const noSql: LiveSqlState = {
  sql: '',
  isLoading: false,
  isAsked: false,
  isOutdated: false,
  problem: '',
  problemField: null,
};

/** The SQL of a report that is being built. Requested after each change, never for an outdated report. */
export class LiveSql {
  readonly #options: LiveSqlOptions;
  #state: LiveSqlState = noSql;
  #current = new AbortController();
  #asked = '';

  constructor(options: LiveSqlOptions) {
    this.#options = options;
  }

  get state(): LiveSqlState {
    return this.#state;
  }

  /** Requests the SQL of `report`, replacing an earlier request. Does not request the same report again. */
  ask(report: Report): void {
    const text = JSON.stringify(report);
    if (text === this.#asked) return;
    this.#asked = text;
    this.stop();
    if ((report.FieldList ?? []).length === 0) {
      this.#set(noSql);
      return;
    }
    const { signal } = (this.#current = new AbortController());
    // Notify once, not on every keystroke.
    if (!this.#state.isLoading || this.#state.isAsked || !this.#state.isOutdated)
      this.#set({ ...this.#state, isLoading: true, isAsked: false, isOutdated: true });
    const timer = setTimeout(() => void this.#answer(report, signal), this.#options.pauseMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }

  /** Retries a failed request. */
  askAgain(report: Report): void {
    this.#asked = '';
    this.ask(report);
  }

  /** Marks the SQL as outdated: the report has changed, but SQL cannot be requested for it. */
  outdate(): void {
    this.#asked = '';
    this.stop();
    if (this.#state.isLoading || !this.#state.isOutdated)
      this.#set({
        ...this.#state,
        isLoading: false,
        isAsked: false,
        isOutdated: true,
        problem: '',
        problemField: null,
      });
  }

  /** Cancels the active request. */
  stop(): void {
    this.#current.abort();
  }

  async #answer(report: Report, signal: AbortSignal): Promise<void> {
    this.#set({ ...this.#state, isAsked: true });
    try {
      const sql = await this.#options.generate(report, signal);
      if (!signal.aborted) this.#set({ ...noSql, sql });
    } catch (error) {
      if (signal.aborted) return;
      const problem = this.#options.explain(error);
      const problemField = isClientError(error, 'refused') ? namedField(error.message, report) : null;
      this.#set({ ...this.#state, isLoading: false, isAsked: false, problem, problemField });
    }
  }

  #set(state: LiveSqlState): void {
    this.#state = state;
    this.#options.changed(state);
  }
}

/**
 * The field named in a server's message, by its index in `FieldList`: servers quote names. If there are several names,
 * uses the first, because the rest is explanation. Cannot tell apart two fields with the same name.
 */
export function namedField(message: string, { FieldList }: Report): number | null {
  const hits = (FieldList ?? []).flatMap(({ DisplayFieldName, RenamedField, DbFieldName, DbTableAlias }, index) => {
    const names = [DisplayFieldName, RenamedField, `${DbTableAlias ?? ''}.${DbFieldName ?? ''}`];
    const places = names.flatMap((name) => (name ? placesOf(message, name) : []));
    return places.length > 0 ? [{ index, place: Math.min(...places) }] : [];
  });
  const first = Math.min(...hits.map(({ place }) => place));
  const best = hits.filter(({ place }) => place === first);
  return best.length === 1 ? (best[0]?.index ?? null) : null;
}

/** Positions of a name in quotes or brackets. */
function placesOf(message: string, name: string): number[] {
  const quoted = [...['"', "'", '`'].map((quote) => `${quote}${name}${quote}`), `[${name}]`];
  return quoted.map((text) => message.indexOf(text)).filter((place) => place >= 0);
}
