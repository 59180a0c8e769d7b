import { useEffect, useRef } from 'preact/hooks';
import type { CellDetail } from '../../../../contract/pages/resultCells.ts';
import type { ResultsStrings } from '../../../../contract/pages/resultsStrings.ts';
import { Button } from '../../../../webview/shared/Button.tsx';
import type { PageModel } from './pageModel.ts';

interface CellPaneProps {
  model: PageModel;
  strings: ResultsStrings;
  cell: CellDetail;
}

/** One cell, whole, beside the grid. Escape closes it and goes back to the grid. */
export function CellPane({ model, strings, cell }: CellPaneProps) {
  const { title, typeName, shown, stored } = cell;
  const place = useRef<HTMLPreElement>(null);
  useEffect(() => place.current?.focus(), [cell]);
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
