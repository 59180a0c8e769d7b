import type { ColumnProfile } from '../../../contract/pages/resultCells.ts';
import { make } from '../gridModel.ts';
import * as l10n from '../../../l10n/l10n.ts';

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
export function profileText({ distinct, isCapped, missing, rows }: ColumnProfile): string {
  const number = new Intl.NumberFormat(l10n.language());
  const percent = new Intl.NumberFormat(l10n.language(), { style: 'percent', maximumFractionDigits: 1 });
  const different = l10n.t('{0} distinct', `${isCapped ? '≥ ' : ''}${number.format(distinct)}`);
  if (missing === 0) return different;
  return `${different}, ${l10n.t('{0} missing ({1})', number.format(missing), percent.format(missing / rows))}`;
}
