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
      .map(({ label, source }): FormulaOffer => ({ kind: 'field', label, detail: source, template: source })),
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
 * Puts an offer into a formula, in place of the word before the caret and of what is selected. The first `?` of a function
 * becomes what was selected, else the field itself, and the caret goes to the next thing to fill in.
 * @param source `table.column` of the field; empty for a field that is only a formula.
 */
export function withOffer(formula: FormulaText, offer: FormulaOffer, source: string): FormulaText {
  const { text, start, end } = formula;
  const selected = text.slice(start, end);
  const from = start - (selected === '' ? wordBefore(formula).length : 0);
  const put = offer.kind === 'field' ? offer.template : filled(offer.template, selected || source);
  const next = text.slice(0, from) + put + text.slice(end);
  const open = put.indexOf('?');
  if (open >= 0) return { text: next, start: from + open, end: from + open + 1 };
  return { text: next, start: from + put.length, end: from + put.length };
}

/** The first `?` outside quotes, filled in; it stays where there is nothing to put there. */
function filled(template: string, value: string): string {
  if (value === '') return template;
  let isQuoted = false;
  for (const [place, character] of [...template].entries()) {
    if (character === "'") isQuoted = !isQuoted;
    if (character === '?' && !isQuoted) return template.slice(0, place) + value + template.slice(place + 1);
  }
  return template;
}
