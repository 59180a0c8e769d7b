import * as l10n from '../../l10n/l10n.ts';
import { rowChangeKinds, type RowChange } from './accessChanges.ts';

const namesAtMost = 5;
export const linesAtMost = 8;

/**
 * Sentences about changes of rows, the most important first: one for all users with the same change of the same tables.
 */
export function rowChangeLines(changes: readonly RowChange[]): string[] {
  const lines = [...Map.groupBy(changes, ({ change }) => change)]
    .sort(([one], [other]) => rowChangeKinds.indexOf(one) - rowChangeKinds.indexOf(other))
    .flatMap(([, some]) => linesOfKind(some));
  const texts = lines.slice(0, linesAtMost).map(({ text }) => text);
  const rest = new Set(lines.slice(linesAtMost).flatMap(({ users }) => users)).size;
  if (rest === 0) return texts;
  return [
    ...texts,
    rest === 1 ? l10n.t('and other changes for 1 user') : l10n.t('and other changes for {0} users', rest),
  ];
}

/** A sentence, with the users that it is about. */
interface Line {
  readonly text: string;
  readonly users: readonly string[];
}

const longestName = 100;

/** A name within a sentence: its line breaks must not start another one, nor its length push others out of a message. */
export function onOneLine(name: string): string {
  const line = name.replace(/[\s\u0085]+/gu, ' ');
  if (line.length <= longestName) return line;
  // By characters: a half of a pair is none.
  return `${Array.from(line.slice(0, 2 * longestName), String)
    .slice(0, longestName)
    .join('')}…`;
}

function linesOfKind(changes: readonly RowChange[]): Line[] {
  const ofUsers = [...Map.groupBy(changes, ({ user }) => user)];
  const together = Map.groupBy(ofUsers, ([, some]) =>
    JSON.stringify(some.map((change) => [whatOf(change), change.policy])),
  );
  return [...together.values()]
    .sort((one, other) => other.length - one.length)
    .flatMap((group) => {
      const users = group.map(([user]) => user);
      const some = group[0]?.[1] ?? [];
      const tables = [...new Set(some.flatMap((change) => whatOf(change) ?? []))].sort();
      const policies = [...new Set(some.flatMap(({ policy }) => policy ?? []))].sort();
      const change = some[0]?.change;
      const texts = [
        ...(tables.length > 0 && change ? [tableLine(change, users, listed(tables))] : []),
        ...(policies.length > 0 ? [policyLine(users, listed(policies))] : []),
      ];
      return texts.map((text) => ({ text, users }));
    });
}

function whatOf({ table, isPartial }: RowChange): string | undefined {
  if (table === undefined) return undefined;
  return isPartial ? l10n.t('{0} (in some applications)', table) : table;
}

/** "a", "a and b", or "a, b and 4 more". */
export function listed(names: readonly string[]): string {
  const rest = names.length - namesAtMost;
  const plain = names.map(onOneLine);
  const shown = rest > 1 ? plain.slice(0, namesAtMost) : plain.slice(0, -1);
  const last = rest > 1 ? l10n.t('{0} more', rest) : (plain.at(-1) ?? '');
  return shown.length === 0 ? last : l10n.t('{0} and {1}', shown.join(', '), last);
}

function tableLine(change: RowChange['change'], users: readonly string[], tables: string): string {
  const [user, isOne] = [onOneLine(users[0] ?? ''), users.length === 1];
  const [count, names] = [users.length, listed(users)];
  switch (change) {
    case 'all rows':
      return isOne
        ? l10n.t('{0} will see all rows of {1}.', user, tables)
        : l10n.t('{0} users will see all rows of {1}: {2}.', count, tables, names);
    case 'more':
      return isOne
        ? l10n.t('{0} will see more rows of {1}.', user, tables)
        : l10n.t('{0} users will see more rows of {1}: {2}.', count, tables, names);
    case 'changed':
      return isOne
        ? l10n.t('{0} may see other rows of {1}.', user, tables)
        : l10n.t('{0} users may see other rows of {1}: {2}.', count, tables, names);
    case 'fewer':
      return isOne
        ? l10n.t('{0} will see fewer rows of {1}.', user, tables)
        : l10n.t('{0} users will see fewer rows of {1}: {2}.', count, tables, names);
    case 'no rows':
      return isOne
        ? l10n.t('{0} will see no rows of {1}.', user, tables)
        : l10n.t('{0} users will see no rows of {1}: {2}.', count, tables, names);
  }
}

function policyLine(users: readonly string[], policies: string): string {
  return users.length === 1
    ? l10n.t('{0} may see more rows: it is unknown what {1} restricts.', onOneLine(users[0] ?? ''), policies)
    : l10n.t(
        '{0} users may see more rows: it is unknown what {1} restricts. They are {2}.',
        users.length,
        policies,
        listed(users),
      );
}
