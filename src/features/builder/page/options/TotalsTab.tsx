import { useRef } from 'preact/hooks';
import type { BuilderReport, BuilderTotal, TotalChange } from '../../pageContract.ts';
import { fill } from '../../../../contract/pages/resultsStrings.ts';
import { Button } from '../../../../webview/shared/Button.tsx';
import { Icon } from '../../../../webview/shared/Icon.tsx';
import type { BuilderModel, BuilderPageView } from '../builderModel.ts';
import { Check, IconButton } from '../controls.tsx';
import { DraftInput } from '../DraftInput.tsx';
import { FieldBox } from './FieldBox.tsx';
import { useListFocus } from '../reorder.ts';
import { groupedOutput } from './optionColumns.ts';
import { problemPlace } from '../problemPlace.ts';

interface TotalsTabProps {
  model: BuilderModel;
  view: BuilderPageView;
  report: BuilderReport;
}

/** Column totals and calculated columns. */
export function TotalsTab({ model, view, report }: TotalsTabProps) {
  const { strings, sql } = view;
  const trouble = problemPlace(sql, report);
  const list = useRef<HTMLOListElement>(null);
  useListFocus(list, report.totals.length, () => list.current?.lastElementChild?.querySelector<HTMLElement>('.select'));
  return (
    <div class="totals">
      {report.totals.length === 0 && (
        <div class="empty">
          <Icon name="symbol-numeric" />
          <p class="empty-title">{strings.noTotalsTitle}</p>
          <p>{report.fields.length === 0 ? strings.noFieldsText : strings.noTotalsText}</p>
        </div>
      )}
      <ol class="rows" ref={list} aria-label={strings.tabTotals}>
        {report.totals.map((total) => (
          <TotalRow
            key={total.index}
            {...{ model, view, report, total }}
            problem={trouble?.tab === 'totals' && trouble.total === total.index ? sql.problem : ''}
          />
        ))}
      </ol>
      {trouble?.tab === 'totals' && trouble.total === undefined && (
        <p class="row-problem" role="alert">
          <Icon name="error" /> {sql.problem}
        </p>
      )}
      <UnseenTotals {...{ model, view, report }} />
      {report.fields.length > 0 && (
        <div class="add-row">
          <Button icon="add" label={strings.addTotal} onClick={() => model.do('addTotal', { type: 'total' })} />
          <Button icon="add" label={strings.addCalculation} onClick={() => model.do('addTotal', { type: 'calc' })} />
        </div>
      )}
    </div>
  );
}

/** Warns that the output type does not show the report's totals: only one type does. */
function UnseenTotals({ model, view, report }: TotalsTabProps) {
  const { strings, ground } = view;
  const types = ground.kind === 'ready' ? ground.outputTypes : [];
  const wanted = types.find(({ id }) => id === groupedOutput);
  const current = types.find(({ id }) => id === report.outputType);
  const hasTotals = report.totals.some(({ type }) => type.trim().toLowerCase() !== 'calc');
  if (!hasTotals || !wanted || !current || wanted === current) return null;
  return (
    <p class="hint unseen-totals">
      <Icon name="info" />
      <span>{fill(strings.totalsUnseen, current.name)}</span>
      <Button
        label={fill(strings.showAs, wanted.name)}
        onClick={() => model.edit({ kind: 'setOutputType', value: wanted.id })}
      />
    </p>
  );
}

function TotalRow({ model, view, report, total, problem }: TotalsTabProps & { total: BuilderTotal; problem: string }) {
  const { strings } = view;
  const isTotal = total.type.trim().toLowerCase() !== 'calc';
  const name = fill(isTotal ? strings.totalNumber : strings.calculationNumber, total.index + 1);
  const change = (part: TotalChange) => model.edit({ kind: 'setTotal', total: total.index, change: part });
  return (
    <li class={`total${isTotal ? '' : ' is-calculation'}${problem === '' ? '' : ' has-problem'}`} aria-label={name}>
      {isTotal && <FunctionBox {...{ view, total, name, change }} />}
      <FieldBox
        {...{ report, strings }}
        label={fill(strings.fieldOf, name)}
        value={total.field1}
        onChange={(field1) => change({ field1 })}
      />
      {!isTotal && <FunctionBox {...{ view, total, name, change }} />}
      {!isTotal && (
        <FieldBox
          {...{ report, strings }}
          label={fill(strings.secondFieldOf, name)}
          value={total.field2}
          none={strings.aNumber}
          onChange={(field2) => change({ field2 })}
        />
      )}
      {!isTotal && total.field2 === '' && (
        <DraftInput
          class="number"
          inputMode="decimal"
          value={total.value2}
          label={fill(strings.numberOf, name)}
          placeholder="0"
          onChange={(value2) => change({ value2 })}
        />
      )}
      <Check
        label={isTotal ? strings.shareOfWhole : strings.percent}
        isChecked={total.isPercent}
        onChange={(isChecked) => change({ isPercent: isChecked })}
      />
      {isTotal && (
        <Check
          label={strings.grandTotal}
          isChecked={total.hasGrandTotal}
          onChange={(isChecked) => change({ hasGrandTotal: isChecked })}
        />
      )}
      <IconButton
        icon="close"
        label={fill(strings.removeTotal, name)}
        onClick={() => model.edit({ kind: 'removeTotal', total: total.index })}
      />
      {problem !== '' && (
        <p class="row-problem" role="alert">
          <Icon name="error" /> {problem}
        </p>
      )}
    </li>
  );
}

interface FunctionBoxProps {
  view: BuilderPageView;
  total: BuilderTotal;
  name: string;
  change: (part: TotalChange) => void;
}

function FunctionBox({ view, total, name, change }: FunctionBoxProps) {
  const { strings } = view;
  const isTotal = total.type.trim().toLowerCase() !== 'calc';
  const offered: [string, string][] = isTotal
    ? [
        ['SUM', strings.useSum],
        ['AVG', strings.useAverage],
        ['MIN', strings.useMinimum],
        ['MAX', strings.useMaximum],
        ['COUNT', strings.useCount],
      ]
    : [
        ['+', '+'],
        ['-', '−'],
        ['*', '×'],
        ['/', '÷'],
      ];
  const value = isTotal ? total.func.trim().toUpperCase() : total.func.trim();
  const isKnown = offered.some(([known]) => known === value);
  return (
    <select
      class={`select${isTotal ? '' : ' is-sign'}`}
      aria-label={fill(strings.functionOf, name)}
      value={value}
      onChange={(event) => change({ func: event.currentTarget.value })}
    >
      {!isKnown && (
        <option value={value}>
          {value === '' ? (isTotal ? strings.chooseFunction : strings.chooseSign) : total.func}
        </option>
      )}
      {offered.map(([known, label]) => (
        <option key={known} value={known}>
          {label}
        </option>
      ))}
    </select>
  );
}
