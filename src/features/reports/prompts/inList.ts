/**
 * Writes the values of a list prompt as its one LowValue: separated by commas. A value that holds a comma, a quote or
 * outer blanks stands in double quotes, with quotes inside doubled. API description, Prompt (isInList).
 */
export function writeInList(values: readonly string[]): string {
  return values.map((value) => (needsQuotes(value) ? `"${value.replaceAll('"', '""')}"` : value)).join(',');
}

/** Reads what {@link writeInList} wrote, and lists that others wrote with either kind of quote. Empty values are dropped. */
export function readInList(text: string): string[] {
  const item = /\s*(?:"((?:[^"]|"")*)"|'((?:[^']|'')*)'|([^,]*))\s*(?:,|$)/y;
  const values: string[] = [];
  while (item.lastIndex < text.length) {
    const match = item.exec(text);
    if (match === null) return text.split(',').map((part) => part.trim());
    const [, double, single, plain = ''] = match;
    const value = double?.replaceAll('""', '"') ?? single?.replaceAll("''", "'") ?? plain.trim();
    if (value !== '' || double !== undefined || single !== undefined) values.push(value);
  }
  return values;
}

function needsQuotes(value: string): boolean {
  return value === '' || value.trim() !== value || /[,"']/.test(value);
}
