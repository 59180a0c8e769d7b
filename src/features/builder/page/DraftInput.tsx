import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import { TypedText } from './typedText.ts';

/** A value that the page shows before the document contains it. */
interface Shown {
  /** The text to show. Always returns the latest one, even if it is not rendered yet. */
  readonly text: string;
  /** Shows the expected result of an edit that was just sent. */
  show: (text: string) => void;
}

/** A value that is typed here and confirmed by the document shortly after. */
interface Draft extends Shown {
  type: (text: string) => void;
}

/** Resolves when the edits sent so far are answered, as tracked by the page's model. */
export const Answered = createContext<() => Promise<void>>(() => Promise.resolve());

/**
 * Shows the result of edits to a document value immediately, until they are answered. The next click or choice is based
 * on that result, not on a document that lacks the previous one.
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

/** Keeps the typed text while the document catches up. */
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
  /** Id of a list of suggested values. */
  list?: string;
  /** Id of the element that describes the error. */
  describedBy?: string;
}

/** A text box for a value in the document. */
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
