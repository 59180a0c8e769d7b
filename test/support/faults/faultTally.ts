import type { ClientErrorKind } from '../../../src/client/clientError.ts';

/** Counts over all runs. */
export const tally = {
  schedules: 0,
  faults: 0,
  done: 0,
  failed: 0,
  unknown: 0,
  logins: 0,
  commits: 0,
  doubled: 0,
  journalled: 0,
  /** Calls in which a session ended long before its time: none of them may sign in again. */
  endedEarly: 0,
  objects: 0,
  /** Objects whose final state on the server was held against what the client claimed. */
  states: 0,
  /** Writes of each kind beside the saves of tags. */
  forms: new Map<string, number>(),
  /** Writes of unknown outcome that the user tried again. */
  again: 0,
  /** Failures by their kind. */
  kinds: new Map<ClientErrorKind, number>(),
};
