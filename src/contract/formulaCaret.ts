/** What a formula has at the caret: a text literal, the label of a field in brackets or quotes, or a bare word. */
export interface CaretPlace {
  kind: 'text' | 'label' | 'word';
  /** The text from the start of the token to the caret, without the bracket or quote of a label. */
  word: string;
  /** Range that a completion replaces: for a label, from its opening to its closing bracket or quote. */
  start: number;
  end: number;
}

const parts = /'(?:[^']|'')*'?|\[[^\][]*\]?|"[^"]*"?/g;

/** What is being typed at the caret of a formula. API description, Report field (Formula). */
export function caretPlace(formula: string, caret: number): CaretPlace {
  for (const { 0: part, index } of formula.matchAll(parts)) {
    if (index >= caret) break;
    const close = part.startsWith('[') ? ']' : part.slice(0, 1);
    const isClosed = part.length > 1 && part.endsWith(close);
    const end = index + part.length;
    if (caret > end || (isClosed && caret === end)) continue;
    const word = formula.slice(index + 1, caret);
    if (close === "'") return { kind: 'text', word: '', start: caret, end: caret };
    // An unclosed quote appears to be closed by the next opening one.
    const isOwn = isClosed && (close === ']' || /^[\p{L}\p{N}_ ]*$/u.test(formula.slice(caret, end - 1)));
    return { kind: 'label', word, start: index, end: isOwn ? end : caret + restOfWord(formula, caret) };
  }
  const word = /[\p{L}_][\p{L}\p{N}_.]*$/u.exec(formula.slice(0, caret))?.[0] ?? '';
  const end = caret + (word === '' ? 0 : restOfWord(formula, caret));
  return { kind: 'word', word, start: caret - word.length, end };
}

/**
 * Where the label that is being typed starts: before the word at the caret, if preceding words belong to it, as in `2 *
 * Unit Pr|` for `Unit Price`.
 */
export function labelStart(formula: string, caret: number, place: CaretPlace, label: string): number {
  if (place.kind !== 'word') return place.start;
  const before = formula.slice(0, caret).toLowerCase();
  const wanted = label.toLowerCase();
  for (let length = Math.min(wanted.length, caret); length > place.word.length; length--) {
    const start = caret - length;
    if (!before.endsWith(wanted.slice(0, length)) || !/[\p{L}_]/u.test(before[start] ?? '')) continue;
    if (!/[\p{L}\p{N}_.\])"]\s*$/u.test(before.slice(0, start))) return start;
  }
  return place.start;
}

function restOfWord(formula: string, caret: number): number {
  return /^[\p{L}\p{N}_]*/u.exec(formula.slice(caret))?.[0].length ?? 0;
}

/** Labels of several fields, in lower case: in a formula, they are ambiguous. */
export function sharedLabels(labels: Iterable<string>): ReadonlySet<string> {
  const seen = new Set<string>();
  const shared = new Set<string>();
  for (const label of labels) {
    const key = label.trim().toLowerCase();
    if (seen.has(key)) shared.add(key);
    seen.add(key);
  }
  return shared;
}
