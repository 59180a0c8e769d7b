import { Icon } from './Icon.tsx';

interface ButtonProps {
  label: string;
  onClick: () => void;
  icon?: string;
  /** Additional information, such as the shortcut. */
  hint?: string;
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
export function Button({ label, onClick, icon, hint, look = 'secondary', ...state }: ButtonProps) {
  return (
    <button
      type={state.isSubmit === true ? 'submit' : 'button'}
      class={`button is-${look}${state.isBare === true ? ' is-bare' : ''}`}
      title={hint ?? label}
      aria-label={label}
      aria-pressed={state.isPressed}
      disabled={state.isDisabled}
      onClick={onClick}
    >
      {icon !== undefined && <Icon name={icon} />}
      <span class="button-label">{label}</span>
    </button>
  );
}
