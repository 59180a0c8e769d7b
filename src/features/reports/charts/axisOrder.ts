import type { CellValue } from '../../../client/results/resultCell.ts';
import type { CellKind } from '../../../contract/pages/resultsPage.ts';

/** Different texts in the order they are drawn in, and for each text given the place of its equal. */
export interface LabelPlaces {
  labels: string[];
  places: Uint32Array;
}

/** Where a label stands along an axis; undefined where it has no value. */
type AxisKey = string | number | undefined;

/** Different texts in the order of their first place. */
export function placesOf(texts: readonly string[]): LabelPlaces {
  const known = new Map<string, number>();
  const places = new Uint32Array(texts.length);
  for (const [index, text] of texts.entries()) {
    let place = known.get(text);
    if (place === undefined) known.set(text, (place = known.size));
    places[index] = place;
  }
  return { labels: [...known.keys()], places };
}

/**
 * The same texts in the order of their numbers or moments, those without one last: where rows come series by series, a line
 * would go back and forth in time. Nothing moves where all are in that order backwards, or where some cannot be ordered.
 * @param values what each of the texts given is of.
 */
export function inAxisOrder(found: LabelPlaces, kind: CellKind, values: readonly CellValue[]): LabelPlaces {
  const { labels, places } = found;
  const keys = new Array<AxisKey | null>(labels.length);
  for (const [index, place] of places.entries()) keys[place] = axisKey(kind, values[index], labels[place] ?? '');
  if (keys.includes(null)) return found;
  const compare = (one: number, other: number) => compareKeys(keys[one] ?? undefined, keys[other] ?? undefined);
  if (labels.every((_, place) => place === 0 || compare(place - 1, place) >= 0)) return found;
  const order = labels.map((_, place) => place).toSorted(compare);
  const moved = new Uint32Array(labels.length);
  for (const [place, before] of order.entries()) moved[before] = place;
  return { labels: order.map((before) => labels[before] ?? ''), places: places.map((place) => moved[place] ?? 0) };
}

/** null where a value cannot be ordered: a moment that is not written year first, a number that is none. */
function axisKey(kind: CellKind, value: CellValue, label: string): AxisKey | null {
  if (value === null || value === undefined) return undefined;
  // Moments that are written alike share a place, whatever their zones.
  if (kind === 'moment') return /^\d{4}-\d{2}-\d{2}/.test(label) ? label : null;
  const number = typeof value === 'object' ? Number(value.text) : value === '' ? NaN : Number(value);
  return Number.isNaN(number) ? null : number;
}

function compareKeys(one: AxisKey, other: AxisKey): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  return one < other ? -1 : one > other ? 1 : 0;
}
