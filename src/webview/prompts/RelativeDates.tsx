import { useState } from 'preact/hooks';
import type { PromptChoice, PromptChoices } from '../../protocol/promptForm.ts';
import type { ResultsStrings } from '../../protocol/resultsStrings.ts';
import { Icon } from '../shared/Icon.tsx';
import { ChoiceList } from './ChoiceList.tsx';
import { useChoices } from './useChoices.ts';

interface RelativeDatesProps {
  strings: ResultsStrings;
  id: string;
  onChoices: (search: string) => Promise<PromptChoices>;
  onPick: (dates: { low: string; high: string }) => void;
}

/** A menu of dates such as 'last month', each with the explicit dates that it puts into the controls. */
export function RelativeDates({ strings, id, onChoices, onPick }: RelativeDatesProps) {
  const choices = useChoices(onChoices);
  const [active, setActive] = useState(-1);
  const list = choices.found?.choices ?? [];
  const close = () => {
    choices.close();
    setActive(-1);
  };
  const pick = ({ dates }: PromptChoice) => {
    if (dates !== undefined) onPick(dates);
    close();
  };
  const key = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const current = list[active];
    if (step !== 0) {
      if (!choices.isOpen) choices.open('');
      else setActive(Math.min(Math.max(0, active + step), list.length - 1));
    } else if (event.key === 'Escape' && choices.isOpen) close();
    else if ((event.key === 'Enter' || event.key === ' ') && choices.isOpen && current !== undefined) pick(current);
    else return;
    event.preventDefault();
  };
  return (
    <div class="relative">
      <button
        type="button"
        class="relative-open"
        aria-haspopup="listbox"
        aria-expanded={choices.isOpen}
        aria-controls={choices.isOpen ? id : undefined}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        onClick={() => (choices.isOpen ? close() : choices.open(''))}
        onKeyDown={key}
        onBlur={close}
      >
        <Icon name="history" /> {strings.relativeDates}
      </button>
      {choices.isOpen && (
        <ChoiceList
          strings={strings}
          id={id}
          label={strings.relativeDates}
          found={choices.found}
          active={active}
          chosen={[]}
          onPick={pick}
        />
      )}
    </div>
  );
}
