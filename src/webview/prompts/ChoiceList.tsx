import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { PromptChoice, PromptChoices } from '../../contract/pages/promptForm.ts';
import { say } from '../shared/liveRegion.ts';
import * as l10n from '../../l10n/l10n.ts';

interface ChoiceListProps {
  id: string;
  label: string;
  /** Undefined while loading. */
  found: PromptChoices | undefined;
  /** Index of the active value; -1 for none. */
  active: number;
  /** Already chosen values. */
  chosen: readonly string[];
  onPick: (choice: PromptChoice) => void;
}

/** Minimum room for a list below its control before it opens upwards, in pixels. */
const roomWanted = 260;

/** The drop-down list of a control, above it if there is more room. Floats above everything else. */
export function ChoiceList({ id, label, found, active, chosen, onPick }: ChoiceListProps) {
  const place = useRef<HTMLUListElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (frame.current !== null) floatBeside(frame.current);
  });
  // Not for every key that moves in the list.
  const summary = found === undefined ? '' : found.notice || countText(found.choices.length);
  useEffect(() => say(summary), [summary]);
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
            // Keep the focus in the control.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(choice)}
          >
            <span class="choice-label">{choice.label}</span>
            <span class="choice-side">{sideText(choice)}</span>
            {/* Of the active value, `aria-selected` says that it is active. */}
            {active >= 0 && chosen.includes(choice.value) && <span class="unseen">{l10n.t('chosen')}</span>}
          </li>
        ))}
      </ul>
      {(found === undefined || found.notice !== '') && (
        <p class="choices-notice">{found === undefined ? l10n.t('Loading values…') : found.notice}</p>
      )}
    </div>
  );
}

function countText(count: number): string {
  return count === 1 ? l10n.t('1 value') : l10n.t('{0} values', count);
}

/** Positions the list next to its parent control. */
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

/** Text next to the label: the dates that it represents, or the value if it differs from the label. */
function sideText({ label, value, dates }: PromptChoice): string {
  if (dates !== undefined) return dates.low === dates.high ? dates.low : `${dates.low} – ${dates.high}`;
  return label === value ? '' : value;
}
