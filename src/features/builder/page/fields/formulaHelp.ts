import { caretPlace, labelStart, sharedLabels } from '../../../../contract/formulaCaret.ts';
import type { FormulaFunction, TreeEntry } from '../../pageContract.ts';

/** Something that can be put into a formula at the caret. */
export interface FormulaOffer {
  kind: 'function' | 'field';
  label: string;
  detail: string;
  /** What is put in; `?` is filled in on the way. */
  template: string;
}

/** A formula and where the caret or the selection in it is. */
export interface FormulaText {
  text: string;
  start: number;
  end: number;
}

const mostOffers = 50;

/** What is being written before the caret; empty where nothing is, as within a text. */
export function wordBefore({ text, start }: FormulaText): string {
  return caretPlace(text, start).word;
}

/** Functions and fields that fit what is being written at the caret, those that begin with it first. */
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
 * How a formula names a field: by table and column, or by its label where those are no plain words, such as `Unit Price`.
 * Empty where it has no name that a formula can hold.
 * @param isShared whether other fields have its label, so that only table and column tell them apart.
 */
export function referenceTo({ label, source }: Pick<TreeEntry, 'label' | 'source'>, isShared = false): string {
  if (source === '' || /^[A-Za-z_]\w*\.[A-Za-z_]\w*$/.test(source)) return source;
  if (label !== '' && !isShared && quoted(label) !== '') return quoted(label);
  const dot = source.indexOf('.');
  const [table, column] = [quoted(source.slice(0, dot)), quoted(source.slice(dot + 1))];
  return table === '' || column === '' ? '' : `${table}.${column}`;
}

/** A name in brackets, or in quotes where it holds brackets; empty where it holds both. */
function quoted(name: string): string {
  if (!/[[\]]/.test(name)) return `[${name}]`;
  return name.includes('"') ? '' : `"${name}"`;
}

/**
 * Puts an offer into a formula, in place of the word before the caret and of what is selected. The first `?` of a function
 * becomes what was selected, else the field itself, and the caret goes to the next thing to fill in.
 * @param own how formulas name the field itself; empty for a field that is only a formula.
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

/** A template with its first `?` filled in, where there is something to put there, and the place of the next one or -1. */
function filled(template: string, value: string): { put: string; open: number } {
  const [first, second] = openPlaces(template);
  if (value === '' || first === undefined) return { put: template, open: first ?? -1 };
  const put = template.slice(0, first) + value + template.slice(first + 1);
  return { put, open: second === undefined ? -1 : second + value.length - 1 };
}

/** Places of every `?` outside texts and names in quotes. */
function openPlaces(template: string): number[] {
  return [...template.matchAll(/'(?:[^']|'')*'|"[^"]*"|\?/g)].flatMap(({ 0: part, index }) =>
    part === '?' ? [index] : [],
  );
}
