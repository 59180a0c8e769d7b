import type { ColumnProfile } from '../../../contract/pages/resultCells.ts';
import { fill } from '../../../contract/pages/resultsStrings.ts';
import type { ResultsStrings } from '../../../contract/pages/resultsStrings.ts';
import { make } from '../gridModel.ts';

/** Minimum height of a bar, in percent, so that a few rows among many are visible. */
const leastHeight = 8;

/** Small bars for a title. Decorative: {@link profileText} has the information as text. */
export function profileBars({ bars, others, missing }: ColumnProfile): HTMLElement {
  const place = make('span', 'grid-profile');
  place.setAttribute('aria-hidden', 'true');
  const highest = Math.max(1, ...bars.map(({ count }) => count));
  for (const { count } of bars) {
    const bar = make('span', 'grid-profile-bar');
    bar.style.height = count === 0 ? '0' : `${Math.max(leastHeight, (count / highest) * 100)}%`;
    place.append(bar);
  }
  if (others > 0) place.append(make('span', 'grid-profile-others'));
  if (missing > 0) place.append(make('span', 'grid-profile-missing'));
  return place;
}

/** What the bars cannot show: the number of distinct and of missing values. */
export function profileText({ distinct, isCapped, missing, rows }: ColumnProfile, strings: ResultsStrings): string {
  const number = new Intl.NumberFormat(strings.locale);
  const percent = new Intl.NumberFormat(strings.locale, { style: 'percent', maximumFractionDigits: 1 });
  const different = fill(strings.distinctValues, `${isCapped ? '≥ ' : ''}${number.format(distinct)}`);
  if (missing === 0) return different;
  return `${different}, ${fill(strings.missingValues, number.format(missing), percent.format(missing / rows))}`;
}
