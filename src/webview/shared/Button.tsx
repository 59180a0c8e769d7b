import { Icon } from './Icon.tsx';

interface ButtonProps {
  label: string;
  onClick: () => void;
  icon?: string;
  /** More than the label says, such as the shortcut. */
  hint?: string;
  /** `primary` for the one next step, `quiet` for toolbars, where the label gives way to the icon when space is short. */
  look?: 'primary' | 'secondary' | 'quiet';
  /** Only the icon is shown. */
  isBare?: boolean;
  isPressed?: boolean;
  isDisabled?: boolean;
  /** The form's default button, which Enter presses. */
  isSubmit?: boolean;
}

/** A button that looks like the editor's own. */
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
