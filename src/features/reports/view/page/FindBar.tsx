import { useEffect, useRef } from 'preact/hooks';
import { fill } from '../../../../contract/pages/resultsStrings.ts';
import type { ResultsStrings } from '../../../../contract/pages/resultsStrings.ts';
import { Button } from '../../../../webview/shared/Button.tsx';
import type { FindState, GridFind } from './gridFind.ts';

interface FindBarProps {
  strings: ResultsStrings;
  find: GridFind;
  state: FindState;
}

/** Finds text in the grid: Enter and F3 lead to the next cell, with Shift to the one before, Escape closes. */
export function FindBar({ strings, find, state }: FindBarProps) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.select(), [state.opened]);
  const { text, rows } = state;
  const isMissing = text !== '' && rows === 0;
  return (
    <div
      class="find-bar"
      role="search"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        find.close();
      }}
    >
      <input
        ref={box}
        type="text"
        class={`input${isMissing ? ' is-missing' : ''}`}
        value={text}
        placeholder={strings.findText}
        aria-label={strings.findText}
        spellcheck={false}
        onInput={(event) => find.type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          find.step(event.shiftKey);
        }}
      />
      <span class="find-count" role="status">
        {text === '' || rows === undefined ? '' : foundText(strings, rows)}
      </span>
      <Button
        look="quiet"
        icon="arrow-up"
        label={strings.findPrevious}
        hint={`${strings.findPrevious} (Shift+F3)`}
        isBare
        isDisabled={isMissing}
        onClick={() => find.step(true)}
      />
      <Button
        look="quiet"
        icon="arrow-down"
        label={strings.findNext}
        hint={`${strings.findNext} (F3)`}
        isBare
        isDisabled={isMissing}
        onClick={() => find.step(false)}
      />
      <Button look="quiet" icon="close" label={strings.closePane} isBare onClick={() => find.close()} />
    </div>
  );
}

function foundText(strings: ResultsStrings, rows: number): string {
  if (rows === 0) return strings.notFound;
  return rows === 1 ? strings.foundInRow : fill(strings.foundInRows, rows.toLocaleString(strings.locale));
}
