import type { FarFigure } from './farGestures.ts';

/**
 * Of each gesture, the calls until its result is shown, and how many of these may follow one another: as many as the API
 * needs. A sign-in gives the token that every list needs. A save reads the object and the installation, writes, and reads
 * back. A policy and a run have a call that needs the reply of another. A list that is empty may hide a rejected token,
 * so that the session is asked for after it.
 */
export const needed: Readonly<Record<string, { calls: number; chain: number }>> = {
  // The installation is asked for beside the sign-in, and again beside the library.
  'password entered → library rows': { calls: 4, chain: 2 },
  'unfold a known server': { calls: 0, chain: 0 },
  'open a user': { calls: 2, chain: 1 },
  'open a policy': { calls: 2, chain: 1 },
  'open a report': { calls: 2, chain: 1 },
  'open a folder': { calls: 2, chain: 1 },
  'open a group': { calls: 2, chain: 1 },
  'save a group': { calls: 4, chain: 3 },
  'save a report': { calls: 4, chain: 3 },
  'new user': { calls: 2, chain: 1 },
  'open the builder': { calls: 7, chain: 2 },
  'run with answered prompts': { calls: 3, chain: 2 },
  'show SQL': { calls: 3, chain: 2 },
  // Twelve reports at a time.
  'find the reports that use a field': { calls: 9, chain: 3 },
  // Before the question the library and its folders; the check, and three for each of two groups of ten. Passwords are
  // hashed two at a time.
  'import of 20 users': { calls: 79, chain: 13 },
  'add a member: role → row': { calls: 9, chain: 2 },
  'assign a policy → row': { calls: 3, chain: 3 },
  'delete a user: dialog': { calls: 6, chain: 1 },
  'delete a user: gone': { calls: 11, chain: 3 },
  'refresh all': { calls: 16, chain: 2 },
};

/** Gestures that took more calls, or more of them one after the other, than they need. */
export function overIn(figures: readonly FarFigure[]): FarFigure[] {
  return figures.filter(({ gesture, calls, chain }) => {
    const limit = needed[gesture];
    return limit === undefined || calls > limit.calls || chain > limit.chain;
  });
}
