import { waitFor } from './waitFor.ts';

/** How long {@link until} waits. */
interface Patience {
  /** For the effect of one try, in milliseconds; more than it takes on a busy machine where a second try does harm. */
  tryFor?: number;
  /** For all tries together, in milliseconds. */
  deadline?: number;
}

/**
 * Does something until its effect shows: a click or a key that comes while the editor draws itself anew is lost. Nothing is
 * done where the effect shows already. Give what is done a short timeout of its own.
 * @param what is awaited, for the message of the error.
 */
export async function until(
  what: string,
  effect: () => Promise<boolean>,
  act: () => Promise<unknown>,
  { tryFor = 2_000, deadline = 30_000 }: Patience = {},
): Promise<void> {
  await waitFor(
    what,
    async () => {
      if (await effect()) return true;
      await act();
      return waitFor(what, effect, tryFor);
    },
    deadline,
  );
}
