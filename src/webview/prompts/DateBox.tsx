import * as l10n from '../../l10n/l10n.ts';

interface DateBoxProps {
  id: string;
  label: string;
  helpId: string;
  /** `YYYY-MM-DD`, followed by ` HH:mm:ss` if it has a time. */
  value: string;
  hasTime: boolean;
  isRequired: boolean;
  isInvalid: boolean;
  onChange: (value: string) => void;
}

/** The boxes in `place` with an incomplete date or time, whose value the browser reports as empty. */
export function incompleteIn(place: HTMLElement | null): HTMLInputElement[] {
  return [...(place?.querySelectorAll('input') ?? [])].filter(({ validity }) => validity.badInput);
}

/** A date, with an optional time of day if the column has times. */
export function DateBox({ id, label, helpId, value, hasTime, isRequired, isInvalid, onChange }: DateBoxProps) {
  const [date = '', time = ''] = value.split(' ');
  const join = (nextDate: string, nextTime: string) =>
    onChange(nextTime === '' ? nextDate : `${nextDate} ${nextTime.length === 5 ? `${nextTime}:00` : nextTime}`);
  return (
    <div class="date">
      <input
        id={id}
        type="date"
        class="input"
        value={date}
        max="9999-12-31"
        aria-label={label}
        aria-describedby={helpId}
        aria-required={isRequired}
        aria-invalid={isInvalid}
        onInput={(event) => join(event.currentTarget.value, time)}
      />
      {hasTime && (
        <input
          id={`${id}-time`}
          type="time"
          class="input is-time"
          step={1}
          value={time}
          aria-label={`${label}: ${l10n.t('Time of day (optional)')}`}
          title={l10n.t('Time of day (optional)')}
          onInput={(event) => join(date, event.currentTarget.value)}
        />
      )}
    </div>
  );
}
