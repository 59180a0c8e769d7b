import type { BuilderContext, BuilderDocument, BuilderReport, LiveSqlState } from '../pageContract.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** What is announced of the builder's page. */
interface Announced {
  document: BuilderDocument;
  ground: BuilderContext;
  sql: LiveSqlState;
  remark: string;
}

/** What screen readers announce of the builder: its fields, changes of the report's parts, and why something failed. */
export class BuilderAnnouncements {
  /** The server's last error: its SQL is asked for again after each change. */
  #sqlProblem = '';

  /** Texts for a change of the page. */
  of(before: Announced, after: Announced): string[] {
    const { ground, document, sql, remark } = after;
    const texts = [
      ground.kind === before.ground.kind ? '' : groundText(after),
      document.problem === before.document.problem ? '' : document.problem,
      ...reportChanges(before.document.report, document.report),
      remark === before.remark ? '' : remark,
    ];
    if (sql !== before.sql && !sql.isLoading) {
      if (sql.problem !== this.#sqlProblem) texts.push(sql.problem);
      this.#sqlProblem = sql.problem;
    }
    return texts.filter((text) => text !== '');
  }
}

function groundText({ ground }: Announced): string {
  switch (ground.kind) {
    case 'loading':
      return l10n.t('Loading fields…');
    case 'ready':
      return l10n.t('{0} fields available', ground.tree.filter(({ isFolder }) => !isFolder).length);
    case 'failed':
      return ground.message;
  }
}

/** An entry of a list of the report. */
interface Entry {
  /** Stays the same when the entry is edited or moved. */
  key: string;
  name: string;
}

/** Added and removed entries of the report; who moves one says so, see Reorder. */
function reportChanges(before: BuilderReport | null, after: BuilderReport | null): string[] {
  if (before === null || after === null || before === after) return [];
  return [
    ...listChanges(fieldsOf(before), fieldsOf(after)),
    ...listChanges(criteriaOf(before), criteriaOf(after)),
    ...listChanges(totalsOf(before), totalsOf(after)),
    ...listChanges(linksOf(before), linksOf(after)),
    ...listChanges(pairsOf(before, after), pairsOf(after, before)),
  ];
}

function listChanges(before: readonly Entry[], after: readonly Entry[]): string[] {
  const added = without(after, before);
  const removed = without(before, after);
  return [
    ...added.map(({ name }) => l10n.t('{0} added', name)),
    ...removed.map(({ name }) => l10n.t('{0} removed', name)),
  ];
}

/** The entries of one list that another lacks. */
function without(entries: readonly Entry[], others: readonly Entry[]): Entry[] {
  const keys = new Set(others.map(({ key }) => key));
  return entries.filter(({ key }) => !keys.has(key));
}

function fieldsOf({ fields }: BuilderReport): Entry[] {
  return numbered(fields.map(({ alias, source, name }) => ({ key: alias || source, name })));
}

/** Rows have no identity of their own: equal ones of a field differ by their order. */
function criteriaOf({ fields }: BuilderReport): Entry[] {
  const counted = fields.flatMap(({ alias, source, name, criteria }) =>
    criteria.map(() => ({ key: alias || source, name: l10n.t('Criterion of {0}', name) })),
  );
  return numbered(counted);
}

function totalsOf({ totals }: BuilderReport): Entry[] {
  const isCalculation = ({ type }: BuilderReport['totals'][number]) => type.trim().toLowerCase() === 'calc';
  return numbered(
    totals.map((total) =>
      isCalculation(total)
        ? { key: 'calc', name: l10n.t('Calculation {0}', total.index + 1) }
        : { key: 'total', name: l10n.t('Total {0}', total.index + 1) },
    ),
  );
}

function linksOf({ links }: BuilderReport): Entry[] {
  return numbered(links.map(({ reportId, name }) => ({ key: reportId, name: name || reportId })));
}

/** Fields passed to linked reports; those of a link that the other version lacks come and go with it. */
function pairsOf({ links }: BuilderReport, other: BuilderReport): Entry[] {
  const kept = links.filter(({ reportId }) => other.links.some((link) => link.reportId === reportId));
  return numbered(
    kept.flatMap(({ reportId, name, pairs }) =>
      pairs.map(() => ({ key: reportId, name: l10n.t('Field passed to {0}', name || reportId) })),
    ),
  );
}

/** Entries with the same key, told apart by a number. */
function numbered(entries: readonly Entry[]): Entry[] {
  const counts = new Map<string, number>();
  return entries.map(({ key, name }) => {
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return { key: `${key}#${count}`, name };
  });
}
