import { Icon } from '../../../webview/shared/Icon.tsx';

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
