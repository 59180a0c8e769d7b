/** The address that a text of a link column is, if it is one that may be opened: web or mail, absolute. */
export function linkAddress(text: string): URL | undefined {
  // Most texts of a grid are none, and it asks for each that it draws.
  if (!/^\s*(?:https?|mailto):/i.test(text) || !URL.canParse(text.trim())) return undefined;
  return new URL(text.trim());
}
