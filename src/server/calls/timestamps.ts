/*
 * The formats in which the API writes moments; all are UTC. Stored moments are ISO 8601 text with milliseconds and Z.
 */

/** Stands for "never": not locked, not signed in yet, no session. API description, User. */
export const neverTimestamp = '0001-01-01T00:00:00';

/** Without zone, to the second, as users, groups and tags carry it; null is never. */
export function zonelessTimestamp(stored: string | null): string {
  return stored === null ? neverTimestamp : stored.slice(0, 19);
}

/** To the second with a Z, as library items carry it. */
export function utcTimestamp(stored: string): string {
  return `${stored.slice(0, 19)}Z`;
}

/** To the second with a numeric zone, as policies carry their creation. */
export function zonedTimestamp(stored: string): string {
  return `${stored.slice(0, 19)}+00:00`;
}

/** MM/DD/YYYY HH:mm:ss, as policies and mail settings carry their changes. */
export function slashedTimestamp(stored: string): string {
  const [year, month, day] = stored.slice(0, 10).split('-');
  return `${month}/${day}/${year} ${stored.slice(11, 19)}`;
}
