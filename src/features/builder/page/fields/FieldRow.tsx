import { useState } from 'preact/hooks';
import type { BuilderField, BuilderGround } from '../../pageContract.ts';
import { fill } from '../../../../contract/pages/resultsStrings.ts';
import { Icon } from '../../../../webview/shared/Icon.tsx';
import type { BuilderModel, BuilderPageView } from '../builderModel.ts';
import { DraftInput, useShown } from '../DraftInput.tsx';
import { startDrag, type Moves } from '../moves.ts';
import { FormulaBox } from './FormulaBox.tsx';
import { isFieldUse, offeredUses, useOf, typeIcon } from './fieldUses.ts';
import { IconButton, kept } from '../controls.tsx';

interface FieldRowProps {
  model: BuilderModel;
  strings: BuilderPageView['strings'];
  ground: BuilderGround;
  field: BuilderField;
  /** Place among the fields shown. */
  position: number;
  rowKey: string;
  isDropPlace: boolean;
  /** What the server says of this field; empty when nothing. */
  problem: string;
  moves: Moves;
  /** Whether several fields sort, so that each says when its turn is. */
  hasLevels: boolean;
}

/** One field: its name, how it is used and sorted, its formula. Alt and an arrow move it. */
export const FieldRow = kept(DrawnFieldRow);

function DrawnFieldRow(props: FieldRowProps) {
  const { model, strings, ground, field, position, rowKey, isDropPlace, problem, moves, hasLevels } = props;
  const isFormula = field.source === '';
  const [isOpen, setOpen] = useState(isFormula && field.formula === '');
  const use = useOf(field);
  const hidden = useShown(String(field.isHidden));
  const isHidden = hidden.text === 'true';
  const turnHidden = () => {
    const value = hidden.text !== 'true';
    model.edit({ kind: 'setHidden', field: field.index, value });
    hidden.show(String(value));
  };
  const problemId = `problem-${field.index}`;
  const classes = ['field', isHidden && 'is-hidden', isDropPlace && 'is-drop', problem !== '' && 'has-problem'];
  const press = (event: KeyboardEvent) => {
    if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    moves.move(position, event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li
      class={classes.filter(Boolean).join(' ')}
      data-key={rowKey}
      aria-label={fill(strings.fieldPlace, position + 1, field.name)}
      onKeyDown={press}
    >
      <span
        class="grip"
        draggable
        title={strings.dragHint}
        onDragStart={(event) => startDrag(event, { kind: 'field', field: field.index })}
      >
        <Icon name="gripper" />
      </span>
      <Icon name={isFormula ? 'symbol-operator' : typeIcon(field.type)} />
      <div class="field-title" title={isFormula ? field.name : `${field.name}\n${field.source}`}>
        <DraftInput
          class="field-name"
          value={field.header}
          placeholder={field.name}
          label={fill(strings.nameOf, position + 1)}
          isInvalid={problem !== ''}
          describedBy={problem === '' ? undefined : problemId}
          onChange={(value) => model.edit({ kind: 'renameField', field: field.index, value })}
        />
        <span class="field-source" title={field.source}>
          {isFormula ? strings.formulaField : field.source}
        </span>
      </div>
      <select
        class="select"
        aria-label={fill(strings.useOf, field.name)}
        value={use}
        onChange={(event) => {
          const { value } = event.currentTarget;
          if (isFieldUse(value)) model.edit({ kind: 'setUse', field: field.index, value });
        }}
      >
        {offeredUses(field, strings).map(({ value, label }) => (
          <option key={value} value={value} disabled={value === 'group' && isHidden}>
            {label}
          </option>
        ))}
      </select>
      <SortButton {...{ model, strings, field, hasLevels }} />
      <div class="field-actions">
        <IconButton
          icon="symbol-operator"
          label={fill(strings.formulaOf, field.name)}
          isPressed={isOpen}
          isMarked={field.formula !== ''}
          onClick={() => setOpen(!isOpen)}
        />
        <IconButton
          icon={isHidden ? 'eye-closed' : 'eye'}
          label={fill(isHidden ? strings.showField : strings.hideField, field.name)}
          isDisabled={field.isGroup}
          onClick={turnHidden}
        />
        <IconButton
          icon="close"
          label={fill(strings.removeField, field.name)}
          onClick={() => model.edit({ kind: 'removeField', field: field.index })}
        />
      </div>
      {isOpen && <FormulaBox {...{ model, strings, ground, field }} />}
      {problem !== '' && (
        <p class="field-problem" id={problemId} role="alert">
          <Icon name="error" /> {problem}
        </p>
      )}
    </li>
  );
}

/** Sorts up, then down, then not. */
function SortButton({
  model,
  strings,
  field,
  hasLevels,
}: Pick<FieldRowProps, 'model' | 'strings' | 'field' | 'hasLevels'>) {
  const { sort } = field;
  const shown = useShown(sort === null ? '' : sort.isDescending ? 'desc' : 'asc');
  const { text } = shown;
  const state = text === '' ? strings.unsorted : text === 'desc' ? strings.descending : strings.ascending;
  const turn = () => {
    const next = shown.text === '' ? 'asc' : shown.text === 'asc' ? 'desc' : null;
    model.sort(field.index, next);
    shown.show(next ?? '');
  };
  return (
    <button
      type="button"
      class={`sort${text === '' ? '' : ' is-sorted'}`}
      aria-label={fill(strings.sortOf, field.name, state)}
      title={fill(strings.sortOf, field.name, state)}
      onClick={turn}
    >
      <Icon name={text === '' ? 'arrow-swap' : text === 'desc' ? 'arrow-down' : 'arrow-up'} />
      {hasLevels && text !== '' && sort?.priority != null && <span class="sort-level" data-level={sort.priority} />}
    </button>
  );
}
