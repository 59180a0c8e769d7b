import type { FunctionComponent } from 'preact';
import { useMemo } from 'preact/hooks';
import { useDraft } from './DraftInput.tsx';
import { Icon } from '../../../webview/shared/Icon.tsx';

interface CheckProps {
  label: string;
  isChecked: boolean;
  isDisabled?: boolean;
  onChange: (isChecked: boolean) => void;
}

/** A check box whose value lives in the document; it shows at once what was clicked. */
export function Check({ label, isChecked, isDisabled, onChange }: CheckProps) {
  const draft = useDraft(String(isChecked), (value) => onChange(value === 'true'));
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={draft.text === 'true'}
        disabled={isDisabled}
        onChange={(event) => draft.type(String(event.currentTarget.checked))}
      />
      {label}
    </label>
  );
}

interface IconButtonProps {
  icon: string;
  label: string;
  onClick: () => void;
  isPressed?: boolean;
  isDisabled?: boolean;
  /** Moves the row that it stands in. */
  isMove?: boolean;
  /** Has something to show behind it. */
  isMarked?: boolean;
}

/** A button that is only an icon; its label is its tooltip. */
export function IconButton({ icon, label, onClick, isPressed, isDisabled, isMarked, isMove }: IconButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button${isMarked === true ? ' is-marked' : ''}${isMove === true ? ' move-row' : ''}`}
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/**
 * A component that is drawn anew only when one of its props is another value: rows of long lists, and panes that most changes
 * leave as they are. Objects and functions among the props must stay the same for as long as they mean the same.
 */
export function kept<P extends object>(Drawn: FunctionComponent<P>): FunctionComponent<P> {
  return function Kept(props) {
    return useMemo(() => <Drawn {...props} />, Object.values(props));
  };
}
