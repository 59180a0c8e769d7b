import { useRef, useState } from 'preact/hooks';
import type { BuilderCriterion, BuilderField, BuilderReport, CriterionChange } from '../../pageContract.ts';
import { Button } from '../../../../webview/shared/Button.tsx';
import { Icon } from '../../../../webview/shared/Icon.tsx';
import type { BuilderModel, BuilderPageView } from '../builderModel.ts';
import { Check, IconButton, noFieldsText } from '../controls.tsx';
import { CriterionValues } from './CriterionValues.tsx';
import { useShown } from '../DraftInput.tsx';
import { useListFocus, useReorder } from '../reorder.ts';
import { problemPlace } from '../problemPlace.ts';
import { knownOperator, hasMissingValues, offeredOperators } from './operators.ts';
import * as l10n from '../../../../l10n/l10n.ts';

interface CriteriaTabProps {
  model: BuilderModel;
  view: BuilderPageView;
  report: BuilderReport;
}

/** Id of the server's reason to refuse criteria. */
const criterionProblem = 'criterion-problem';

/** A row with its field and its connection to the previous row. */
interface PlacedRow {
  field: BuilderField;
  criterion: BuilderCriterion;
  /** The previous row, which holds the AND or OR between the two. */
  before: { field: BuilderField; criterion: BuilderCriterion } | undefined;
  /** Number of the row within its field, starting at 1. Rows that only sort are not counted. */
  number: number;
  /** Whether the field has rows before and after this one. */
  hasAbove: boolean;
  hasBelow: boolean;
  /** Position within a bracket of adjacent nested rows; empty if outside. */
  bracket: '' | 'first' | 'middle' | 'last' | 'whole';
}

/** All criteria rows of the report. Rows of a field are adjacent, nested rows share a bracket. */
export function CriteriaTab({ model, view, report }: CriteriaTabProps) {
  const { sql } = view;
  const rows = placedRows(report.fields);
  const list = useRef<HTMLOListElement>(null);
  useListFocus(list, rows.length, () => {
    const place = rows.findLastIndex(({ criterion }) => criterion.operator === '');
    return list.current?.children[place]?.querySelector<HTMLElement>(':scope > .select');
  });
  const moves = useReorder({
    // Rows move only within their field.
    range: (at) => {
      const isOwn = ({ field }: PlacedRow) => field === rows[at]?.field;
      return [rows.findIndex(isOwn), rows.findLastIndex(isOwn)];
    },
    name: (at) => l10n.t('Criterion of {0}', rows[at]?.field.name ?? ''),
    send: async (at, to) => {
      const [row, target] = [rows[at], rows[to]];
      if (!row || row.field !== target?.field) return false;
      const place = target.criterion.row;
      return model.make({ kind: 'moveCriterion', field: row.field.index, row: row.criterion.row, place });
    },
    // Focus the button that was used, so that it can be pressed again; at the end, the opposite one.
    arrived: (at, step) => {
      const buttons = [...(list.current?.children[at]?.querySelectorAll<HTMLButtonElement>('.move-row') ?? [])];
      const [wanted, other] = step < 0 ? buttons : buttons.toReversed();
      (wanted?.disabled === false ? wanted : other)?.focus();
    },
  });
  const trouble = problemPlace(sql, report);
  const troubled = trouble?.tab === 'criteria' ? troubledRows(rows, trouble.field) : [];
  return (
    <div class="criteria">
      {rows.length === 0 && (
        <div class="empty">
          <Icon name="filter" />
          <p class="empty-title">{l10n.t('No Criteria')}</p>
          <p>
            {report.fields.length === 0
              ? noFieldsText()
              : l10n.t(
                  'The report shows every row that its user can see. To filter, choose a field and add a criterion.',
                )}
          </p>
        </div>
      )}
      <ol class="rows" ref={list} aria-label={l10n.t('Criteria')}>
        {rows.map((row, place) => (
          <CriterionRow
            key={`${row.field.index} ${row.criterion.row}`}
            {...{ model, view, ...row }}
            isTroubled={troubled.includes(row)}
            problem={row === troubled.at(-1) ? sql.problem : ''}
            onMove={(step) => moves.move(place, step)}
          />
        ))}
      </ol>
      {report.fields.length > 0 && <AddCriterion {...{ model, report }} />}
    </div>
  );
}

/** The rows of a field that the server may refer to: those that lack values, else all. */
function troubledRows(rows: readonly PlacedRow[], index: number | undefined): PlacedRow[] {
  const own = rows.filter(({ field }) => field.index === index);
  const lacking = own.filter(({ criterion }) => hasMissingValues(criterion));
  return lacking.length > 0 ? lacking : own;
}

/** Picks the field of a new row. The field may be hidden. */
function AddCriterion({ model, report }: Pick<CriteriaTabProps, 'model' | 'report'>) {
  const [chosen, setChosen] = useState<number>();
  const field = report.fields.find(({ index }) => index === chosen) ?? report.fields[0];
  return (
    <div class="add-row">
      <select
        class="select"
        aria-label={l10n.t('Field of the new criterion')}
        value={field?.index}
        onChange={(event) => setChosen(Number(event.currentTarget.value))}
      >
        {report.fields.map(({ index, name }) => (
          <option key={index} value={index}>
            {name}
          </option>
        ))}
      </select>
      <Button
        icon="add"
        label={l10n.t('Add Criterion')}
        onClick={() => field && model.do('addCriterion', { field: field.index })}
      />
    </div>
  );
}

interface CriterionRowProps extends PlacedRow, Omit<CriteriaTabProps, 'report'> {
  /** Whether the server rejects the criteria of its field. */
  isTroubled: boolean;
  /** The reason, on the last of these rows. */
  problem: string;
  onMove: (step: number) => void;
}

function CriterionRow({
  model,
  view,
  field,
  criterion,
  number,
  before,
  hasAbove,
  hasBelow,
  isTroubled,
  problem,
  bracket,
  onMove,
}: CriterionRowProps) {
  const change = (part: CriterionChange) =>
    model.edit({ kind: 'setCriterion', field: field.index, row: criterion.row, change: part });
  const operators = offeredOperators();
  const takenBy = (value: string) => operators.find((one) => one.value === value)?.takes;
  const shownOperator = useShown(knownOperator(criterion.operator));
  const prompt = useShown(String(criterion.isPrompt));
  const nested = useShown(String(criterion.isNested));
  const operator = shownOperator.text;
  const takes = takenBy(operator);
  const isPrompt = prompt.text === 'true';
  const name = l10n.t('{0}, criterion {1}', field.name, number);
  const problemId = isTroubled ? criterionProblem : undefined;
  // What is refused is a value; without one, the operator.
  const isOperatorRefused = isTroubled && (operator === '' || takes === 'none');
  /** Document version in which the row was a prompt before an operator without values was chosen. */
  const asked = useRef<number | null>(null);
  const choose = (value: string) => {
    const { version } = view.document;
    const wasPrompt = prompt.text === 'true';
    const isAsking = wasPrompt || (takenBy(shownOperator.text) === 'none' && asked.current === version);
    asked.current = isAsking ? version : null;
    // An operator without values cannot prompt until an operator with values is chosen.
    const asks = isAsking && takenBy(value) !== 'none';
    change({ operator: value, ...(asks !== wasPrompt && { isPrompt: asks }) });
    shownOperator.show(value);
    prompt.show(String(asks));
  };
  const ask = (value: boolean) => {
    change({ isPrompt: value });
    prompt.show(String(value));
  };
  const turnNested = () => {
    const value = nested.text !== 'true';
    change({ isNested: value });
    nested.show(String(value));
  };
  return (
    <li
      class={`criterion${bracket === '' ? '' : ` is-bracket-${bracket}`}${isTroubled ? ' has-problem' : ''}`}
      aria-label={bracket === '' ? name : l10n.t('{0}, in parentheses', name)}
    >
      <span class="joiner">
        {before === undefined ? (
          <span class="joiner-first">{l10n.t('where')}</span>
        ) : (
          <select
            class="select"
            aria-label={l10n.t('Before {0}', name)}
            value={before.criterion.joiner}
            onChange={(event) => {
              const joiner = event.currentTarget.value === 'OR' ? 'OR' : 'AND';
              const { index } = before.field;
              model.edit({ kind: 'setCriterion', field: index, row: before.criterion.row, change: { joiner } });
            }}
          >
            <option value="AND">{l10n.t('and')}</option>
            <option value="OR">{l10n.t('or')}</option>
          </select>
        )}
      </span>
      <span class="criterion-field" title={field.source}>
        {field.name}
        {field.isHidden && (
          <>
            <Icon name="eye-closed" />
            <span class="unseen">{l10n.t('hidden')}</span>
          </>
        )}
      </span>
      <select
        class="select"
        aria-label={l10n.t('Operator of {0}', name)}
        aria-invalid={isOperatorRefused}
        aria-describedby={isOperatorRefused ? problemId : undefined}
        value={operator}
        onChange={(event) => choose(event.currentTarget.value)}
      >
        {operator === '' && <option value="">{l10n.t('Choose operator…')}</option>}
        {takes === undefined && operator !== '' && <option value={operator}>{criterion.operator}</option>}
        {operators.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <CriterionValues {...{ model, field, criterion, name, change, problemId }} takes={takes ?? 'one'} />
      <span class="criterion-flags">
        <Check
          label={l10n.t('Prompt when run')}
          isChecked={isPrompt}
          isDisabled={!isPrompt && takes === 'none'}
          onChange={ask}
        />
        <Check
          label={l10n.t('Can be skipped')}
          isChecked={criterion.isSkipable}
          isDisabled={!isPrompt}
          onChange={(isChecked) => change({ isSkipable: isChecked })}
        />
      </span>
      <span class="field-actions">
        <IconButton
          icon="group-by-ref-type"
          label={l10n.t('Group in parentheses with adjacent conditions: {0}', name)}
          isPressed={nested.text === 'true'}
          onClick={turnNested}
        />
        <IconButton
          icon="arrow-up"
          label={l10n.t('Move {0} up', name)}
          isMove
          isDisabled={!hasAbove}
          onClick={() => onMove(-1)}
        />
        <IconButton
          icon="arrow-down"
          label={l10n.t('Move {0} down', name)}
          isMove
          isDisabled={!hasBelow}
          onClick={() => onMove(1)}
        />
        <IconButton
          icon="close"
          label={l10n.t('Remove {0}', name)}
          onClick={() => model.edit({ kind: 'removeCriterion', field: field.index, row: criterion.row })}
        />
      </span>
      {problem !== '' && (
        <p class="row-problem" id={criterionProblem}>
          <Icon name="error" /> {problem}
        </p>
      )}
    </li>
  );
}

function placedRows(fields: readonly BuilderField[]): PlacedRow[] {
  // Rows move only within their field, whose rows are also adjacent in the report.
  const rows = fields.flatMap((field) =>
    field.criteria.map((criterion, place) => ({
      field,
      criterion,
      number: place + 1,
      hasAbove: place > 0,
      hasBelow: place < field.criteria.length - 1,
    })),
  );
  const isNested = (place: number) => rows[place]?.criterion.isNested === true;
  return rows.map((row, place) => {
    const [opens, closes] = [!isNested(place - 1), !isNested(place + 1)];
    const inside = opens && closes ? 'whole' : opens ? 'first' : closes ? 'last' : 'middle';
    return { ...row, before: rows[place - 1], bracket: isNested(place) ? inside : '' };
  });
}
