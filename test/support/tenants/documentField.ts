/** A document's text with another value of a top field, all others character for character as they were. */
export function withField(text: string, name: string, now: unknown): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`  ${JSON.stringify(name)}:`));
  const end = lines.findIndex((line, at) => at > start && /^ {2}"|^}/.test(line));
  const comma = lines[end - 1]?.endsWith(',') ? ',' : '';
  return lines.toSpliced(start, end - start, `  ${JSON.stringify(name)}: ${JSON.stringify(now)}${comma}`).join('\n');
}
