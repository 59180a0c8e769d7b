/** Where a top field of a document is: its first line, the line behind it, and what follows its value. */
export function fieldLines(text: string, name: string): { start: number; end: number; comma: string } {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`  ${JSON.stringify(name)}:`));
  const end = lines.findIndex((line, at) => at > start && /^ {2}"|^}/.test(line));
  return { start, end, comma: lines[end - 1]?.endsWith(',') ? ',' : '' };
}

/** A document's text with another value of a top field, all others character for character as they were. */
export function withField(text: string, name: string, now: unknown): string {
  const { start, end, comma } = fieldLines(text, name);
  const line = `  ${JSON.stringify(name)}: ${JSON.stringify(now)}${comma}`;
  return text
    .split('\n')
    .toSpliced(start, end - start, line)
    .join('\n');
}
