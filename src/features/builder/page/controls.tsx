import type { FunctionComponent } from 'preact';
import { useMemo } from 'preact/hooks';
import { useDraft } from './DraftInput.tsx';
import { Icon } from '../../../webview/shared/Icon.tsx';
import * as l10n from '../../../l10n/l10n.ts';

interface CheckProps {
  label: string;
  isChecked: boolean;
  isDisabled?: boolean;
  onChange: (isChecked: boolean) => void;
}

/** A check box for a value in the document. Shows a click immediately. */
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
  /** Whether it moves its row. */
  isMove?: boolean;
  /** Whether it has content to open. */
  isMarked?: boolean;
}

/** An icon-only button. Its label is the tooltip. */
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
 * Memoizes a component: renders it only when a prop changes, for rows of long lists and for panes that most changes do
 * not affect. Objects and functions among the props must be stable.
 */
export function kept<P extends object>(Drawn: FunctionComponent<P>): FunctionComponent<P> {
  return function Kept(props) {
    return useMemo(() => <Drawn {...props} />, Object.values(props));
  };
}

/** How to add fields, for the parts of a report that need some. */
export function noFieldsText(): string {
  return l10n.t('Select an available field and press Enter, double-click it, or drag it here.');
}
