import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { PromptChoice, PromptChoices } from '../../contract/pages/promptForm.ts';
import type { ChoiceStrings } from '../../contract/pages/resultsStrings.ts';

interface ChoiceListProps {
  strings: ChoiceStrings;
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

/** Room that a list wants below its control before it opens upwards, in pixels. */
const roomWanted = 260;

/** The list that drops down under a control, or up where there is more room. It floats above all else. */
export function ChoiceList({ strings, id, label, found, active, chosen, onPick }: ChoiceListProps) {
  const place = useRef<HTMLUListElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (frame.current !== null) floatBeside(frame.current);
  });
  useEffect(() => place.current?.children[active]?.scrollIntoView({ block: 'nearest' }), [active]);
  return (
    <div class="choices" ref={frame}>
      <ul ref={place} id={id} role="listbox" aria-label={label}>
        {found?.choices.map((choice, index) => (
          <li
            key={choice.value}
            id={`${id}-${index}`}
            role="option"
            class={`choice${index === active ? ' is-active' : ''}${chosen.includes(choice.value) ? ' is-chosen' : ''}`}
            aria-selected={active < 0 ? chosen.includes(choice.value) : index === active}
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

/** Puts the list next to the control that it is an element of. */
function floatBeside(list: HTMLElement): void {
  const control = list.parentElement?.getBoundingClientRect();
  if (control === undefined) return;
  const width = Math.max(control.width, 270);
  const isBelow = window.innerHeight - control.bottom > Math.min(roomWanted, control.top);
  list.style.width = `${width}px`;
  list.style.left = `${Math.max(8, control.right - width)}px`;
  list.style.top = isBelow ? `${control.bottom + 2}px` : 'auto';
  list.style.bottom = isBelow ? 'auto' : `${window.innerHeight - control.top + 2}px`;
}

/** Beside the label: the dates it stands for, or the value where the label is another text. */
function sideText({ label, value, dates }: PromptChoice): string {
  if (dates !== undefined) return dates.low === dates.high ? dates.low : `${dates.low} – ${dates.high}`;
  return label === value ? '' : value;
}
