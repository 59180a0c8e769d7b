/**
 * Whether a command was chosen on a row, or a selection with one, that the editor was just reading again: it then passes
 * nothing for that row. The menu of a row passes two arguments, the row and what is selected; the palette passes none, and
 * the title of a view one.
 */
export function isRowLost(given: readonly unknown[]): boolean {
  const [argument, selection] = given;
  if (Array.isArray(selection)) return [argument, ...(selection as unknown[])].some(isNothing);
  return given.length > 1 && isNothing(argument) && isNothing(selection);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
