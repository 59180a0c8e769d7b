import { isProfilePlaceholder } from '../../contract/placeholders.ts';
import { describeObject } from './describeObject.ts';
import { fieldNode, fieldPath, textAt, type JsonText, type Span } from './jsonText.ts';
import type { ReferenceKind } from './knownObjects.ts';
import { kindWord } from './kindWord.ts';
import { placeholdersAt, referencesIn, type PlacedPlaceholder } from './references.ts';
import { tagOf, type KnownField, type ServerFacts } from './serverFacts.ts';
import { fieldOfEntry, formulaWordAt, namedFieldAt } from './reportFields.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Hover content for a position in a document. Plain text, never markup. */
export interface HoverText extends Span {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Hover for the object of an id, a data tag, a report's field or a function at an offset. */
export function hoverAt(document: JsonText, kind: string, offset: number, facts: ServerFacts): HoverText | undefined {
  const node = document.nodeAt(offset);
  if (!node) return undefined;
  const reference = referencesIn(document, kind).find((found) => found.node === node);
  if (reference) return referenceHover(reference.row.to, reference.id, reference, facts);
  if (kind === 'policy' && node.type === 'string') {
    const placeholder = placeholdersAt(document, node).find(
      (found) => offset >= found.offset && offset <= found.offset + found.length,
    );
    if (placeholder) return placeholderHover(placeholder, facts);
  }
  return kind === 'report' ? reportHover(document, offset, facts) : undefined;
}

function referenceHover(kind: ReferenceKind, id: string, span: Span, facts: ServerFacts): HoverText | undefined {
  const object = facts.objects(kind)?.get(id);
  if (!object) return undefined;
  const { offset, length } = span;
  return {
    offset,
    length,
    title: `${object.name} · ${kindWord(kind)} ${id}`,
    lines: describeObject(object, facts),
  };
}

function placeholderHover({ label, offset, length }: PlacedPlaceholder, facts: ServerFacts): HoverText | undefined {
  const { normal } = label;
  if (normal !== undefined && isProfilePlaceholder(normal)) {
    return {
      offset,
      length,
      title: l10n.t('{0} of the reader’s profile', normal),
      lines: [l10n.t('Each user has their own value.')],
    };
  }
  const tag = tagOf(facts, label);
  if (!tag) return undefined;
  return { offset, length, title: l10n.t('data tag {0}', tag.name), lines: describeObject(tag, facts) };
}

function reportHover(document: JsonText, offset: number, facts: ServerFacts): HoverText | undefined {
  const node = document.nodeAt(offset);
  if (!node) return undefined;
  const { length } = node;
  const path = fieldPath(node);
  if (path === 'FieldList.Formula') {
    const named = namedFieldAt(document, offset, facts);
    if (named) return { offset: named.offset, length: named.length, ...fieldText(document, named.field) };
    const word = formulaWordAt(document, node, offset);
    const found = facts.functions?.find(({ name, id }) =>
      [name, id].some((text) => text?.toLowerCase() === word?.text.toLowerCase()),
    );
    if (!found || !word) return undefined;
    const lines = [found.expression ?? '', found.description ?? '', found.type ?? ''].filter((line) => line !== '');
    return { ...word.span, title: found.name ?? word.text, lines };
  }
  if (path !== 'FieldList.DbFieldName' && path !== 'FieldList.ReportFieldName') return undefined;
  const entry = node.parent?.parent;
  const field = entry && fieldOfEntry(entry, facts);
  if (!field) return undefined;
  return { offset: node.offset, length, ...fieldText(document, field) };
}

function fieldText(
  document: JsonText,
  { name, folder, tableAlias, column, fieldType }: KnownField,
): Pick<HoverText, 'title' | 'lines'> {
  const reportType = textAt(fieldNode(document.root, 'ReportType'));
  return {
    title: folder === '' ? name : `${folder} › ${name}`,
    lines: [`${tableAlias}.${column} · ${fieldType}`, l10n.t('report type {0}', reportType)],
  };
}
