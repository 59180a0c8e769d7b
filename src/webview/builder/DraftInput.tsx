import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { TypedText } from './typedText.ts';

/** A value that is typed here and comes back from the document a moment later. */
export interface Draft {
  /** What to show. */
  text: string;
  type: (text: string) => void;
}

/** When the edits that were sent so far are answered, as the page's model knows it. */
export const Answered = createContext<() => Promise<void>>(() => Promise.resolve());

/** Keeps what is being typed while the document follows. */
export function useDraft(value: string, onChange: (value: string) => void): Draft {
  const answered = useContext(Answered);
  const [, redraw] = useState(0);
  const [typed] = useState(() => new TypedText(() => redraw((count) => count + 1)));
  return {
    text: typed.text ?? value,
    type: (text) => {
      onChange(text);
      typed.type(text, answered());
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
