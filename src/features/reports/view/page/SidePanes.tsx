import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CellDetail, ColumnProfile } from '../../../../contract/pages/resultCells.ts';
import { Button } from '../../../../webview/shared/Button.tsx';
import type { PageModel } from './pageModel.ts';
import { profileText } from '../../../../webview/grid/columns/profileBars.ts';
import * as l10n from '../../../../l10n/l10n.ts';

interface CellPaneProps {
  model: PageModel;
  cell: CellDetail;
}

/** Full contents of a cell, next to the grid. Escape closes it and returns to the grid. */
export function CellPane({ model, cell }: CellPaneProps) {
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
        <Button look="quiet" icon="close" label={l10n.t('Close')} onClick={close} />
      </header>
      <pre ref={place} tabIndex={0} class={shown === null ? 'cell-text is-null' : 'cell-text'}>
        {shown ?? l10n.t('null')}
      </pre>
      {stored !== null && (
        <>
          <h3>{l10n.t('Stored as')}</h3>
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
  profile: ColumnProfile;
}

/** Distribution of a column's values, as labelled bars. Escape closes it and returns to the grid. */
export function ProfilePane({ model, profile }: ProfilePaneProps) {
  const { title, typeName, rows, bars, others } = profile;
  const place = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => place.current?.focus(), [profile]);
  const close = () => {
    model.closeSide();
    document.querySelector<HTMLElement>('.grid')?.focus();
  };
  const number = new Intl.NumberFormat(l10n.language());
  const all = others > 0 ? [...bars, { label: l10n.t('Other values'), count: others }] : bars;
  const highest = Math.max(1, ...all.map(({ count }) => count));
  return (
    <aside class="cell-pane" aria-label={title} onKeyDown={(event) => event.key === 'Escape' && close()}>
      <header>
        <div>
          <h2>{title}</h2>
          <span class="cell-type">{typeName}</span>
        </div>
        <Button look="quiet" icon="close" label={l10n.t('Close')} onClick={close} />
      </header>
      <p class="cell-type">
        {l10n.t('{0} rows shown', number.format(rows))}, {profileText(profile)}
      </p>
      <Figures profile={profile} />
      <table ref={place} tabIndex={0} class="profile" aria-label={l10n.t('Distribution of {0}', title)}>
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

function Figures({ profile }: Pick<ProfilePaneProps, 'profile'>) {
  const { least, greatest, mean } = profile;
  const parts = [
    least === undefined ? '' : l10n.t('min {0}', least),
    greatest === undefined ? '' : l10n.t('max {0}', greatest),
    mean === undefined ? '' : l10n.t('mean {0}', mean),
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : <p class="cell-type">{parts.join(' · ')}</p>;
}
