/*
 * The API's date and time formats; all are UTC. Stored timestamps are ISO 8601 text with milliseconds and Z.
 */

/** Means "never": not locked, not signed in yet, no session. API description, User. */
export const neverTimestamp = '0001-01-01T00:00:00';

/** Without a zone, to the second, as in users, groups and tags; null means never. */
export function zonelessTimestamp(stored: string | null): string {
  return stored === null ? neverTimestamp : stored.slice(0, 19);
}

/** To the second with a Z, as in library items. */
export function utcTimestamp(stored: string): string {
  return `${stored.slice(0, 19)}Z`;
}

/** To the second with a numeric zone, as in the creation date of policies. */
export function zonedTimestamp(stored: string): string {
  return `${stored.slice(0, 19)}+00:00`;
}

/** MM/DD/YYYY HH:mm:ss, as in the change date of policies and mail settings. */
export function slashedTimestamp(stored: string): string {
  const [year, month, day] = stored.slice(0, 10).split('-');
  return `${month}/${day}/${year} ${stored.slice(11, 19)}`;
}
