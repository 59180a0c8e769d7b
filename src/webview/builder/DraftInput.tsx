import { useEffect, useRef, useState } from 'preact/hooks';

/** A value that is typed here and comes back from the document a moment later. */
export interface Draft {
  /** What to show. */
  text: string;
  type: (text: string) => void;
}

/**
 * Keeps what is being typed while the document follows: echoes of earlier keystrokes are not shown again, but a change from
 * elsewhere, such as undo, is.
 */
export function useDraft(value: string, onChange: (value: string) => void): Draft {
  const [draft, setDraft] = useState<string>();
  const sent = useRef<string[]>([]);
  useEffect(() => {
    const echo = sent.current.indexOf(value);
    sent.current = echo < 0 ? [] : sent.current.slice(echo + 1);
    if (sent.current.length === 0) setDraft(undefined);
  }, [value]);
  return {
    text: draft ?? value,
    type: (text) => {
      sent.current.push(text);
      setDraft(text);
      onChange(text);
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
