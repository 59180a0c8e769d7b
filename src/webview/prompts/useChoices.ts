import { useEffect, useRef, useState } from 'preact/hooks';
import type { PromptChoice, PromptChoices } from '../../contract/pages/promptForm.ts';

const typingPauseMs = 120;

/** Values offered by an open list. */
export interface OpenChoices {
  /** Undefined while loading for the first time. */
  found: PromptChoices | undefined;
  isOpen: boolean;
  /** Opens the list with the values that match `search`, or changes the search of an open one. */
  open(search: string): void;
  close(): void;
}

/** Looks up values on the host while the user types; only the reply to the latest request counts. */
export function useChoices(onChoices: ((search: string) => Promise<PromptChoices>) | undefined): OpenChoices {
  const [found, setFound] = useState<PromptChoices>();
  const [isOpen, setOpen] = useState(false);
  const [wanted, setWanted] = useState('');
  const question = useRef(0);
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);

  const ask = async (search: string) => {
    if (onChoices === undefined) return;
    const mine = ++question.current;
    let answer: PromptChoices;
    try {
      answer = await onChoices(search);
    } catch (error) {
      answer = { choices: [], notice: error instanceof Error ? error.message : String(error) };
    }
    if (mine === question.current) setFound(answer);
  };
  useEffect(() => () => clearTimeout(pause.current), []);

  return {
    // Keep the previous values that still match until the next reply arrives.
    found: found && { ...found, choices: found.choices.filter((choice) => isMatch(choice, wanted)) },
    isOpen,
    open: (search) => {
      if (onChoices === undefined) return;
      clearTimeout(pause.current);
      pause.current = setTimeout(() => void ask(search), isOpen ? typingPauseMs : 0);
      setWanted(search);
      setOpen(true);
    },
    close: () => {
      clearTimeout(pause.current);
      question.current++;
      setOpen(false);
      // Opened again for other words, the list would first say what was found for these.
      setFound(undefined);
    },
  };
}

function isMatch({ label, value }: PromptChoice, wanted: string): boolean {
  const needle = wanted.trim().toLowerCase();
  return label.toLowerCase().includes(needle) || value.toLowerCase().includes(needle);
}
