import { JsonText, type TextChange } from '../jsonText.ts';
import { findProblems } from './findProblems.ts';
import type { ProblemContext } from './problem.ts';

/** Fixes of neighbours overlap, so that they are applied in turns; each turn applies at least every other one. */
const mostTurns = 50;

/**
 * The change that applies every sure fix of a document, in one piece; undefined if there is none, or if the text is not
 * whole JSON.
 */
export function fixAllChange(context: ProblemContext): TextChange | undefined {
  let document = context.document;
  if (!document.isWhole) return undefined;
  for (let turn = 0; turn < mostTurns; turn++) {
    const changes = sureChanges({ ...context, document });
    if (changes.length === 0) break;
    document = new JsonText(changes.reduceRight(applied, document.text));
  }
  return differenceOf(context.document.text, document.text);
}

/** The changes of all sure fixes that do not overlap, in text order. */
function sureChanges(context: ProblemContext): TextChange[] {
  const fixes = findProblems(context).flatMap((problem) => problem.fixes.find(({ isSure }) => isSure) ?? []);
  const sorted = fixes
    .flatMap(({ changes }) => (changes.length === 1 ? changes : []))
    .sort((a, b) => a.offset - b.offset);
  let end = 0;
  return sorted.filter(({ offset, length }) => {
    if (offset < end) return false;
    end = offset + Math.max(length, 1);
    return true;
  });
}

function applied(text: string, { offset, length, text: put }: TextChange): string {
  return text.slice(0, offset) + put + text.slice(offset + length);
}

/** The smallest single change between two texts. */
function differenceOf(before: string, after: string): TextChange | undefined {
  if (before === after) return undefined;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let same = 0;
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { offset: start, length: before.length - same - start, text: after.slice(start, after.length - same) };
}
