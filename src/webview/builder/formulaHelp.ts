import type { FormulaFunction, TreeEntry } from '../../protocol/builderPage.ts';

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

/** The word that the caret stands behind; empty where it stands behind none. */
export function wordBefore({ text, start }: FormulaText): string {
  return /[\p{L}_][\p{L}\p{N}_.]*$/u.exec(text.slice(0, start))?.[0] ?? '';
}

/** Functions and fields that fit a word, those that begin with it first. */
export function formulaOffers(
  word: string,
  functions: readonly FormulaFunction[],
  tree: readonly TreeEntry[],
): FormulaOffer[] {
  const needle = word.toLowerCase();
  const offers = [
    ...functions.map(({ name, description, template }): FormulaOffer => ({
      kind: 'function',
      label: name,
      detail: description,
      template,
    })),
    ...tree
      .filter(({ isFolder }) => !isFolder)
      .map(({ label, source }): FormulaOffer => {
        return { kind: 'field', label, detail: source, template: referenceTo({ label, source }) || source };
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
 */
export function referenceTo({ label, source }: Pick<TreeEntry, 'label' | 'source'>): string {
  if (source === '' || /^[A-Za-z_]\w*\.[A-Za-z_]\w*$/.test(source)) return source;
  if (label === '') return '';
  if (!/[[\]]/.test(label)) return `[${label}]`;
  return label.includes('"') ? '' : `"${label}"`;
}

/**
 * Puts an offer into a formula, in place of the word before the caret and of what is selected. The first `?` of a function
 * becomes what was selected, else the field itself, and the caret goes to the next thing to fill in.
 * @param own how formulas name the field itself; empty for a field that is only a formula.
 */
export function withOffer(formula: FormulaText, offer: FormulaOffer, own: string): FormulaText {
  const { text, start, end } = formula;
  const selected = text.slice(start, end);
  const begun = start - (selected === '' ? wordBefore(formula).length : 0);
  // Who begins a label by its bracket means the field.
  const isBracket = offer.kind === 'field' && text[begun - 1] === '[';
  const from = begun - Number(isBracket);
  const to = end + Number(isBracket && text[end] === ']');
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
