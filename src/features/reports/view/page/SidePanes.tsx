import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CellDetail, ColumnProfile } from '../../../../contract/pages/resultCells.ts';
import { type ResultsStrings, fill } from '../../../../contract/pages/resultsStrings.ts';
import { Button } from '../../../../webview/shared/Button.tsx';
import type { PageModel } from './pageModel.ts';
import { profileText } from '../../../../webview/grid/columns/profileBars.ts';

interface CellPaneProps {
  model: PageModel;
  strings: ResultsStrings;
  cell: CellDetail;
}

/** Full contents of a cell, next to the grid. Escape closes it and returns to the grid. */
export function CellPane({ model, strings, cell }: CellPaneProps) {
  const { title, typeName, shown, stored } = cell;
  const place = useRef<HTMLPreElement>(null);
  // A layout effect: a key pressed before the next paint is the pane's already.
  useLayoutEffect(() => place.current?.focus(), [cell]);
  const close = () => {
    model.closeSide();
    document.querySelector<HTMLElement>('.grid')?.focus();
  };
  return (
    <aside class="cell-pane" aria-label={title} onKeyDown={(event) => event.key === 'Escape' && close()}>
      <header>
        <div>
          <h2>{title}</h2>
          <span class="cell-type">{typeName}</span>
        </div>
        <Button look="quiet" icon="close" label={strings.closePane} onClick={close} />
      </header>
      <pre ref={place} tabIndex={0} class={shown === null ? 'cell-text is-null' : 'cell-text'}>
        {shown ?? strings.nullCell}
      </pre>
      {stored !== null && (
        <>
          <h3>{strings.storedAs}</h3>
          <pre tabIndex={0} class="cell-text">
            {stored}
          </pre>
        </>
      )}
    </aside>
  );
}

interface ProfilePaneProps {
  model: PageModel;
  strings: ResultsStrings;
  profile: ColumnProfile;
}

/** Distribution of a column's values, as labelled bars. Escape closes it and returns to the grid. */
export function ProfilePane({ model, strings, profile }: ProfilePaneProps) {
  const { title, typeName, rows, bars, others } = profile;
  const place = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => place.current?.focus(), [profile]);
  const close = () => {
    model.closeSide();
    document.querySelector<HTMLElement>('.grid')?.focus();
  };
  const number = new Intl.NumberFormat(strings.locale);
  const all = others > 0 ? [...bars, { label: strings.profileOthers, count: others }] : bars;
  const highest = Math.max(1, ...all.map(({ count }) => count));
  return (
    <aside class="cell-pane" aria-label={title} onKeyDown={(event) => event.key === 'Escape' && close()}>
      <header>
        <div>
          <h2>{title}</h2>
          <span class="cell-type">{typeName}</span>
        </div>
        <Button look="quiet" icon="close" label={strings.closePane} onClick={close} />
      </header>
      <p class="cell-type">
        {fill(strings.profileRows, number.format(rows))}, {profileText(profile, strings)}
      </p>
      <Figures strings={strings} profile={profile} />
      <table ref={place} tabIndex={0} class="profile" aria-label={strings.columnProfile}>
        <tbody>
          {all.map(({ label, count }, index) => (
            <tr key={index}>
              <th scope="row" title={label}>
                {/* An empty text, as opposed to no value. */}
                {label === '' ? '""' : label}
              </th>
              <td class="profile-count">{number.format(count)}</td>
              <td class="profile-bar" aria-hidden="true">
                <meter min={0} max={highest} value={count} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </aside>
  );
}

function Figures({ strings, profile }: Pick<ProfilePaneProps, 'strings' | 'profile'>) {
  const { least, greatest, mean } = profile;
  const parts = [
    least === undefined ? '' : fill(strings.leastOf, least),
    greatest === undefined ? '' : fill(strings.greatestOf, greatest),
    mean === undefined ? '' : fill(strings.profileMean, mean),
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : <p class="cell-type">{parts.join(' · ')}</p>;
}
