import type { ReportTypeJoin, ReportTypeModel } from '../catalogue/reportTypeModel.ts';
import { ReportError } from './reportError.ts';

/** A table added to a query by its joins with tables already in it. */
export interface JoinStep {
  alias: string;
  kind: 'inner' | 'left';
  joins: readonly ReportTypeJoin[];
}

/** The first table of a query and the tables that it adds, in order. */
export interface JoinPath {
  start: string;
  steps: readonly JoinStep[];
}

/** All joins of the same two tables. */
interface Edge {
  left: string;
  right: string;
  kind: 'inner' | 'left';
  joins: ReportTypeJoin[];
}

/**
 * Joins exactly the tables in `needed`, and those between them. A left join keeps the rows of its left table, so a
 * query starts at a table that is not the right table of any of its left joins. Where two left joins meet at one table,
 * the tables after the first keep only their matching rows.
 * @throws {ReportError} when no chain of joins connects the tables.
 */
export function joinPath(reportType: ReportTypeModel, needed: ReadonlySet<string>): JoinPath {
  const order = reportType.tables.map(({ alias }) => alias).filter((alias) => needed.has(alias));
  const [first] = order;
  if (first === undefined) throw new ReportError('The report uses no table; add a field of the report type');
  const edges = edgesOf(reportType.joins);
  const tables = new Set([first]);
  const used = new Set<Edge>();
  for (const target of order) {
    for (const edge of chainTo(target, tables, edges, reportType)) {
      used.add(edge);
      tables.add(edge.left).add(edge.right);
    }
  }
  return ordered(reportType, tables, [...used]);
}

function edgesOf(joins: readonly ReportTypeJoin[]): Edge[] {
  const edges = new Map<string, Edge>();
  for (const join of joins) {
    const key = [join.leftAlias, join.rightAlias].toSorted().join('\n');
    const edge = edges.get(key) ?? { left: join.leftAlias, right: join.rightAlias, kind: join.kind, joins: [] };
    edges.set(key, { ...edge, joins: [...edge.joins, join] });
  }
  return [...edges.values()];
}

/** The shortest chain of joins from any of `from` to `target`, breadth first. */
function chainTo(
  target: string,
  from: ReadonlySet<string>,
  edges: readonly Edge[],
  reportType: ReportTypeModel,
): readonly Edge[] {
  const chains = new Map<string, readonly Edge[]>([...from].map((alias) => [alias, []]));
  // Iterating over a Map includes entries that are added meanwhile.
  for (const [alias, chain] of chains) {
    if (alias === target) return chain;
    for (const edge of edges) {
      const next = edge.left === alias ? edge.right : edge.right === alias ? edge.left : undefined;
      if (next !== undefined && !chains.has(next)) chains.set(next, [...chain, edge]);
    }
  }
  throw new ReportError(
    `Report type "${reportType.name}" has no join between "${[...from].join('", "')}" and "${target}"`,
  );
}

function ordered(reportType: ReportTypeModel, tables: ReadonlySet<string>, edges: readonly Edge[]): JoinPath {
  const aliases = reportType.tables.map(({ alias }) => alias).filter((alias) => tables.has(alias));
  const isOuter = (alias: string) => edges.some(({ kind, right }) => kind === 'left' && right === alias);
  const start = aliases.find((alias) => !isOuter(alias)) ?? aliases[0] ?? '';
  const joined = new Set([start]);
  const steps: JoinStep[] = [];
  while (joined.size < tables.size) {
    const next = nextStep(aliases, joined, edges);
    if (!next) throw new ReportError(`The joins of report type "${reportType.name}" do not connect its tables`);
    joined.add(next.alias);
    steps.push(next);
  }
  return { start, steps };
}

/** The next table: preferably one reached in the direction of its joins. */
function nextStep(
  aliases: readonly string[],
  joined: ReadonlySet<string>,
  edges: readonly Edge[],
): JoinStep | undefined {
  const candidates = aliases
    .filter((alias) => !joined.has(alias))
    .map((alias) => ({
      alias,
      links: edges.filter(({ left, right }) =>
        left === alias ? joined.has(right) : right === alias && joined.has(left),
      ),
    }))
    .filter(({ links }) => links.length > 0);
  const isForward = ({ alias, links }: (typeof candidates)[number]) =>
    links.every(({ kind, right }) => kind === 'inner' || right === alias);
  const chosen = candidates.find(isForward) ?? candidates[0];
  if (!chosen) return undefined;
  const isLeft = chosen.links.every(({ kind }) => kind === 'left');
  return { alias: chosen.alias, kind: isLeft ? 'left' : 'inner', joins: chosen.links.flatMap(({ joins }) => joins) };
}
