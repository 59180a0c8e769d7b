import { columnProfile } from './columnProfile.ts';
import type { ProfileFigures } from './columnProfile.ts';
import type { ResultView } from '../resultView.ts';

/** Profiles of the columns of one view, each counted once as long as no rows are added, and one after the other. */
export class ProfileCache {
  #view: ResultView | undefined;
  #rows = -1;
  readonly #known = new Map<number, Promise<ProfileFigures>>();
  #last: Promise<unknown> = Promise.resolve();

  /** The profile of a column. @throws the signal's reason once it has fired. */
  of(view: ResultView, column: number, signal: AbortSignal): Promise<ProfileFigures> {
    if (view !== this.#view || view.rows !== this.#rows) {
      this.#view = view;
      this.#rows = view.rows;
      this.#known.clear();
    }
    const known = this.#known.get(column);
    if (known !== undefined) return known;
    const count = () => {
      signal.throwIfAborted();
      return columnProfile(view, column, signal);
    };
    const profile = this.#last.then(count);
    this.#known.set(column, profile);
    // A failure is told to whoever asked; the next column is counted all the same.
    this.#last = profile.catch(() => {
      if (this.#known.get(column) === profile) this.#known.delete(column);
    });
    return profile;
  }
}
