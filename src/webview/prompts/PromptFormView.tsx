import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { emptyPromptValue, isAsked } from '../../contract/pages/promptForm.ts';
import type { PromptChoices, PromptForm, PromptProblem, PromptValue } from '../../contract/pages/promptForm.ts';
import { Button } from '../shared/Button.tsx';
import { say } from '../shared/liveRegion.ts';
import { focusHere } from '../shared/pageFocus.ts';
import { incompleteIn } from './DateBox.tsx';
import { PresetBar } from './PresetBar.tsx';
import type { PresetCalls } from './PresetBar.tsx';
import { PromptControl } from './PromptControl.tsx';
import * as l10n from '../../l10n/l10n.ts';

interface PromptFormProps {
  form: PromptForm;
  /** Values typed before the page was last hidden. */
  draft: PromptValue[] | undefined;
  onChange: (values: PromptValue[]) => void;
  /** Submits the values; returns their problems. */
  onSubmit: (values: PromptValue[]) => Promise<PromptProblem[]>;
  onClose: () => void;
  onChoices: (index: number, search: string) => Promise<PromptChoices>;
  presets: PresetCalls;
}

/** The form for the values that a report requires: one column, keyboard first. Enter runs, Escape closes. */
export function PromptFormView(props: PromptFormProps) {
  const { form, draft, onChange, onSubmit, onClose, onChoices } = props;
  const [values, setValues] = useState(draft ?? form.values);
  const [problems, setProblems] = useState<PromptProblem[]>(form.problems);
  /** Number of submits with invalid values. */
  const [refusals, setRefusals] = useState(0);
  const [isSending, setSending] = useState(false);
  const place = useRef<HTMLFormElement>(null);
  const isSent = useRef(false);

  // Layout effects: what is typed before the next paint is the form's already.
  useLayoutEffect(() => {
    const opener = document.activeElement;
    focusFirst(place.current, '.prompt .input', '.prompt input');
    return () => {
      // Sent values lead to the rows; without them, the work goes on where the form was opened.
      if (!isSent.current && opener instanceof HTMLElement && place.current?.contains(document.activeElement) === true)
        opener.focus();
    };
  }, []);
  // Only after submitting: while the user corrects a value, the focus stays there.
  useLayoutEffect(() => {
    const before = document.activeElement;
    focusFirst(place.current, '[aria-invalid="true"]');
    // A control that gets the focus is read with its problem.
    if (before !== document.body && before === document.activeElement) say(problems[0]?.message ?? '');
  }, [refusals]);

  const change = (index: number, value: PromptValue) => {
    const next = values.map((present, at) => (at === index ? value : present));
    setValues(next);
    setProblems(problems.filter((problem) => problem.index !== index));
    onChange(next);
  };
  const replace = (next: PromptValue[]) => {
    setValues(next);
    setProblems([]);
    onChange(next);
  };
  const submit = async () => {
    if (isSending) return;
    setSending(true);
    isSent.current = true;
    const halfTyped = halfTypedProblems(place.current, l10n.t('The date or time is incomplete. Complete or clear it.'));
    const found = halfTyped.length > 0 ? halfTyped : await onSubmit(values);
    setProblems(found);
    isSent.current = found.length === 0;
    if (found.length > 0) setRefusals(refusals + 1);
    setSending(false);
  };

  return (
    <form
      ref={place}
      class="prompts"
      noValidate
      aria-label={l10n.t('Prompts')}
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        onClose();
      }}
    >
      <div class="prompts-scroll">
        <p class="prompts-intro">{l10n.t('The report asks for these values before it runs.')}</p>
        <PresetBar names={form.presets} values={values} calls={props.presets} onChoose={replace} />
        {form.fields.map((field, index) =>
          !isAsked(field) ? null : (
            <PromptControl
              key={index}
              field={field}
              value={values[index] ?? emptyPromptValue}
              problems={problems.filter((problem) => problem.index === index)}
              id={`prompt-${index}`}
              onChange={(value) => change(index, value)}
              onChoices={(search) => onChoices(index, search)}
            />
          ),
        )}
      </div>
      <div class="prompts-steps">
        <Button label={l10n.t('Cancel')} onClick={onClose} />
        <Button
          look="primary"
          label={l10n.t('Run')}
          hint={l10n.t('Run (Enter)')}
          keys="Enter"
          isSubmit
          isDisabled={isSending}
          onClick={() => undefined}
        />
      </div>
    </form>
  );
}

/** Incomplete dates would count as empty, which may mean no filter: the report does not run with them. */
function halfTypedProblems(place: HTMLElement | null, message: string): PromptProblem[] {
  return incompleteIn(place).flatMap(({ id }): PromptProblem[] => {
    const [, index, part] = /^prompt-(\d+)-(low|high)/.exec(id) ?? [];
    return index === undefined ? [] : [{ index: Number(index), part: part === 'high' ? 'high' : 'low', message }];
  });
}

/** Focuses the first control that matches the first selector with any match. */
function focusFirst(place: HTMLElement | null, ...selectors: string[]): void {
  focusHere(() => {
    const [first] = selectors.flatMap((selector) => place?.querySelector<HTMLElement>(selector) ?? []);
    if (first instanceof HTMLInputElement && first.type === 'text') first.select();
    return first;
  });
}
