import { useRef, useState } from 'preact/hooks';
import type { ValueCount } from '../../../../contract/operators.ts';
import type { BuilderCriterion, BuilderField, CriterionChange } from '../../pageContract.ts';
import { emptyPromptValue } from '../../../../contract/pages/promptForm.ts';
import { ChoiceBox } from '../../../../webview/prompts/ChoiceBox.tsx';
import { ListBox } from '../../../../webview/prompts/ListBox.tsx';
import type { BuilderModel } from '../builderModel.ts';
import { useDraft } from '../DraftInput.tsx';
import { isDateTime, isNumeric } from '../fields/fieldUses.ts';
import * as l10n from '../../../../l10n/l10n.ts';

interface CriterionValuesProps {
  model: BuilderModel;
  field: BuilderField;
  criterion: BuilderCriterion;
  /** Name of the row. */
  name: string;
  takes: ValueCount;
  change: (part: CriterionChange) => void;
  /** Id of the server's reason to refuse the values; undefined if it takes them. */
  problemId: string | undefined;
}

/** The values of a criterion: none, one, two, or a list. Suggests values from the database. */
export function CriterionValues(props: CriterionValuesProps) {
  const { criterion, name, takes, change } = props;
  if (takes === 'none') return <span class="values" />;
  if (takes === 'list') return <ValueList {...props} />;
  const label = l10n.t(takes === 'two' ? 'From: {0}' : 'Value of {0}', name);
  return (
    <span class={`values${takes === 'two' ? ' is-range' : ''}`}>
      <ValueBox {...props} part="1" value={criterion.value1} label={label} onChange={(value1) => change({ value1 })} />
      {takes === 'two' && (
        <ValueBox
          {...props}
          part="2"
          value={criterion.value2}
          label={l10n.t('To: {0}', name)}
          onChange={(value2) => change({ value2 })}
        />
      )}
    </span>
  );
}

interface ValueBoxProps extends CriterionValuesProps {
  part: string;
  value: string;
  label: string;
  onChange: (value: string) => void;
}

function ValueBox({ model, field, criterion, part, value, label, problemId, onChange }: ValueBoxProps) {
  const draft = useDraft(value, onChange);
  const id = `value-${field.index}-${criterion.row}-${part}`;
  return (
    <>
      <ChoiceBox
        id={id}
        label={label}
        helpId={described(`${id}-help`, problemId)}
        value={draft.text}
        isNumber={isNumeric(field.type)}
        isRequired={!criterion.isPrompt}
        isInvalid={problemId !== undefined}
        chosen={[draft.text]}
        onChange={draft.type}
        onChoices={(search) => model.fieldValues(field.index, search)}
      />
      <span class="unseen" id={`${id}-help`}>
        {isDateTime(field.type)
          ? l10n.t('A date as YYYY-MM-DD, or a relative date such as [Last Month].')
          : l10n.t('Suggests values from the database.')}
      </span>
    </>
  );
}

/** Several values as chips. Unconfirmed text is added when the focus leaves. */
function ValueList({ model, field, criterion, name, problemId, change }: CriterionValuesProps) {
  const draft = useDraft(JSON.stringify(criterion.list), (text) => change({ list: readList(text) }));
  const chosen = readList(draft.text);
  const typed = useRef('');
  const [round, setRound] = useState(0);
  const id = `value-${field.index}-${criterion.row}`;
  const isNumber = isNumeric(field.type);
  const confirm = (event: FocusEvent & { currentTarget: HTMLElement }) => {
    const isInside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
    const value = typed.current.trim();
    if (isInside || value === '') return;
    typed.current = '';
    setRound(round + 1);
    if (!chosen.includes(value)) draft.type(JSON.stringify([...chosen, value]));
  };
  return (
    <span class="values" onFocusOut={confirm}>
      <ListBox
        key={round}
        field={{
          label: name,
          help: l10n.t('Several values. Press Enter to add one.'),
          mode: 'inList',
          input: isNumber ? 'number' : 'text',
          isSkipable: criterion.isPrompt,
          hasChoices: true,
        }}
        value={{ ...emptyPromptValue, list: chosen }}
        problems={problemId === undefined ? [] : [{ index: 0, part: 'low', message: '' }]}
        id={id}
        helpId={described(`${id}-help`, problemId)}
        onChange={({ list, low }) => {
          typed.current = low;
          if (JSON.stringify(list) !== draft.text) draft.type(JSON.stringify(list));
        }}
        onChoices={(search) => model.fieldValues(field.index, search)}
      />
      <span class="unseen" id={`${id}-help`}>
        {l10n.t('Several values. Press Enter to add one.')}
      </span>
    </span>
  );
}

/** Ids of what describes a control: the reason to refuse its value comes first. */
function described(helpId: string, problemId: string | undefined): string {
  return problemId === undefined ? helpId : `${problemId} ${helpId}`;
}

/** Parses a list that was written as JSON here. */
function readList(text: string): string[] {
  const list: unknown = JSON.parse(text);
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
}
