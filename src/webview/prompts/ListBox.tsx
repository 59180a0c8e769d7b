import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PromptChoices, PromptField, PromptProblem, PromptValue } from '../../contract/pages/promptForm.ts';
import { Button } from '../shared/Button.tsx';
import { Icon } from '../shared/Icon.tsx';
import { say } from '../shared/liveRegion.ts';
import { useKeptFocus } from '../shared/pageFocus.ts';
import { ChoiceBox } from './ChoiceBox.tsx';
import { DateBox, incompleteIn } from './DateBox.tsx';
import * as l10n from '../../l10n/l10n.ts';

interface ListBoxProps {
  field: PromptField;
  value: PromptValue;
  problems: PromptProblem[];
  id: string;
  helpId: string;
  onChange: (value: PromptValue) => void;
  onChoices: (search: string) => Promise<PromptChoices>;
}

/** Values pasted from a column or row of a table: one per line or cell. */
function pastedValues(text: string): string[] {
  return text.split(/[\r\n\t]+/).flatMap((entry) => entry.trim() || []);
}

/**
 * Several values as chips, also pasted ones; Backspace in the empty box removes the last one. Dates are added with
 * Enter or the button.
 */
export function ListBox(props: ListBoxProps) {
  const { field, value, problems, id, helpId, onChange, onChoices } = props;
  const [text, setText] = useState(value.low);
  // Typed text is restored with the values, after the page was hidden or from a preset. Use a layout effect: text typed
  // before the page is painted must not be lost.
  useLayoutEffect(() => setText(value.low), [value.low]);
  const add = (entry: string) => {
    const isThere = value.list.includes(entry);
    const list = entry === '' || isThere ? value.list : [...value.list, entry];
    onChange({ ...value, low: '', list });
    setText('');
    if (entry !== '') say(isThere ? l10n.t('{0} is already chosen', entry) : l10n.t('{0} added', entry));
  };
  const paste = (event: ClipboardEvent) => {
    const entries = pastedValues(event.clipboardData?.getData('text/plain') ?? '');
    // The browser would join them to one text.
    if (entries.length < 2) return;
    event.preventDefault();
    onChange({ ...value, list: [...new Set([...value.list, ...entries])] });
    say(l10n.t('{0} values added', entries.length));
  };
  const remove = (entry: string) => {
    onChange({ ...value, list: value.list.filter((present) => present !== entry) });
    say(l10n.t('{0} removed', entry));
  };
  const place = useRef<HTMLDivElement>(null);
  const removed = useRef(0);
  useKeptFocus(place, () => {
    const buttons = place.current?.querySelectorAll<HTMLElement>('.list-remove');
    return buttons?.[Math.min(removed.current, buttons.length - 1)] ?? document.getElementById(`${id}-low`);
  });
  const addDate = () => {
    // The form reports what is incomplete.
    if (incompleteIn(place.current).length > 0) place.current?.closest('form')?.requestSubmit();
    else if (text !== '') add(text);
  };
  const isDate = field.input === 'date' || field.input === 'datetime';
  const box = {
    id: `${id}-low`,
    label: `${field.label}: ${l10n.t('Add a value')}`,
    helpId,
    // Text that is typed but not confirmed is passed as `low`, so that it is used when the report runs.
    value: text,
    isRequired: !field.isSkipable,
    isInvalid: problems.length > 0,
    onChange: (typed: string) => {
      setText(typed);
      onChange({ ...value, low: typed });
    },
  };
  return (
    <div class="list" ref={place}>
      {value.list.length > 0 && (
        <ul class="list-chips">
          {value.list.map((entry, index) => (
            <li class="list-chip" key={entry}>
              <span class="list-text">{entry}</span>
              <button
                type="button"
                class="list-remove"
                aria-label={l10n.t('Remove {0}', entry)}
                title={l10n.t('Remove {0}', entry)}
                onClick={() => {
                  removed.current = index;
                  remove(entry);
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isDate ? (
        <div
          class="list-date"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || text === '' || incompleteIn(place.current).length > 0) return;
            event.preventDefault();
            add(text);
          }}
        >
          <DateBox {...box} hasTime={field.input === 'datetime'} />
          <Button look="quiet" icon="add" label={l10n.t('Add a value')} isBare onClick={addDate} />
        </div>
      ) : (
        <ChoiceBox
          {...box}
          isNumber={field.input === 'number'}
          chosen={value.list}
          onPick={add}
          onPaste={paste}
          onErase={() => {
            const last = value.list.at(-1);
            if (last !== undefined) remove(last);
          }}
          onChoices={field.hasChoices ? onChoices : undefined}
        />
      )}
    </div>
  );
}
