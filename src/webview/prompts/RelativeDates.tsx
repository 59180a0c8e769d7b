import { useState } from 'preact/hooks';
import type { PromptChoice, PromptChoices, RelativeDate } from '../../contract/pages/promptForm.ts';
import type { ResultsStrings } from '../../contract/pages/resultsStrings.ts';
import { Icon } from '../shared/Icon.tsx';
import { ChoiceList } from './ChoiceList.tsx';
import { useChoices } from './useChoices.ts';

interface RelativeDatesProps {
  strings: ResultsStrings;
  id: string;
  /** Name of the prompt. */
  name: string;
  /** Those that stand in the controls. */
  chosen: readonly RelativeDate[];
  onChoices: (search: string) => Promise<PromptChoices>;
  onPick: (date: RelativeDate, isRelative: boolean) => void;
}

/** Dates such as 'last month' to choose from, each with the explicit dates that it puts into the controls (ARIA select-only combobox). */
export function RelativeDates({ strings, id, name, chosen, onChoices, onPick }: RelativeDatesProps) {
  const choices = useChoices(onChoices);
  const [active, setActive] = useState(-1);
  const list = choices.found?.choices ?? [];
  const close = () => {
    choices.close();
    setActive(-1);
  };
  const pick = ({ value, label, dates, isRelative = false }: PromptChoice) => {
    if (dates !== undefined) onPick({ expression: value, label, ...dates }, isRelative);
    close();
  };
  const shown = chosen.map(({ label }) => label).join(', ') || strings.relativeDates;
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
        role="combobox"
        aria-label={`${name}: ${strings.relativeDates}`}
        aria-haspopup="listbox"
        aria-expanded={choices.isOpen}
        aria-controls={choices.isOpen ? id : undefined}
        aria-activedescendant={active >= 0 ? `${id}-${active}` : undefined}
        onClick={() => (choices.isOpen ? close() : choices.open(''))}
        onKeyDown={key}
        onBlur={close}
      >
        <Icon name="history" /> <span class="relative-text">{shown}</span>
      </button>
      {choices.isOpen && (
        <ChoiceList
          strings={strings}
          id={id}
          label={strings.relativeDates}
          found={choices.found}
          active={active}
          chosen={chosen.map(({ expression }) => expression)}
          onPick={pick}
        />
      )}
    </div>
  );
}
