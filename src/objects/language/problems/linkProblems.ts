import type { Node } from 'jsonc-parser';
import type { ReportField } from '../../../contract/resources/report.ts';
import { entriesOf, fieldNode, identifierAt, nodesAt, replacement, textAt, type JsonText } from '../jsonText.ts';
import { nearest, type Problem, type ProblemContext } from './problem.ts';
import { listEntries } from '../references.ts';
import type { LinkTarget, ServerFacts } from '../serverFacts.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** Fields in links that this report or the linked one does not have. API description, Report. */
export function linkProblems({ document, kind, facts }: ProblemContext): Problem[] {
  if (kind.name !== 'report') return [];
  const links = listEntries(document, 'linkreports');
  return [...unknownColumns(document, links), ...unknownTargets(links, facts)];
}

/** Fields that rows pass on but do not have. */
function unknownColumns(document: JsonText, links: readonly Node[]): Problem[] {
  // Calculations are columns too, with names given by the server.
  if (listEntries(document, 'AdHocFields').some((total) => textAt(fieldNode(total, 'type')) === 'calc')) return [];
  const columns = listEntries(document, 'FieldList').map((entry) => {
    const text = (name: string) => textAt(fieldNode(entry, name));
    return linkName({
      RenamedField: text('RenamedField'),
      DisplayFieldName: text('DisplayFieldName'),
      ReportFieldName: text('ReportFieldName'),
      DbFieldName: text('DbFieldName'),
    });
  });
  const known = namesIn(columns);
  return links
    .flatMap((link) => nodesAt(link, 'Links.Field'))
    .flatMap((node): Problem[] => {
      const name = textAt(node);
      if (name.trim() === '' || known.has(keyOf(name))) return [];
      const message = l10n.t(
        'The report has no column "{0}" to pass on. It was removed or renamed. The link fails.',
        name,
      );
      return [unknown(node, name, message, columns)];
    });
}

function unknownTargets(links: readonly Node[], facts: ServerFacts): Problem[] {
  return links.flatMap((link) => {
    const target = facts.linkTarget?.(identifierAt(fieldNode(link, 'ReportID')) ?? '');
    const pairs = fieldNode(link, 'Links');
    // Without the labels of its report type, the target's fields are not known completely.
    if (target?.labels === undefined || pairs?.type !== 'array') return [];
    const known = namesIn(target.fields, target.labels);
    return entriesOf(pairs).flatMap((pair) => {
      const node = fieldNode(pair, 'TargetField');
      const name = textAt(node);
      return !node || name.trim() === '' || known.has(keyOf(name)) ? [] : [unknownTarget(node, name, target)];
    });
  });
}

function unknownTarget(node: Node, name: string, target: LinkTarget): Problem {
  const message = l10n.t(
    'The report "{0}" has no field "{1}": it was removed or renamed. The link fails.',
    target.name,
    name,
  );
  return unknown(node, name, message, target.fields);
}

function unknown(node: Node, name: string, message: string, fields: LinkTarget['fields']): Problem {
  return {
    code: 'unknownField',
    severity: 'warning',
    offset: node.offset,
    length: node.length,
    message,
    fixes: nearest(name, fields, ({ header }) => header).map((field) => ({
      title: l10n.t('Use {0}', field.header),
      changes: [replacement(node, targetName(field))],
    })),
  };
}

/** Names by which links can refer to a field of a report. */
export function linkName(field: ReportField): LinkTarget['fields'][number] {
  const { RenamedField, DisplayFieldName, ReportFieldName, DbFieldName } = field;
  return {
    alias: RenamedField || DisplayFieldName || DbFieldName || '',
    header: DisplayFieldName || ReportFieldName || RenamedField || DbFieldName || '',
  };
}

/**
 * How a link refers to a field of its target: by its SQL name, which does not change with the header, if it is a plain
 * one.
 */
export function targetName({ alias, header }: LinkTarget['fields'][number]): string {
  return /^\w+$/.test(alias) ? alias : header;
}

function namesIn(fields: LinkTarget['fields'], labels: readonly string[] = []): Set<string> {
  const names = fields.flatMap(({ alias, header }) => [alias, plainAlias(alias), header]);
  return new Set([...names, ...labels].map(keyOf));
}

/** SQL name of a field: everything except letters, digits and underscores is replaced by underscores. */
export function plainAlias(alias: string): string {
  return alias.replace(/[^\p{L}\p{N}_]+/gu, '_');
}

function keyOf(name: string): string {
  return name.trim().toLowerCase();
}
