import type { Node } from 'jsonc-parser';
import { caretPlace, labelStart, sharedLabels, type CaretPlace } from '../../contract/formulaCaret.ts';
import { columnReference, isQuotable, quoted } from './formulaNames.ts';
import { fieldChanges } from './problems/reportProblems.ts';
import { fieldNode, textAt, stringNodeText, type Span, type WrittenText } from './jsonText.ts';
import type { KnownField, ServerFacts } from './serverFacts.ts';
import { snippetText, type Place, type SuggestContext, type Suggestion } from './suggestion.ts';
import { listEntries } from './references.ts';
import * as l10n from '../../l10n/l10n.ts';

/** Suggests fields, functions and report types in a report. */
export function suggestInReport(context: SuggestContext, place: Place): Suggestion[] {
  const { facts, document, offset } = context;
  const { path, span } = place;
  if (place.kind === 'entry') return path === 'FieldList' ? newFields(context, place) : [];
  if (place.kind !== 'value') return [];
  if (path === 'FieldList.DbFieldName' || path === 'FieldList.ReportFieldName') {
    return (facts.reportFields ?? []).map((field) => {
      const insert = JSON.stringify(path.endsWith('DbFieldName') ? field.column : field.name);
      const entry = place.object;
      const others = entry ? fieldChanges(entry, field).filter((change) => change.offset !== span.offset) : [];
      const filter = place.node ? `"${field.name} ${field.column}` : field.name;
      return { ...describedField(field), insert, span, filter, alsoChanges: others };
    });
  }
  if (path === 'ReportType') {
    return (facts.reportTypes ?? []).map((name) => {
      const insert = JSON.stringify(name);
      return {
        label: name,
        detail: l10n.t('report type'),
        lines: [],
        icon: 'value',
        insert,
        span,
        filter: place.node ? insert : name,
      };
    });
  }
  if (path !== 'FieldList.Formula' || place.node?.type !== 'string') return [];
  const written = stringNodeText(document, place.node);
  if (!written) return [];
  const caret: FormulaCaret = {
    written,
    offset: written.inText(offset),
    place: caretPlace(written.text, written.inText(offset)),
  };
  // No suggestions in texts in single quotes.
  if (caret.place.kind === 'text') return [];
  const own = ownColumn(place.node.parent?.parent);
  const fields = formulaFields(facts, caret);
  if (caret.place.kind === 'label') return fields;
  return [...functions(facts, spanIn(written, caret.place.start, caret.place.end), own), ...fields];
}

/** Caret position in a formula. */
interface FormulaCaret {
  written: WrittenText;
  /** Offset of the caret in the formula. */
  offset: number;
  place: CaretPlace;
}

function spanIn(written: WrittenText, start: number, end: number): Span {
  const offset = written.inDocument(start);
  return { offset, length: written.inDocument(end) - offset };
}

function describedField({ name, folder, tableAlias, column, fieldType }: KnownField) {
  return { label: name, detail: folder, lines: [`${tableAlias}.${column} · ${fieldType}`], icon: 'field' as const };
}

/** Functions of the database, with their templates: the first `?` becomes the field that the formula belongs to. */
function functions({ functions: known }: ServerFacts, span: Span, own: string): Suggestion[] {
  return (known ?? []).flatMap(({ id, name, expression, description, type, rdatatype }) => {
    const label = name || id;
    if (!label) return [];
    let stop = 0;
    const [before = '', ...after] = (expression || label).split('?');
    const open = () => `\${${++stop}:${stop === 1 && own !== '' ? snippetText(jsonPart(own)) : '?'}}`;
    return [
      {
        label,
        detail: type ?? '',
        lines: [
          expression ?? '',
          description ?? '',
          rdatatype ?? '',
          after.length === 0 ? '' : l10n.t('Use ? for the field, or for any other value.'),
        ].filter((line) => line !== ''),
        icon: 'function' as const,
        insert: after.reduce(
          (text, part) => text + open() + snippetText(jsonPart(part)),
          snippetText(jsonPart(before)),
        ),
        isSnippet: true,
        span,
        filter: label,
      },
    ];
  });
}

/** The text as escaped within a JSON string. */
function jsonPart(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** How formulas refer to the field of an entry; empty for an entry that is only a formula. */
function ownColumn(entry: Node | undefined): string {
  const [tableAlias, column] = ['DbTableAlias', 'DbFieldName'].map((name) => textAt(fieldNode(entry, name)));
  return tableAlias && column ? columnReference({ tableAlias, column }) : '';
}

/** Fields of the report type, as written in formulas: by label, if it is unambiguous. */
function formulaFields({ reportFields = [] }: ServerFacts, { written, offset, place }: FormulaCaret): Suggestion[] {
  const shared = sharedLabels(reportFields.map(({ name }) => name));
  const isColumn = place.kind === 'word' && place.word.includes('.');
  return reportFields.map((field) => {
    const { name, folder } = field;
    const column = columnReference(field);
    const byColumn = isColumn || shared.has(name.trim().toLowerCase()) || !isQuotable(name);
    const start = isColumn ? place.start : labelStart(written.text, offset, place, name);
    const opening = place.kind === 'label' ? jsonPart(written.text.slice(start, start + 1)) : '';
    return {
      label: byColumn ? column : quoted(name),
      detail: byColumn ? [folder, name].filter((part) => part !== '').join(' › ') : folder,
      lines: [],
      icon: 'field',
      insert: jsonPart(byColumn ? column : quoted(name)),
      span: spanIn(written, start, place.end),
      filter: `${opening}${name} ${column}`,
    };
  });
}

/** Whole entries for the field list, like the server's NewField. */
function newFields(context: SuggestContext, place: Extract<Place, { kind: 'entry' }>): Suggestion[] {
  const { document, facts } = context;
  const list = listEntries(document, 'FieldList');
  const index = 1 + Math.max(0, ...list.map((entry) => Math.abs(Number(fieldNode(entry, 'fieldindex')?.value) || 0)));
  const taken = new Set(list.map((entry) => textAt(fieldNode(entry, 'RenamedField')).toLowerCase()));
  return (facts.reportFields ?? []).map((field) => {
    const entry = {
      fieldindex: index,
      DbParentTableAlias: field.parentAlias,
      DbTableAlias: field.tableAlias,
      DbFieldName: field.column,
      DisplayFieldName: field.name,
      ReportFieldName: field.name,
      RenamedField: freeAlias(field.name, taken),
      Fieldtype: field.fieldType,
      SearchCriteria: '',
      strGroup: '',
      Formula: '',
      tbl5: '',
      grouped: 0,
      Criteria: [],
    };
    const { needsCommaBefore, needsCommaAfter, span } = place;
    const text = JSON.stringify(entry, undefined, 2);
    const insert = `${needsCommaBefore ? ', ' : ''}${text}${needsCommaAfter ? ', ' : ''}`;
    return { ...describedField(field), icon: 'entry' as const, insert, span, filter: field.name };
  });
}

/** A name for a column of the result that is not taken. */
function freeAlias(name: string, taken: ReadonlySet<string>): string {
  const word = name.replace(/\W+/g, '_').replace(/^_+|_+$/g, '') || 'field';
  if (!taken.has(word.toLowerCase())) return word;
  for (let number = 2; ; number++) {
    if (!taken.has(`${word}_${number}`.toLowerCase())) return `${word}_${number}`;
  }
}
