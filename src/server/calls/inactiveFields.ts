/** Unlisted field of a reply: names of fields that the server stores and does not act on. */
export const inactiveFieldsName = 'InactiveSettings';

/** Says of fields that were saved that nothing follows from them; empty where there are none. */
export function inactiveFieldsMessage(names: readonly string[]): string {
  return names.length === 0 ? '' : `Saved, but this server does not act on ${names.join(', ')}.`;
}
