import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { TypedText } from './typedText.ts';

/** A value that the page shows before the document has it. */
interface Shown {
  /** What to show; read anew, it is what was shown last, drawn or not. */
  readonly text: string;
  /** Shows what an edit that was just sent makes of it. */
  show: (text: string) => void;
}

/** A value that is typed here and comes back from the document a moment later. */
interface Draft extends Shown {
  type: (text: string) => void;
}

/** When the edits that were sent so far are answered, as the page's model knows it. */
export const Answered = createContext<() => Promise<void>>(() => Promise.resolve());

/**
 * Shows at once what edits make of a value of the document, until they are answered: what is clicked or chosen next is worked
 * out from there, not from a document that does not know of the click before.
 */
export function useShown(value: string): Shown {
  const answered = useContext(Answered);
  const [, redraw] = useState(0);
  const [typed] = useState(() => new TypedText(() => redraw((count) => count + 1)));
  return {
    get text() {
      return typed.text ?? value;
    },
    show: (text) => typed.type(text, answered()),
  };
}

/** Keeps what is being typed while the document follows. */
export function useDraft(value: string, onChange: (value: string) => void): Draft {
  const shown = useShown(value);
  return {
    get text() {
      return shown.text;
    },
    show: shown.show,
    type: (text) => {
      onChange(text);
      shown.show(text);
    },
  };
}

interface DraftInputProps {
  value: string;
  label: string;
  onChange: (value: string) => void;
  id?: string;
  class?: string;
  placeholder?: string;
  inputMode?: 'decimal' | 'numeric';
  isInvalid?: boolean;
  /** Id of a list of values that are offered. */
  list?: string;
  /** Id of the words that say what is wrong. */
  describedBy?: string;
}

/** A text box whose value lives in the document. */
export function DraftInput({ value, label, onChange, isInvalid, describedBy, ...rest }: DraftInputProps) {
  const draft = useDraft(value, onChange);
  return (
    <input
      type="text"
      id={rest.id}
      class={`input ${rest.class ?? ''}`}
      autocomplete="off"
      spellcheck={false}
      inputMode={rest.inputMode}
      list={rest.list}
      placeholder={rest.placeholder}
      aria-label={label}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      value={draft.text}
      onInput={(event) => draft.type(event.currentTarget.value)}
    />
  );
}
