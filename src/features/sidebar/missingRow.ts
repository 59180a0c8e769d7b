/** What buttons in the titles of views call: for these the editor passes the row with the focus, if there is one, like a menu. */
export const inTitles: readonly string[] = [
  'analytics.server.add',
  'analytics.server.startLocal',
  'analytics.tree.refresh',
  'analytics.tree.filter',
  'analytics.tree.clearFilter',
  'analytics.report.open',
  'analytics.object.find',
  'analytics.changes.save',
  'analytics.log.show',
];

/**
 * Whether a command was chosen on a row, or a selection with one, that the editor was just reading again: it then passes
 * nothing for that row. The menu of a row passes two arguments, the row and what is selected; the palette passes none.
 */
export function isMissingRow(command: string, given: readonly unknown[]): boolean {
  if (inTitles.includes(command)) return false;
  const [argument, selection] = given;
  if (Array.isArray(selection)) return [argument, ...(selection as unknown[])].some(isNothing);
  return given.length > 1 && isNothing(argument) && isNothing(selection);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
