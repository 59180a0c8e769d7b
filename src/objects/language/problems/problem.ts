import type { JsonObject } from '../../json.ts';
import type { ObjectKind } from '../../kinds/objectKind.ts';
import type { JsonText, Span, TextChange } from '../jsonText.ts';
import type { NamedReport, ServerFacts } from '../serverFacts.ts';

/** Id of a rule; documented in src/documents/language/README.md. */
export type ProblemCode =
  | 'danglingId'
  | 'duplicateEntry'
  | 'unknownTag'
  | 'uncertainPlaceholder'
  | 'tagWithoutValue'
  | 'inactiveTag'
  | 'renamedTag'
  | 'unassignedPolicy'
  | 'policyWithoutConstraints'
  | 'folderForAllUsers'
  | 'unusedInheritance'
  | 'inactiveField'
  | 'selfSetField'
  | 'selfSetPlaceholder'
  | 'duplicateName'
  | 'secretInText'
  | 'readOnlyEdit'
  | 'leftOut'
  | 'unknownValue'
  | 'unknownField'
  | 'unknownTable'
  | 'unknownColumn'
  | 'duplicateField'
  | 'removedField'
  | 'renamedField'
  | 'blankConstraint'
  | 'uncertainComparison'
  | 'otherType';

/** A quick fix. */
export interface Fix {
  readonly title: string;
  readonly changes: readonly TextChange[];
  /** Whether it is the preferred fix for most users. */
  readonly isPreferred?: boolean;
  /**
   * Whether *Fix All* applies it: there is no other candidate, and no user gains rows that the question of the save does
   * not name.
   */
  readonly isSure?: boolean;
  /** A command on the object, if the text need not change. */
  readonly command?: 'analytics.policy.assign' | 'analytics.tag.editValues' | 'analytics.folder.setPermissions';
  /** Changes to reports of the same server, which are read when the fix is applied. */
  readonly inReports?: ReportsChange;
}

/** A change of several reports that is applied and undone as one. */
export interface ReportsChange {
  readonly reports: readonly NamedReport[];
  readonly changes: (report: JsonText) => readonly TextChange[];
}

/** A possible mistake, with advice. */
export interface Problem extends Span {
  readonly code: ProblemCode;
  readonly severity: 'error' | 'warning' | 'information';
  readonly message: string;
  readonly fixes: readonly Fix[];
}

/** Input of the rules. */
export interface ProblemContext {
  readonly document: JsonText;
  readonly kind: ObjectKind;
  /** Id of the document's object; undefined for a new one and for files on disk. */
  readonly id: string | undefined;
  readonly facts: ServerFacts;
  /** View that the edit started from; undefined if there is none. */
  readonly base: JsonObject | undefined;
  /** Display name of the server; empty for a file on disk. */
  readonly server: string;
}

const fixesAtMost = 5;

/** The candidates most similar to a word, the most similar first. */
export function nearest<T>(word: string, candidates: Iterable<T>, textOf: (candidate: T) => string): T[] {
  const wanted = word.toLowerCase().slice(0, 100);
  return [...candidates]
    .map((candidate) => ({ candidate, distance: distance(wanted, textOf(candidate).toLowerCase().slice(0, 100)) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, fixesAtMost)
    .map(({ candidate }) => candidate);
}

/** Edit distance in characters; a prefix of the other word counts as near. */
function distance(one: string, other: string): number {
  if (one !== '' && other.startsWith(one)) return 0.5;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const swap = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, swap));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
