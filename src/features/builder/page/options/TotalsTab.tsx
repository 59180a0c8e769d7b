import { useRef } from 'preact/hooks';
import type { BuilderReport, BuilderTotal, TotalChange } from '../../pageContract.ts';
import { Button } from '../../../../webview/shared/Button.tsx';
import { Icon } from '../../../../webview/shared/Icon.tsx';
import type { BuilderModel, BuilderPageView } from '../builderModel.ts';
import { Check, IconButton, noFieldsText } from '../controls.tsx';
import { DraftInput } from '../DraftInput.tsx';
import { FieldBox } from './FieldBox.tsx';
import { useListFocus } from '../reorder.ts';
import { groupedOutput } from './optionColumns.ts';
import { problemPlace } from '../problemPlace.ts';
import * as l10n from '../../../../l10n/l10n.ts';

interface TotalsTabProps {
  model: BuilderModel;
  view: BuilderPageView;
  report: BuilderReport;
}

/** Column totals and calculated columns. */
export function TotalsTab({ model, view, report }: TotalsTabProps) {
  const { sql } = view;
  const trouble = problemPlace(sql, report);
  const list = useRef<HTMLOListElement>(null);
  useListFocus(list, report.totals.length, () => list.current?.lastElementChild?.querySelector<HTMLElement>('.select'));
  return (
    <div class="totals">
      {report.totals.length === 0 && (
        <div class="empty">
          <Icon name="symbol-numeric" />
          <p class="empty-title">{l10n.t('No Totals')}</p>
          <p>
            {report.fields.length === 0
              ? noFieldsText()
              : l10n.t(
                  'A total adds up a column for each group and for the whole report. A calculation creates a column from two others.',
                )}
          </p>
        </div>
      )}
      <ol class="rows" ref={list} aria-label={l10n.t('Totals')}>
        {report.totals.map((total) => (
          <TotalRow
            key={total.index}
            {...{ model, report, total }}
            problem={trouble?.tab === 'totals' && trouble.total === total.index ? sql.problem : ''}
          />
        ))}
      </ol>
      {trouble?.tab === 'totals' && trouble.total === undefined && (
        <p class="row-problem">
          <Icon name="error" /> {sql.problem}
        </p>
      )}
      <UnseenTotals {...{ model, view, report }} />
      {report.fields.length > 0 && (
        <div class="add-row">
          <Button icon="add" label={l10n.t('Add Total')} onClick={() => model.do('addTotal', { type: 'total' })} />
          <Button icon="add" label={l10n.t('Add Calculation')} onClick={() => model.do('addTotal', { type: 'calc' })} />
        </div>
      )}
    </div>
  );
}

/** Warns that the output type does not show the report's totals: only one type does. */
function UnseenTotals({ model, view, report }: TotalsTabProps) {
  const { ground } = view;
  const types = ground.kind === 'ready' ? ground.outputTypes : [];
  const wanted = types.find(({ id }) => id === groupedOutput);
  const current = types.find(({ id }) => id === report.outputType);
  const hasTotals = report.totals.some(({ type }) => type.trim().toLowerCase() !== 'calc');
  if (!hasTotals || !wanted || !current || wanted === current) return null;
  return (
    <p class="hint unseen-totals">
      <Icon name="info" />
      <span>{l10n.t('{0} shows the rows without their totals.', current.name)}</span>
      <Button
        label={l10n.t('Show as {0}', wanted.name)}
        onClick={() => model.edit({ kind: 'setOutputType', value: wanted.id })}
      />
    </p>
  );
}

function TotalRow({
  model,
  report,
  total,
  problem,
}: Pick<TotalsTabProps, 'model' | 'report'> & { total: BuilderTotal; problem: string }) {
  const isTotal = total.type.trim().toLowerCase() !== 'calc';
  const name = l10n.t(isTotal ? 'Total {0}' : 'Calculation {0}', total.index + 1);
  const problemId = problem === '' ? undefined : `total-problem-${total.index}`;
  const change = (part: TotalChange) => model.edit({ kind: 'setTotal', total: total.index, change: part });
  return (
    <li class={`total${isTotal ? '' : ' is-calculation'}${problem === '' ? '' : ' has-problem'}`} aria-label={name}>
      {isTotal && <FunctionBox {...{ total, name, change, problemId }} />}
      <FieldBox
        {...{ report, problemId }}
        label={l10n.t('Field of {0}', name)}
        value={total.field1}
        onChange={(field1) => change({ field1 })}
      />
      {!isTotal && <FunctionBox {...{ total, name, change, problemId }} />}
      {!isTotal && (
        <FieldBox
          {...{ report, problemId }}
          label={l10n.t('Second field of {0}', name)}
          value={total.field2}
          none={l10n.t('a number')}
          onChange={(field2) => change({ field2 })}
        />
      )}
      {!isTotal && total.field2 === '' && (
        <DraftInput
          class="number"
          inputMode="decimal"
          value={total.value2}
          label={l10n.t('Number of {0}', name)}
          placeholder="0"
          onChange={(value2) => change({ value2 })}
        />
      )}
      <Check
        label={isTotal ? l10n.t('Share of the whole') : l10n.t('As percentage')}
        isChecked={total.isPercent}
        onChange={(isChecked) => change({ isPercent: isChecked })}
      />
      {isTotal && (
        <Check
          label={l10n.t('Grand total')}
          isChecked={total.hasGrandTotal}
          onChange={(isChecked) => change({ hasGrandTotal: isChecked })}
        />
      )}
      <IconButton
        icon="close"
        label={l10n.t('Remove {0}', name)}
        onClick={() => model.edit({ kind: 'removeTotal', total: total.index })}
      />
      {problem !== '' && (
        <p class="row-problem" id={problemId}>
          <Icon name="error" /> {problem}
        </p>
      )}
    </li>
  );
}

interface FunctionBoxProps {
  total: BuilderTotal;
  name: string;
  change: (part: TotalChange) => void;
  problemId: string | undefined;
}

function FunctionBox({ total, name, change, problemId }: FunctionBoxProps) {
  const isTotal = total.type.trim().toLowerCase() !== 'calc';
  const offered: [string, string][] = isTotal
    ? [
        ['SUM', l10n.t('Sum')],
        ['AVG', l10n.t('Average')],
        ['MIN', l10n.t('Minimum')],
        ['MAX', l10n.t('Maximum')],
        ['COUNT', l10n.t('Count')],
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
      aria-label={l10n.t('Function of {0}', name)}
      aria-invalid={problemId !== undefined}
      aria-describedby={problemId}
      value={value}
      onChange={(event) => change({ func: event.currentTarget.value })}
    >
      {!isKnown && (
        <option value={value}>
          {value === '' ? (isTotal ? l10n.t('Function…') : l10n.t('Operator…')) : total.func}
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
