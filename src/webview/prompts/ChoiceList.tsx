import { useEffect, useRef } from 'preact/hooks';
import type { PromptChoice, PromptChoices } from '../../protocol/promptForm.ts';
import type { ResultsStrings } from '../../protocol/resultsStrings.ts';

interface ChoiceListProps {
  strings: ResultsStrings;
  id: string;
  label: string;
  /** Undefined while the values are on their way. */
  found: PromptChoices | undefined;
  /** Place of the value the keyboard is on; -1 for none. */
  active: number;
  /** Values that are chosen already. */
  chosen: readonly string[];
  onPick: (choice: PromptChoice) => void;
}

/** The list that drops down under a control. */
export function ChoiceList({ strings, id, label, found, active, chosen, onPick }: ChoiceListProps) {
  const place = useRef<HTMLUListElement>(null);
  useEffect(() => place.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);
  return (
    <div class="choices">
      <ul ref={place} id={id} role="listbox" aria-label={label}>
        {found?.choices.map((choice, index) => (
          <li
            key={choice.value}
            id={`${id}-${index}`}
            role="option"
            class={`choice${index === active ? ' is-active' : ''}`}
            aria-selected={chosen.includes(choice.value)}
            // The press must not take the focus from the control.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(choice)}
          >
            <span class="choice-label">{choice.label}</span>
            <span class="choice-side">{sideText(choice)}</span>
          </li>
        ))}
      </ul>
      {(found === undefined || found.notice !== '') && (
        <p class="choices-notice" role="status">
          {found === undefined ? strings.loadingValues : found.notice}
        </p>
      )}
    </div>
  );
}

/** Beside the label: the dates it stands for, or the value where the label is another text. */
function sideText({ label, value, dates }: PromptChoice): string {
  if (dates !== undefined) return dates.low === dates.high ? dates.low : `${dates.low} – ${dates.high}`;
  return label === value ? '' : value;
}
