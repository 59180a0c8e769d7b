/**
 * Values that were copied from a column of a table, one a line; undefined for a text of one line, which an input takes by itself.
 * An input would join several lines, and so give one group what is meant for several.
 */
export function pastedValues(text: string): string[] | undefined {
  if (!/[\r\n]/.test(text)) return undefined;
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.trim());
}
