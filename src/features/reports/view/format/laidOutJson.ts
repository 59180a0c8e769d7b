/** A string, a sign, or a run of anything else but blanks: a number or a word. */
const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;
const opening = new Set(['{', '[']);
const closing = new Set(['}', ']']);

/**
 * JSON over several lines, for reading. Keys, numbers and texts stay as they are written: parsed, an id of 19 digits would become
 * another one.
 */
export function laidOutJson(json: string): string {
  const parts: string[] = [];
  let depth = 0;
  let last = '';
  const newLine = () => parts.push(`\n${'  '.repeat(depth)}`);
  for (const [token] of json.matchAll(tokens)) {
    if (closing.has(token)) {
      depth--;
      if (!opening.has(last)) newLine();
    } else if (opening.has(last) || last === ',') newLine();
    parts.push(token === ':' ? ': ' : token);
    if (opening.has(token)) depth++;
    last = token;
  }
  return parts.join('');
}
