import { Icon } from './Icon.tsx';
import { ariaKeys } from './keyLabels.ts';

interface ButtonProps {
  label: string;
  onClick: () => void;
  icon?: string;
  /** Additional information, such as the shortcut. */
  hint?: string;
  /** Shortcut for screen readers, such as `Ctrl+S`. */
  keys?: string;
  /** `primary` for the main action, `quiet` for toolbars, where the label is hidden when space is limited. */
  look?: 'primary' | 'secondary' | 'quiet';
  /** Whether only the icon is shown. */
  isBare?: boolean;
  isPressed?: boolean;
  isDisabled?: boolean;
  /** The form's default button, activated by Enter. */
  isSubmit?: boolean;
}

/** A button in the style of the editor. */
export function Button({ label, onClick, icon, hint, keys, look = 'secondary', ...state }: ButtonProps) {
  return (
    <button
      type={state.isSubmit === true ? 'submit' : 'button'}
      class={`button is-${look}${state.isBare === true ? ' is-bare' : ''}`}
      title={hint ?? label}
      aria-label={label}
      aria-keyshortcuts={keys === undefined ? undefined : ariaKeys(keys)}
      aria-pressed={state.isPressed}
      disabled={state.isDisabled}
      onClick={onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span class="button-label">{label}</span>
    </button>
  );
}
