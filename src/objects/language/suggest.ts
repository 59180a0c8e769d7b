import { isPolicyOperator } from '../../contract/operators.ts';
import { comparisonOperators } from '../notes/libraryNotes.ts';
import { placeholderOf, profilePlaceholders } from '../../contract/placeholders.ts';
import { constraintFields, constraintValues } from './constraintForm.ts';
import { describeObject } from './describeObject.ts';
import { fieldNode, identifierAt, nodesAt, textAt, type JsonText, type Span } from './jsonText.ts';
import type { KnownObject, ReferenceKind } from './knownObjects.ts';
import { kindWord } from './kindWord.ts';
import { referenceRows, type ReferenceRow } from './references.ts';
import { suggestInReport } from './suggestInReport.ts';
import type { ServerFacts } from './serverFacts.ts';
import { suggestTimeZone } from './timeZones.ts';
import { placeAt, snippetText, textEdit, type Place, type SuggestContext, type Suggestion } from './suggestion.ts';
import * as l10n from '../../l10n/l10n.ts';

/** References at an offset of a document, to be looked up in advance. */
export interface Needed {
  readonly objects: readonly ReferenceKind[];
  readonly columns: boolean;
}

/** The references that {@link suggest} needs at an offset. */
export function neededAt(document: JsonText, kind: string, offset: number): Needed {
  const place = placeAt(document, offset);
  if (!place) return { objects: [], columns: false };
  const { path } = place;
  const isConstraint = kind === 'policy' && (path === 'Constraints' || path.startsWith('Constraints.'));
  const rows = referenceRows(kind).filter((row) => row.path === path || row.path.startsWith(`${path}.`));
  const objects = new Set(place.kind === 'key' ? [] : rows.map(({ to }) => to));
  if (isConstraint) for (const list of ['policy', 'tag'] as const) objects.add(list);
  const field = path.slice(path.lastIndexOf('.') + 1);
  return { objects: [...objects], columns: isConstraint && place.kind === 'value' && isColumnField(field) };
}

/** All suggestions at an offset that the JSON schema does not provide. */
export function suggest(context: SuggestContext): Suggestion[] {
  const { document, kind, offset } = context;
  const place = placeAt(document, offset);
  if (!place) return [];
  const own = kind === 'report' ? suggestInReport(context, place) : [];
  switch (place.kind) {
    case 'value':
      return [
        ...own,
        ...suggestTimeZone(context, place),
        ...ids(context, place),
        ...(kind === 'policy' ? constraintValue(context, place) : []),
      ];
    case 'entry':
      return [...own, ...entries(context, place)];
    case 'key':
      return kind === 'policy' && place.path === 'Constraints' ? constraintKeys(context, place) : [];
  }
}

type ValuePlace = Extract<Place, { kind: 'value' }>;
type EntryPlace = Extract<Place, { kind: 'entry' }>;

function ids(context: SuggestContext, place: ValuePlace): Suggestion[] {
  const { kind, facts } = context;
  const { path, span, node } = place;
  const row = referenceRows(kind).find((candidate) => candidate.path === path);
  if (!row) return [];
  const isNumber = node ? node.type === 'number' : row.isNumber === true;
  return objects(facts, row).map((object) => {
    const { id, name } = object;
    const edit =
      isNumber && Number.isFinite(Number(id))
        ? { insert: id, span, filter: node === undefined ? name : `${id}${name} ${id}` }
        : textEdit(context, place, id, node === undefined ? name : `${name} ${id}`);
    return { ...described(object, row.to, facts), ...edit };
  });
}

function objects(facts: ServerFacts, { to }: ReferenceRow): KnownObject[] {
  return [...(facts.objects(to)?.values() ?? [])];
}

function described(object: KnownObject, kind: ReferenceKind, facts: ServerFacts) {
  return {
    label: object.name,
    detail: `${kindWord(kind)} ${object.id}`,
    lines: describeObject(object, facts),
    icon: kind === 'tag' ? ('tag' as const) : ('object' as const),
  };
}

/** Whole entries for lists of references, for objects that are not in the list yet. */
function entries(context: SuggestContext, place: EntryPlace): Suggestion[] {
  const { document, kind, facts } = context;
  if (kind === 'policy' && place.path === 'Constraints') return newConstraint(context, place);
  const row = referenceRows(kind).find((candidate) => candidate.path.startsWith(`${place.path}.`));
  if (!row || !place.list || row.path.split('.').length !== place.path.split('.').length + 1) return [];
  const present = new Set(nodesAt(document.root, row.path).map(identifierAt));
  return objects(facts, row)
    .filter(({ id }) => !present.has(id))
    .map((object) => ({
      ...described(object, row.to, facts),
      icon: 'entry' as const,
      insert: entryText(entryBody(kind, row, object), place),
      isSnippet: true,
      span: place.span,
      filter: object.name,
    }));
}

/** Snippet for a new entry. */
function entryBody(kind: string, row: ReferenceRow, { id, name, detail }: KnownObject): string {
  const field = row.path.slice(row.path.lastIndexOf('.') + 1);
  const idText = `${JSON.stringify(field)}: ${snippetText(JSON.stringify(id))}`;
  const text = (value: string) => snippetText(JSON.stringify(value));
  switch (`${kind} ${row.path}`) {
    case 'policy Users.ID':
      return `{ ${idText}, "LoginName": ${text(name)}, "FullName": ${text(detail)} \\}`;
    case 'tag SecurityGroups.RightID':
    case 'tag Contacts.RightID':
      return `{ ${idText}, "Option1": "\${1:value}" \\}`;
    case 'user UserApplications.ApplicationID':
      return `{ ${idText}, "ApplicationName": ${text(name)}, "ApplicationRoleID": "\${1|5,6,7|}" \\}`;
    default:
      return `{ ${idText} \\}`;
  }
}

/** An entry with the commas needed at its position in the list. */
export function entryText(body: string, { needsCommaBefore, needsCommaAfter }: EntryPlace): string {
  return `${needsCommaBefore ? ', ' : ''}${body}${needsCommaAfter ? ', ' : ''}`;
}

/** A constraint in the form used by this server's policies. */
function newConstraint({ facts }: SuggestContext, place: EntryPlace): Suggestion[] {
  const form = constraintFields(facts);
  if (!form) return [];
  let stop = 0;
  const fields = Object.entries(form).map(([name, value]) => {
    const isOpen = typeof value === 'string';
    const start = isOpen
      ? `"\${${++stop}:${snippetText(/^(=|AND)$/.test(value) ? value : '')}}"`
      : snippetText(JSON.stringify(value));
    return `  ${snippetText(JSON.stringify(name))}: ${start}`;
  });
  return [
    {
      label: l10n.t('New constraint'),
      detail: Object.keys(form).join(', '),
      lines: [l10n.t('Compares a column with text, a data tag or a field of the reader’s profile.')],
      icon: 'entry',
      insert: entryText(`{\n${fields.join(',\n')}\n\\}`, place),
      isSnippet: true,
      span: place.span,
      filter: l10n.t('New constraint'),
    },
  ];
}

function constraintKeys({ facts }: SuggestContext, place: Extract<Place, { kind: 'key' }>): Suggestion[] {
  const form = constraintFields(facts) ?? {};
  return Object.entries(form)
    .filter(([name]) => !fieldNode(place.object, name))
    .map(([name, value]) => ({
      label: name,
      detail: typeof value,
      lines: [],
      icon: 'key',
      insert: place.hasValue
        ? JSON.stringify(name)
        : `${snippetText(JSON.stringify(name))}: ${typeof value === 'string' ? '"$1"' : snippetText(JSON.stringify(value))}`,
      isSnippet: !place.hasValue,
      span: place.span,
      filter: place.span.length > 0 ? JSON.stringify(name) : name,
    }));
}

/** Names of fields with the owner of a table, such as `TableOwner`. */
const ownerField = /owner|schema/i;

function isColumnField(field: string): boolean {
  return /column|field|table|owner|schema/i.test(field);
}

/** Values of a constraint: tags, values in other constraints of the server, columns of report types. */
function constraintValue(context: SuggestContext, place: ValuePlace): Suggestion[] {
  const { path, span, node, object } = place;
  const wholeValue = (value: string, detail: string): Suggestion => ({
    ...{ label: value, detail, lines: [], icon: 'value' },
    ...textEdit(context, place, value),
  });
  if (!path.startsWith('Constraints.') || (node && node.type !== 'string')) return [];
  const field = path.slice(path.lastIndexOf('.') + 1);
  if (referenceRows('policy').some((row) => row.path === path)) return [];
  const known = /operator|^op$/i.test(field)
    ? comparisonOperators
        .filter(({ value }) => isPolicyOperator(value))
        .map(({ value, meaning }) => wholeValue(value, l10n.listed(meaning)))
    : isColumnField(field)
      ? columns(context, field, object, wholeValue)
      : placeholders(context, node ? span : undefined);
  const listed = new Set(known.map(({ label }) => label));
  const learned = constraintValues(context.facts, field)
    .filter((value) => !listed.has(value) && !/operator|^op$/i.test(field))
    .slice(0, 50)
    .map((value) => wholeValue(value, l10n.t('used by another policy')));
  return [...known, ...learned];
}

/** Names of tables, schemas or columns; only those of the constraint's table if it has one. */
function columns(
  { facts }: SuggestContext,
  field: string,
  object: ValuePlace['object'],
  make: (value: string, detail: string) => Suggestion,
): Suggestion[] {
  const isTable = (name: string) => /table/i.test(name) && !ownerField.test(name);
  const named = object?.children?.find((property) => isTable(String(property.children?.[0]?.value)));
  const table = textAt(named?.children?.[1]).toLowerCase();
  const rows = facts.columns ?? [];
  const values = new Map<string, string>();
  if (ownerField.test(field)) {
    for (const row of rows) if (row.owner !== '') values.set(row.owner, row.table);
  } else if (isTable(field)) {
    for (const row of rows) values.set(row.table, row.owner);
  } else {
    const own = rows.filter((row) => row.table.toLowerCase() === table);
    for (const row of own.length > 0 ? own : rows) values.set(row.column, `${row.table} · ${row.label}`);
  }
  return [...values].map(([value, detail]) => make(value, detail));
}

/** Data tags and profile fields, replacing the placeholder at the offset, if any. */
function placeholders({ document, facts, offset }: SuggestContext, text: Span | undefined): Suggestion[] {
  const typed = text ? (/\/(?:#[^#/"]*)?$/.exec(document.text.slice(text.offset + 1, offset))?.[0] ?? '') : '';
  const rest =
    text && typed.length > 1 ? (/^[^#/"\s]*#\//.exec(document.text.slice(offset, offset + 100))?.[0] ?? '') : '';
  const span = { offset: offset - typed.length, length: typed.length + rest.length };
  const make = (label: string, detail: string, lines: readonly string[]): Suggestion => {
    const placeholder = placeholderOf(label);
    const insert = text ? JSON.stringify(placeholder).slice(1, -1) : JSON.stringify(placeholder);
    return { label: placeholder, detail, lines, icon: 'tag', insert, span, filter: placeholder };
  };
  return [
    ...[...(facts.objects('tag')?.values() ?? [])].map((tag) =>
      make(tag.name, l10n.t('data tag'), describeObject(tag, facts)),
    ),
    ...profilePlaceholders.map((name) => make(name, l10n.t('of the reader’s profile'), [])),
  ];
}
