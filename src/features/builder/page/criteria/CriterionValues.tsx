import { useRef, useState } from 'preact/hooks';
import type { ValueCount } from '../../../../contract/operators.ts';
import type { BuilderCriterion, BuilderField, CriterionChange } from '../../pageContract.ts';
import { emptyPromptValue } from '../../../../contract/pages/promptForm.ts';
import { fill } from '../../../../contract/pages/resultsStrings.ts';
import { ChoiceBox } from '../../../../webview/prompts/ChoiceBox.tsx';
import { ListBox } from '../../../../webview/prompts/ListBox.tsx';
import type { BuilderModel, BuilderPageView } from '../builderModel.ts';
import { useDraft } from '../DraftInput.tsx';
import { isDateTime, isNumeric } from '../fields/fieldUses.ts';

interface CriterionValuesProps {
  model: BuilderModel;
  view: BuilderPageView;
  field: BuilderField;
  criterion: BuilderCriterion;
  /** Name of the row. */
  name: string;
  takes: ValueCount;
  change: (part: CriterionChange) => void;
}

/** The values of a criterion: none, one, two, or a list. Suggests values from the database. */
export function CriterionValues(props: CriterionValuesProps) {
  const { view, criterion, name, takes, change } = props;
  const { strings } = view;
  if (takes === 'none') return <span class="values" />;
  if (takes === 'list') return <ValueList {...props} />;
  const label = fill(takes === 'two' ? strings.fromOf : strings.valueOf, name);
  return (
    <span class={`values${takes === 'two' ? ' is-range' : ''}`}>
      <ValueBox {...props} part="1" value={criterion.value1} label={label} onChange={(value1) => change({ value1 })} />
      {takes === 'two' && (
        <ValueBox
          {...props}
          part="2"
          value={criterion.value2}
          label={fill(strings.toOf, name)}
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

function ValueBox({ model, view, field, criterion, part, value, label, onChange }: ValueBoxProps) {
  const { strings } = view;
  const draft = useDraft(value, onChange);
  const id = `value-${field.index}-${criterion.row}-${part}`;
  return (
    <>
      <ChoiceBox
        strings={strings}
        id={id}
        label={label}
        helpId={`${id}-help`}
        value={draft.text}
        isNumber={isNumeric(field.type)}
        isRequired={!criterion.isPrompt}
        isInvalid={false}
        chosen={[draft.text]}
        onChange={draft.type}
        onChoices={(search) => model.fieldValues(field.index, search)}
      />
      <span class="unseen" id={`${id}-help`}>
        {isDateTime(field.type) ? strings.dateHelp : strings.valueHelp}
      </span>
    </>
  );
}

/** Several values as chips. Unconfirmed text is added when the focus leaves. */
function ValueList({ model, view, field, criterion, name, change }: CriterionValuesProps) {
  const { strings } = view;
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
        strings={strings}
        field={{
          label: name,
          help: strings.listHelp,
          mode: 'inList',
          input: isNumber ? 'number' : 'text',
          isSkipable: criterion.isPrompt,
          hasChoices: true,
        }}
        value={{ ...emptyPromptValue, list: chosen }}
        problems={[]}
        id={id}
        helpId={`${id}-help`}
        onChange={({ list, low }) => {
          typed.current = low;
          if (JSON.stringify(list) !== draft.text) draft.type(JSON.stringify(list));
        }}
        onChoices={(search) => model.fieldValues(field.index, search)}
      />
      <span class="unseen" id={`${id}-help`}>
        {strings.listHelp}
      </span>
    </span>
  );
}

/** Parses a list that was written as JSON here. */
function readList(text: string): string[] {
  const list: unknown = JSON.parse(text);
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : [];
}
