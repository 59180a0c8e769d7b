import { useRef, useState } from 'preact/hooks';
import type { BuilderCriterion, BuilderField, BuilderReport, CriterionChange } from '../../protocol/builderPage.ts';
import { fill } from '../../protocol/resultsStrings.ts';
import { Button } from '../shared/Button.tsx';
import { Icon } from '../shared/Icon.tsx';
import type { BuilderModel, BuilderPageView } from './builderModel.ts';
import { Check } from './Check.tsx';
import { CriterionValues } from './CriterionValues.tsx';
import { IconButton } from './IconButton.tsx';
import { useFocusOnNew } from './focusOnNew.ts';
import { problemPlace } from './problemPlace.ts';
import { knownOperator, offeredOperators } from './operators.ts';

interface CriteriaTabProps {
  model: BuilderModel;
  view: BuilderPageView;
  report: BuilderReport;
}

/** A row with the field it belongs to, and what leads to it from the row before. */
interface PlacedRow {
  field: BuilderField;
  criterion: BuilderCriterion;
  /** The row before, which holds the AND or OR between the two. */
  before: { field: BuilderField; criterion: BuilderCriterion } | undefined;
  /** Counts the field's rows from 1; a row that only sorts is none of them. */
  number: number;
  /** Places in `Criteria` of the field's rows before and after this one; undefined at the ends. */
  above: number | undefined;
  below: number | undefined;
}

/** Every criteria row of the report: rows of one field stand together, nested rows in one bracket. */
export function CriteriaTab({ model, view, report }: CriteriaTabProps) {
  const { strings, sql } = view;
  const rows = placedRows(report.fields);
  const list = useRef<HTMLOListElement>(null);
  useFocusOnNew(rows.length, () => {
    const place = rows.findLastIndex(({ criterion }) => criterion.operator === '');
    return list.current?.children[place]?.querySelector<HTMLElement>(':scope > .select');
  });
  const trouble = problemPlace(sql, report);
  const troubled = rows.findLast(({ field }) => trouble?.tab === 'criteria' && field.index === trouble.field);
  return (
    <div class="criteria">
      {rows.length === 0 && (
        <div class="empty">
          <Icon name="filter" />
          <p class="empty-title">{strings.noCriteriaTitle}</p>
          <p>{report.fields.length === 0 ? strings.noFieldsText : strings.noCriteriaText}</p>
        </div>
      )}
      <ol class="rows" ref={list} aria-label={strings.tabCriteria}>
        {rows.map((row) => (
          <CriterionRow
            key={`${row.field.index} ${row.criterion.row}`}
            {...{ model, view, ...row }}
            isTroubled={row.field === troubled?.field}
            problem={row === troubled ? sql.problem : ''}
          />
        ))}
      </ol>
      {report.fields.length > 0 && <AddCriterion {...{ model, view, report }} />}
    </div>
  );
}

/** Chooses the field of a new row; the field need not be shown. */
function AddCriterion({ model, view, report }: CriteriaTabProps) {
  const { strings } = view;
  const [chosen, setChosen] = useState<number>();
  const field = report.fields.find(({ index }) => index === chosen) ?? report.fields[0];
  return (
    <div class="add-row">
      <select
        class="select"
        aria-label={strings.criterionField}
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
        label={strings.addCriterion}
        onClick={() => field && model.do('addCriterion', { field: field.index })}
      />
    </div>
  );
}

interface CriterionRowProps extends PlacedRow, Omit<CriteriaTabProps, 'report'> {
  /** Whether the server refuses the criteria of its field. */
  isTroubled: boolean;
  /** Why, at the last of them. */
  problem: string;
}

function CriterionRow({
  model,
  view,
  field,
  criterion,
  number,
  before,
  above,
  below,
  isTroubled,
  problem,
}: CriterionRowProps) {
  const { strings } = view;
  const change = (part: CriterionChange) =>
    model.edit({ kind: 'setCriterion', field: field.index, row: criterion.row, change: part });
  const move = (place: number | undefined) => {
    if (place === undefined) return;
    model.edit({ kind: 'moveCriterion', field: field.index, row: criterion.row, place });
  };
  const operators = offeredOperators(strings);
  const operator = knownOperator(criterion.operator);
  const known = operators.find(({ value }) => value === operator);
  const name = fill(strings.criterionOf, field.name, number);
  return (
    <li
      class={`criterion${criterion.isNested ? ' is-nested' : ''}${isTroubled ? ' has-problem' : ''}`}
      aria-label={name}
    >
      <span class="joiner">
        {before === undefined ? (
          <span class="joiner-first">{strings.where}</span>
        ) : (
          <select
            class="select"
            aria-label={fill(strings.joinerOf, name)}
            value={before.criterion.joiner}
            onChange={(event) => {
              const joiner = event.currentTarget.value === 'OR' ? 'OR' : 'AND';
              const { index } = before.field;
              model.edit({ kind: 'setCriterion', field: index, row: before.criterion.row, change: { joiner } });
            }}
          >
            <option value="AND">{strings.and}</option>
            <option value="OR">{strings.or}</option>
          </select>
        )}
      </span>
      <span class="criterion-field" title={field.source}>
        {field.name}
        {field.isHidden && <Icon name="eye-closed" />}
      </span>
      <select
        class="select"
        aria-label={fill(strings.operatorOf, name)}
        value={operator}
        onChange={(event) => change({ operator: event.currentTarget.value })}
      >
        {operator === '' && <option value="">{strings.chooseOperator}</option>}
        {known === undefined && operator !== '' && <option value={operator}>{criterion.operator}</option>}
        {operators.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <CriterionValues {...{ model, view, field, criterion, name, change }} takes={known?.takes ?? 'one'} />
      <span class="criterion-flags">
        <Check
          label={strings.prompt}
          isChecked={criterion.isPrompt}
          onChange={(isChecked) => change({ isPrompt: isChecked })}
        />
        <Check
          label={strings.skipable}
          isChecked={criterion.isSkipable}
          isDisabled={!criterion.isPrompt}
          onChange={(isChecked) => change({ isSkipable: isChecked })}
        />
      </span>
      <span class="field-actions">
        <IconButton
          icon="group-by-ref-type"
          label={fill(strings.nest, name)}
          isPressed={criterion.isNested}
          onClick={() => change({ isNested: !criterion.isNested })}
        />
        <IconButton
          icon="arrow-up"
          label={fill(strings.criterionUp, name)}
          isDisabled={above === undefined}
          onClick={() => move(above)}
        />
        <IconButton
          icon="arrow-down"
          label={fill(strings.criterionDown, name)}
          isDisabled={below === undefined}
          onClick={() => move(below)}
        />
        <IconButton
          icon="close"
          label={fill(strings.removeCriterion, name)}
          onClick={() => model.edit({ kind: 'removeCriterion', field: field.index, row: criterion.row })}
        />
      </span>
      {problem !== '' && (
        <p class="row-problem" role="alert">
          <Icon name="error" /> {problem}
        </p>
      )}
    </li>
  );
}

function placedRows(fields: readonly BuilderField[]): PlacedRow[] {
  // Rows move within their field: those of one field stand together in the report, too.
  const rows = fields.flatMap((field) =>
    field.criteria.map((criterion, place) => ({
      field,
      criterion,
      number: place + 1,
      above: field.criteria[place - 1]?.row,
      below: field.criteria[place + 1]?.row,
    })),
  );
  return rows.map((row, place) => ({ ...row, before: rows[place - 1] }));
}
