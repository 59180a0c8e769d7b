import { caretPlace, labelStart, sharedLabels } from '../../../../contract/formulaCaret.ts';
import type { FormulaFunction, TreeEntry } from '../../pageContract.ts';

/** A completion item for a formula. */
export interface FormulaOffer {
  kind: 'function' | 'field';
  label: string;
  detail: string;
  /** The text to insert, with `?` as placeholders. */
  template: string;
}

/** A formula and its selection. */
export interface FormulaText {
  text: string;
  start: number;
  end: number;
}

const mostOffers = 50;

/** The word before the caret; empty if there is none, such as inside a string. */
export function wordBefore({ text, start }: FormulaText): string {
  return caretPlace(text, start).word;
}

/** Functions and fields that match the word at the caret, prefix matches first. */
export function formulaOffers(
  { text, start }: FormulaText,
  functions: readonly FormulaFunction[],
  tree: readonly TreeEntry[],
): FormulaOffer[] {
  const { word, kind } = caretPlace(text, start);
  if (kind === 'text') return [];
  const needle = word.trim().toLowerCase();
  const shared = sharedLabels(tree.filter(({ isFolder }) => !isFolder).map(({ label }) => label));
  const offers = [
    ...(kind === 'label' ? [] : functions).map(({ name, description, template }): FormulaOffer => ({
      kind: 'function',
      label: name,
      detail: description,
      template,
    })),
    ...tree
      .filter(({ isFolder }) => !isFolder)
      .map(({ label, source }): FormulaOffer => {
        const isShared = shared.has(label.trim().toLowerCase());
        return { kind: 'field', label, detail: source, template: referenceTo({ label, source }, isShared) || source };
      }),
  ];
  const ranked = offers.flatMap((offer) => {
    const at = offer.label.toLowerCase().indexOf(needle);
    const inDetail = offer.kind === 'field' && offer.detail.toLowerCase().includes(needle);
    return at < 0 && !inDetail ? [] : [{ offer, rank: at === 0 ? 0 : 1 }];
  });
  return ranked
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, mostOffers)
    .map(({ offer }) => offer);
}

/**
 * How a formula refers to a field: by table and column, or by its label if these are not plain identifiers, such as
 * `Unit Price`. Empty if a formula cannot refer to it.
 * @param isShared whether other fields have the same label, so that only table and column are unambiguous.
 */
export function referenceTo({ label, source }: Pick<TreeEntry, 'label' | 'source'>, isShared = false): string {
  if (source === '' || /^[A-Za-z_]\w*\.[A-Za-z_]\w*$/.test(source)) return source;
  if (label !== '' && !isShared && quoted(label) !== '') return quoted(label);
  const dot = source.indexOf('.');
  const [table, column] = [quoted(source.slice(0, dot)), quoted(source.slice(dot + 1))];
  return table === '' || column === '' ? '' : `${table}.${column}`;
}

/** A name in brackets, or in quotes if it contains brackets; empty if it contains both. */
function quoted(name: string): string {
  if (!/[[\]]/.test(name)) return `[${name}]`;
  return name.includes('"') ? '' : `"${name}"`;
}

/**
 * Inserts a completion, replacing the word before the caret and the selection. The first `?` of a function is replaced
 * with the selected text, or else with the field itself, and the caret moves to the next placeholder.
 * @param own how formulas refer to the field itself; empty for a formula field.
 */
export function withOffer(formula: FormulaText, offer: FormulaOffer, own: string): FormulaText {
  const { text, start, end } = formula;
  const selected = text.slice(start, end);
  const place = caretPlace(text, start);
  const isBegun = selected === '' && place.kind !== 'text';
  const labelFrom = offer.kind === 'field' ? labelStart(text, start, place, offer.label) : place.start;
  const [from, to] = isBegun ? [labelFrom, place.end] : [start, end];
  const { put, open } =
    offer.kind === 'field' ? { put: offer.template, open: -1 } : filled(offer.template, selected || own);
  const next = text.slice(0, from) + put + text.slice(to);
  if (open >= 0) return { text: next, start: from + open, end: from + open + 1 };
  return { text: next, start: from + put.length, end: from + put.length };
}

/** A template with its first `?` filled in, if there is a value, and the position of the next one or -1. */
function filled(template: string, value: string): { put: string; open: number } {
  const [first, second] = openPlaces(template);
  if (value === '' || first === undefined) return { put: template, open: first ?? -1 };
  const put = template.slice(0, first) + value + template.slice(first + 1);
  return { put, open: second === undefined ? -1 : second + value.length - 1 };
}

/** Positions of every `?` outside strings and quoted names. */
function openPlaces(template: string): number[] {
  return [...template.matchAll(/'(?:[^']|'')*'|"[^"]*"|\?/g)].flatMap(({ 0: part, index }) =>
    part === '?' ? [index] : [],
  );
}
