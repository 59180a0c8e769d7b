import type { RowChange, RowChangeKind } from '../../../src/access/rows/accessChanges.ts';

/* Reads the sentences about rows that a user is asked with. Written from the sentences, not from what makes them. */

const verbs: readonly (readonly [string, RowChangeKind])[] = [
  ['will see all rows of', 'all rows'],
  ['will see more rows of', 'more'],
  ['may see other rows of', 'changed'],
  ['will see fewer rows of', 'fewer'],
  ['will see no rows of', 'no rows'],
];
const partly = ' (in some applications)';

/**
 * The changes of rows that a question announces, by user and table.
 * @throws {Error} for a sentence about rows that it cannot read, or a list that is cut short.
 */
export function saidChanges(question: string): RowChange[] {
  return question.split('\n').flatMap((line): RowChange[] => {
    if (/and other changes for|\d more\b|it is unknown/.test(line)) throw new Error(`Not all is said: ${line}`);
    const said = verbs.find(([verb]) => line.includes(` ${verb} `));
    if (!said) return [];
    const [who = '', what = ''] = line.replace(/\.$/, '').split(` ${said[0]} `);
    const several = /^\d+ users$/.test(who);
    const [tables = '', names = ''] = several ? what.split(': ') : [what, who];
    return named(names).flatMap((user) =>
      named(tables).map((table) => ({
        user,
        table: table.replace(partly, ''),
        change: said[1],
        isPartial: table.endsWith(partly),
      })),
    );
  });
}

function named(list: string): string[] {
  return list.split(/, | and /);
}
