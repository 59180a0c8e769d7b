import { columnTypeProblems } from './columnTypeProblems.ts';
import { inactiveFieldProblems } from './inactiveFields.ts';
import { linkProblems } from './linkProblems.ts';
import type { Problem, ProblemContext } from './problem.ts';
import { placeholderProblems, referenceProblems } from './referenceProblems.ts';
import { reportProblems } from './reportProblems.ts';
import { reportTypeProblems } from './reportTypeProblems.ts';
import { selfSetProblems } from './selfSetProblems.ts';
import { duplicateNames, stateProblems } from './stateProblems.ts';
import { timeZoneProblems } from '../timeZones.ts';
import { leftOutProblems, readOnlyProblems, secretProblems, valueProblems } from './textProblems.ts';

const rules = [
  referenceProblems,
  placeholderProblems,
  stateProblems,
  inactiveFieldProblems,
  selfSetProblems,
  duplicateNames,
  secretProblems,
  readOnlyProblems,
  leftOutProblems,
  valueProblems,
  timeZoneProblems,
  reportProblems,
  linkProblems,
  reportTypeProblems,
  columnTypeProblems,
];
/** More help nobody. */
const problemsAtMost = 1_000;

/** Everything in a document that deserves a second look, in the order of the text. Text that is no object has none. */
export function findProblems(context: ProblemContext): Problem[] {
  if (context.document.root?.type !== 'object') return [];
  return rules
    .flatMap((rule) => rule(context))
    .sort((a, b) => a.offset - b.offset)
    .slice(0, problemsAtMost);
}
