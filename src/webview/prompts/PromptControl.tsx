import { useState } from 'preact/hooks';
import {
  fixedDates,
  type PromptChoices,
  type PromptField,
  type PromptProblem,
  type PromptValue,
  type RelativeDate,
  type PromptChoice,
} from '../../contract/pages/promptForm.ts';
import { ChoiceBox } from './ChoiceBox.tsx';
import { DateBox } from './DateBox.tsx';
import { ListBox } from './ListBox.tsx';
import { Icon } from '../shared/Icon.tsx';
import { ChoiceList } from './ChoiceList.tsx';
import { useChoices } from './useChoices.ts';
import * as l10n from '../../l10n/l10n.ts';

interface PromptControlProps {
  field: PromptField;
  value: PromptValue;
  problems: PromptProblem[];
  id: string;
  onChange: (value: PromptValue) => void;
  onChoices: (search: string) => Promise<PromptChoices>;
}

/** One prompt: its name, whether it is optional, its control, and help or the problem. */
export function PromptControl(props: PromptControlProps) {
  const { field, value, problems, id, onChange } = props;
  const isRange = field.mode === 'between';
  const isDate = field.input === 'date' || field.input === 'datetime';
  const helpId = `${id}-help`;
  const relative = fixedDates(field.mode, value);
  const relativeHelp = relative
    .map(({ label }) => l10n.t('{0} (as of today). Saved relative values move with the calendar.', label))
    .join(' ');
  const help = [field.help, relativeHelp].filter((text) => text !== '').join(' ');
  return (
    <div class={`prompt${value.isSkipped ? ' is-skipped' : ''}`} role="group" aria-labelledby={`${id}-label`}>
      <div class="prompt-head">
        <label class="prompt-label" id={`${id}-label`} for={`${id}-low`}>
          {field.label}
          {!field.isSkipable && (
            // The controls have their own required state.
            <span class="prompt-required" title={l10n.t('Required')} aria-hidden="true">
              *
            </span>
          )}
        </label>
        {isDate && field.hasChoices && !value.isSkipped && (
          <RelativeDates
            id={`${id}-relative`}
            name={field.label}
            chosen={relative}
            onChoices={props.onChoices}
            onPick={(date, isRelative) => onChange(withDate(field, value, date, isRelative))}
          />
        )}
        {field.isSkipable && (
          <label class="prompt-skip">
            <input
              type="checkbox"
              checked={value.isSkipped}
              onChange={(event) => onChange({ ...value, isSkipped: event.currentTarget.checked })}
            />
            {l10n.t('Skip')}
          </label>
        )}
      </div>
      {value.isSkipped ? (
        <p class="prompt-help">{l10n.t('Not used as a filter.')}</p>
      ) : (
        <>
          {field.mode === 'none' ? null : field.mode === 'inList' ? (
            <ListBox {...props} helpId={helpId} />
          ) : isRange ? (
            <div class="prompt-range">
              <Value
                {...props}
                part="low"
                helpId={helpId}
                label={`${field.label}: ${l10n.t('From')}`}
                title={l10n.t('From')}
              />
              <Value
                {...props}
                part="high"
                helpId={helpId}
                label={`${field.label}: ${l10n.t('To')}`}
                title={l10n.t('To')}
              />
            </div>
          ) : (
            <Value {...props} part="low" helpId={helpId} label={field.label} />
          )}
          {problems.length === 0 ? (
            help !== '' && (
              <p class="prompt-help" id={helpId}>
                {help}
              </p>
            )
          ) : (
            <p class="prompt-problem" id={helpId}>
              {[...new Set(problems.map(({ message }) => message))].join(' ')}
            </p>
          )}
        </>
      )}
    </div>
  );
}

/**
 * The value after choosing from the menu of dates: both ends of a range, an additional list entry, or the single value.
 */
function withDate({ mode }: PromptField, value: PromptValue, date: RelativeDate, isRelative: boolean): PromptValue {
  const { low, high } = date;
  const added = isRelative ? [date] : [];
  if (mode === 'between') return { ...value, low, high, relative: added };
  if (mode !== 'inList') return { ...value, low, relative: added };
  // A value already in the list was entered as an explicit date.
  return value.list.includes(low)
    ? value
    : { ...value, list: [...value.list, low], relative: [...(value.relative ?? []), ...added] };
}

interface ValueProps extends PromptControlProps {
  part: 'low' | 'high';
  helpId: string;
  label: string;
  /** Label of the control for one end of a range. */
  title?: string;
}

/** One value, with the control for its type. */
function Value({ part, label, title, helpId, ...props }: ValueProps) {
  const { field, value, problems, id, onChange } = props;
  const shared = {
    id: `${id}-${part}`,
    label,
    helpId,
    value: value[part],
    isRequired: !field.isSkipable,
    isInvalid: problems.some((problem) => problem.part === part),
    // A date that is entered stays explicit, even if it equals a relative date today.
    onChange: (text: string) => onChange({ ...value, [part]: text, relative: [] }),
  };
  const isDate = field.input === 'date' || field.input === 'datetime';
  return (
    <div class="prompt-value">
      {title !== undefined && <span class="prompt-end">{title}</span>}
      {isDate ? (
        <DateBox {...shared} hasTime={field.input === 'datetime'} />
      ) : (
        <ChoiceBox
          {...shared}
          isNumber={field.input === 'number'}
          onChoices={field.hasChoices ? props.onChoices : undefined}
        />
      )}
    </div>
  );
}

interface RelativeDatesProps {
  id: string;
  /** Name of the prompt. */
  name: string;
  /** The relative dates in the controls. */
  chosen: readonly RelativeDate[];
  onChoices: (search: string) => Promise<PromptChoices>;
  onPick: (date: RelativeDate, isRelative: boolean) => void;
}

/**
 * Menu of relative dates such as 'last month', each with the explicit dates that it enters into the controls (ARIA
 * select-only combobox).
 */
function RelativeDates({ id, name, chosen, onChoices, onPick }: RelativeDatesProps) {
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
  const shown = chosen.map(({ label }) => label).join(', ') || l10n.t('Relative');
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
        aria-label={`${name}: ${l10n.t('Relative')}`}
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
          id={id}
          label={l10n.t('Relative')}
          found={choices.found}
          active={active}
          chosen={chosen.map(({ expression }) => expression)}
          onPick={pick}
        />
      )}
    </div>
  );
}
