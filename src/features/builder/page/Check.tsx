import { useDraft } from './DraftInput.tsx';

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
