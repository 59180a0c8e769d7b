import { useEffect, useState } from 'preact/hooks';
import { fill } from '../../protocol/resultsStrings.ts';
import type { PromptChoices, PromptField, PromptProblem, PromptValue } from '../../protocol/promptForm.ts';
import type { ChoiceStrings } from '../../protocol/resultsStrings.ts';
import { Icon } from '../shared/Icon.tsx';
import { ChoiceBox } from './ChoiceBox.tsx';

interface ListBoxProps {
  strings: ChoiceStrings;
  field: PromptField;
  value: PromptValue;
  problems: PromptProblem[];
  id: string;
  helpId: string;
  onChange: (value: PromptValue) => void;
  onChoices: (search: string) => Promise<PromptChoices>;
}

/** Several values, each a chip; Backspace in the empty box takes the last one away. */
export function ListBox({ strings, field, value, problems, id, helpId, onChange, onChoices }: ListBoxProps) {
  const [text, setText] = useState(value.low);
  // What was typed comes back with the values: after the page was hidden, or with those kept under a name.
  useEffect(() => setText(value.low), [value.low]);
  const add = (entry: string) => {
    const list = entry === '' || value.list.includes(entry) ? value.list : [...value.list, entry];
    onChange({ ...value, low: '', list });
    setText('');
  };
  const remove = (entry: string) => onChange({ ...value, list: value.list.filter((present) => present !== entry) });
  return (
    <div class="list">
      {value.list.length > 0 && (
        <ul class="list-chips">
          {value.list.map((entry) => (
            <li class="list-chip" key={entry}>
              <span class="list-text">{entry}</span>
              <button
                type="button"
                class="list-remove"
                aria-label={fill(strings.removeValue, entry)}
                title={fill(strings.removeValue, entry)}
                onClick={() => remove(entry)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <ChoiceBox
        strings={strings}
        id={`${id}-low`}
        label={`${field.label}: ${strings.addValue}`}
        helpId={helpId}
        // What is typed but not confirmed yet travels as `low`, so that running takes it along.
        value={text}
        isNumber={field.input === 'number'}
        isRequired={!field.isSkipable}
        isInvalid={problems.length > 0}
        chosen={value.list}
        onChange={(typed) => {
          setText(typed);
          onChange({ ...value, low: typed });
        }}
        onPick={add}
        onErase={() => {
          const last = value.list.at(-1);
          if (last !== undefined) remove(last);
        }}
        onChoices={field.hasChoices ? onChoices : undefined}
      />
    </div>
  );
}
