import { useState } from 'preact/hooks';
import type { PromptChoice, PromptChoices } from '../../contract/pages/promptForm.ts';
import { Icon } from '../shared/Icon.tsx';
import { ChoiceList } from './ChoiceList.tsx';
import { useChoices } from './useChoices.ts';
import * as l10n from '../../l10n/l10n.ts';

interface ChoiceBoxProps {
  id: string;
  label: string;
  helpId: string;
  value: string;
  isNumber: boolean;
  isRequired: boolean;
  isInvalid: boolean;
  onChange: (value: string) => void;
  /** Looks up values; undefined if there are none to look up. */
  onChoices: ((search: string) => Promise<PromptChoices>) | undefined;
  /** Already chosen values, for a list. */
  chosen?: readonly string[];
  /** Called instead of `onChange` when a value is picked from the list or confirmed with Enter. */
  onPick?: (value: string) => void;
  /** Called for pasted content before the box inserts it. */
  onPaste?: (event: ClipboardEvent) => void;
  /** Called for Backspace in an empty box. */
  onErase?: () => void;
}

/** A text box with a list of values that is filtered while typing (ARIA combobox). Any other text is allowed. */
export function ChoiceBox(props: ChoiceBoxProps) {
  const { id, label, value, onChange, onPick } = props;
  const choices = useChoices(props.onChoices);
  const [active, setActive] = useState(-1);
  const list = choices.found?.choices ?? [];
  const listId = `${id}-list`;

  const close = () => {
    choices.close();
    setActive(-1);
  };
  const pick = (choice: PromptChoice) => {
    (onPick ?? onChange)(choice.value);
    close();
  };
  const key = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const current = list[active];
    if (step !== 0 && props.onChoices !== undefined) {
      if (!choices.isOpen) choices.open('');
      else setActive(Math.min(Math.max(-1, active + step), list.length - 1));
    } else if (event.key === 'Escape' && choices.isOpen) close();
    else if (event.key === 'Enter' && choices.isOpen && current !== undefined) pick(current);
    else if (event.key === 'Enter' && onPick !== undefined && value.trim() !== '') {
      onPick(value.trim());
      close();
    } else if (event.key === 'Backspace' && value === '' && props.onErase !== undefined) props.onErase();
    else return;
    event.preventDefault();
  };

  return (
    <div class="combo">
      <input
        id={id}
        type="text"
        class="input"
        role={props.onChoices === undefined ? undefined : 'combobox'}
        inputMode={props.isNumber ? 'decimal' : 'text'}
        autocomplete="off"
        spellcheck={false}
        value={value}
        placeholder={props.isRequired || (props.chosen?.length ?? 0) > 0 ? undefined : l10n.t('Any')}
        aria-label={label}
        aria-describedby={props.helpId}
        aria-required={props.isRequired}
        aria-invalid={props.isInvalid}
        aria-expanded={props.onChoices === undefined ? undefined : choices.isOpen}
        aria-controls={choices.isOpen ? listId : undefined}
        aria-autocomplete={props.onChoices === undefined ? undefined : 'list'}
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
        onInput={(event) => {
          onChange(event.currentTarget.value);
          setActive(-1);
          choices.open(event.currentTarget.value);
        }}
        onKeyDown={key}
        onPaste={props.onPaste}
        onBlur={close}
      />
      {props.onChoices !== undefined && (
        <button
          type="button"
          class="combo-open"
          tabIndex={-1}
          aria-label={l10n.t('Show values')}
          title={l10n.t('Show values')}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => {
            document.getElementById(id)?.focus();
            if (choices.isOpen) close();
            else choices.open('');
          }}
        >
          <Icon name="chevron-down" />
        </button>
      )}
      {choices.isOpen && (
        <ChoiceList
          id={listId}
          label={label}
          found={choices.found}
          active={active}
          chosen={props.chosen ?? [value]}
          onPick={pick}
        />
      )}
    </div>
  );
}
