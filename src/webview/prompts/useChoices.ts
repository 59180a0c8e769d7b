import { useEffect, useRef, useState } from 'preact/hooks';
import type { PromptChoice, PromptChoices } from '../../contract/pages/promptForm.ts';

const typingPauseMs = 120;

/** Values offered while a list is open. */
export interface OpenChoices {
  /** Undefined while they are on their way for the first time. */
  found: PromptChoices | undefined;
  isOpen: boolean;
  /** Opens the list with the values that match `search`, or changes what an open one looks for. */
  open(search: string): void;
  close(): void;
}

/** Looks values up on the host as the user types; only the answer to the latest question counts. */
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
    // The answer to an earlier question stays until the next one comes, without what no longer matches.
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
    },
  };
}

function isMatch({ label, value }: PromptChoice, wanted: string): boolean {
  const needle = wanted.trim().toLowerCase();
  return label.toLowerCase().includes(needle) || value.toLowerCase().includes(needle);
}
