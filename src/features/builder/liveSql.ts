import { isClientError } from '../../client/clientError.ts';
import type { Report } from '../../contract/resources/report.ts';
import type { LiveSqlState } from './pageContract.ts';

/** What {@link LiveSql} works with. */
interface LiveSqlOptions {
  /** Generates the SQL of a report, laid out. @throws {ClientError} */
  generate(report: Report, signal: AbortSignal): Promise<string>;
  /** Why there is none, in words to show. */
  explain(error: unknown): string;
  changed(state: LiveSqlState): void;
  /** Pause after a change before the server is asked, in ms. */
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

/** The SQL of a report while it is being built: asked for after each change, and never for one that is outdated. */
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

  /** Asks for the SQL of `report`, in place of what was asked before. The same report is not asked for again. */
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
    // Said once, not at every key.
    if (!this.#state.isLoading || this.#state.isAsked || !this.#state.isOutdated)
      this.#set({ ...this.#state, isLoading: true, isAsked: false, isOutdated: true });
    const timer = setTimeout(() => void this.#answer(report, signal), this.#options.pauseMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
  }

  /** Asks again for what failed. */
  askAgain(report: Report): void {
    this.#asked = '';
    this.ask(report);
  }

  /** The report is another one now, but none that SQL can be asked for: what is shown is of an earlier state. */
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

  /** Gives up what is under way. */
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
 * The field that a server's message names, by its place in `FieldList`: servers put names in quotes. Of several names the
 * first in the message counts, as what follows explains; two fields of the same name cannot be told apart.
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

/** Where a name stands in quotes or brackets. */
function placesOf(message: string, name: string): number[] {
  const quoted = [...['"', "'", '`'].map((quote) => `${quote}${name}${quote}`), `[${name}]`];
  return quoted.map((text) => message.indexOf(text)).filter((place) => place >= 0);
}
