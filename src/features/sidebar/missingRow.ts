/** Commands of buttons in view titles: like for a menu, the editor passes the focused row, if any. */
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
 * Whether a command was run on a row, or a selection including one, that the editor was reloading: it then passes
 * undefined for that row. A context menu passes two arguments, the row and the selection; the Command Palette passes
 * none.
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
