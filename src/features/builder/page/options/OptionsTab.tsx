import { useEffect, useRef, useState } from 'preact/hooks';
import type { BuilderLink, BuilderReport, PairChange, TargetChoice } from '../../pageContract.ts';
import { Button } from '../../../../webview/shared/Button.tsx';
import type { BuilderModel, BuilderPageView } from '../builderModel.ts';
import { Check, IconButton } from '../controls.tsx';
import { DraftInput, useDraft } from '../DraftInput.tsx';
import { useListFocus } from '../reorder.ts';
import { outputHint, fillSlot, groupChoices, outputSlots } from './optionColumns.ts';
import { FieldBox } from './FieldBox.tsx';
import { say } from '../../../../webview/shared/liveRegion.ts';
import * as l10n from '../../../../l10n/l10n.ts';

interface PartProps {
  model: BuilderModel;
  report: BuilderReport;
}

interface OptionsTabProps extends PartProps {
  view: BuilderPageView;
}

/** Settings of the whole report. */
export function OptionsTab({ model, view, report }: OptionsTabProps) {
  const { ground } = view;
  const description = useDraft(report.description, (value) =>
    model.edit({ kind: 'setText', name: 'Description', value }),
  );
  const types = ground.kind === 'ready' ? ground.outputTypes : [];
  const links = useRef<HTMLOListElement>(null);
  useListFocus(links, report.links.length);
  return (
    <div class="options">
      <div class="option">
        <label for="report-name">{l10n.t('Name')}</label>
        <DraftInput
          id="report-name"
          value={report.name}
          label={l10n.t('Name')}
          onChange={(value) => model.edit({ kind: 'setText', name: 'Reportname', value })}
        />
      </div>
      <div class="option">
        <label for="report-description">{l10n.t('Description')}</label>
        <textarea
          id="report-description"
          class="input"
          rows={2}
          value={description.text}
          onInput={(event) => description.type(event.currentTarget.value)}
        />
      </div>
      <div class="option">
        <span class="option-name">{l10n.t('Folder')}</span>
        <span class="option-value">
          <span>{folderName(view, report)}</span>
          <Button label={l10n.t('Choose…')} icon="folder" onClick={() => model.ask('pickFolder')} />
        </span>
      </div>
      <div class="option">
        <label for="report-output">{l10n.t('Output type')}</label>
        <select
          id="report-output"
          class="select"
          aria-describedby="report-output-hint"
          value={report.outputType}
          onChange={(event) => model.edit({ kind: 'setOutputType', value: Number(event.currentTarget.value) })}
        >
          {types.every(({ id }) => id !== report.outputType) && (
            <option value={report.outputType}>{report.outputType}</option>
          )}
          {types.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <span class="option-hint" id="report-output-hint">
          {outputHint(report.outputType)}
        </span>
      </div>
      <OutputSettings {...{ model, report }} />
      <div class="option">
        <span class="option-name">{l10n.t('Rows')}</span>
        <span class="option-value">
          <Check
            label={l10n.t('Distinct only')}
            isChecked={report.isDistinct}
            onChange={(isChecked) => model.edit({ kind: 'setDistinct', value: isChecked })}
          />
          <TopN {...{ model, report }} />
        </span>
      </div>
      <div class="option">
        <span class="option-name">{l10n.t('Report type')}</span>
        <span class="option-value">
          {[report.reportType, report.application, report.server].filter(Boolean).join(' · ')}
        </span>
      </div>
      <section class="links" aria-label={l10n.t('Drill-down')}>
        <h2>{l10n.t('Drill-down')}</h2>
        <p class="hint">{l10n.t('Reports that a click on a row opens, and the row values passed to them.')}</p>
        <ol class="rows" ref={links}>
          {report.links.map((link) => (
            <LinkRow key={link.index} {...{ model, report, link }} />
          ))}
        </ol>
        <Button icon="add" label={l10n.t('Link a Report')} onClick={() => model.do('addLink', {})} />
      </section>
    </div>
  );
}

/** The folder's name, or its number if the account cannot see it or it is not loaded yet. */
function folderName({ ground }: BuilderPageView, { folderId }: BuilderReport): string {
  if (folderId === '' || folderId === '0') return l10n.t('None selected');
  const known = ground.kind === 'ready' ? ground.folders.find(({ id }) => id === folderId) : undefined;
  return known?.name ?? l10n.t('Folder {0}', folderId);
}

/** Row limit. Invalid text stays in the box, marked as an error, while typing; the report keeps its limit. */
function TopN({ model, report }: PartProps) {
  const [wrong, setWrong] = useState<string>();
  const type = (text: string) => {
    const isLimit = /^(|[1-9]\d{0,8})$/.test(text.trim());
    setWrong(isLimit ? undefined : text);
    if (!isLimit && wrong === undefined) say(limitProblem());
    if (isLimit) model.edit({ kind: 'setTopN', value: Number(text) || null });
  };
  return (
    <>
      <label class="check" onFocusOut={() => setWrong(undefined)}>
        {l10n.t('At most')}
        <DraftInput
          class="number"
          inputMode="numeric"
          value={wrong ?? String(report.topN ?? '')}
          label={l10n.t('At most')}
          placeholder={l10n.t('all')}
          isInvalid={wrong !== undefined}
          describedBy={wrong === undefined ? undefined : 'report-limit-problem'}
          onChange={type}
        />
      </label>
      {wrong !== undefined && (
        <span class="option-hint" id="report-limit-problem">
          {limitProblem()}
        </span>
      )}
    </>
  );
}

function limitProblem(): string {
  return l10n.t('A positive whole number, or empty for all rows');
}

/** Fields of a drill-down target, loaded when its link is shown. */
function useTargetFields(model: BuilderModel, reportId: string): readonly TargetChoice[] {
  const [fields, setFields] = useState<readonly TargetChoice[]>([]);
  useEffect(() => {
    let isShown = true;
    void model.targetFields(reportId).then((found) => isShown && setFields(found));
    return () => {
      isShown = false;
    };
  }, [model, reportId]);
  return fields;
}

/** A drill-down target, and the values of the clicked row that it receives. */
function LinkRow({ model, report, link }: PartProps & { link: BuilderLink }) {
  const name = link.name || link.reportId;
  const targets = useTargetFields(model, link.reportId);
  const pairs = useRef<HTMLDivElement>(null);
  useListFocus(pairs, link.pairs.length);
  const listId = `targets-${link.index}`;
  return (
    <li class="link" aria-label={name}>
      <div class="link-head">
        <span class="link-name">{name}</span>
        <IconButton
          icon="add"
          label={l10n.t('Pass a Field to {0}', name)}
          onClick={() => model.edit({ kind: 'addPair', link: link.index })}
        />
        <IconButton
          icon="close"
          label={l10n.t('Remove the link to {0}', name)}
          onClick={() => model.edit({ kind: 'removeLink', link: link.index })}
        />
      </div>
      <datalist id={listId}>
        {targets.map(({ value, label }) => (
          <option key={value} value={value} label={label} />
        ))}
      </datalist>
      <div class="pairs" ref={pairs}>
        {link.pairs.map((pair, place) => {
          const change = (part: PairChange) => model.edit({ kind: 'setPair', link: link.index, place, change: part });
          return (
            <div class="pair" role="group" aria-label={l10n.t('Passed field {0}', place + 1)} key={place}>
              <FieldBox
                {...{ report }}
                label={l10n.t('Field passed to {0}', name)}
                value={pair.field}
                onChange={(field) => change({ field })}
              />
              <span aria-hidden="true">→</span>
              <DraftInput
                value={pair.target}
                list={listId}
                label={l10n.t('Field of {0} that receives the value', name)}
                placeholder={l10n.t('target field')}
                onChange={(target) => change({ target })}
              />
              <IconButton
                icon="close"
                label={l10n.t('Stop passing {0}', pair.field)}
                onClick={() => model.edit({ kind: 'removePair', link: link.index, place })}
              />
            </div>
          );
        })}
      </div>
    </li>
  );
}

/** Settings of an output type in addition to the fields: which fields it draws, and how it groups rows. */
function OutputSettings({ model, report }: PartProps) {
  const slots = outputSlots(report.outputType, report.fields);
  const groups = groupChoices(report.outputType, report.fields);
  const labels = {
    category: l10n.t('Category'),
    down: l10n.t('Down'),
    across: l10n.t('Across'),
    value: l10n.t('First value'),
  };
  if (slots.length === 0 && groups.length === 0) return null;
  return (
    <div class="option output-settings" role="group" aria-label={l10n.t('Settings of the output type')}>
      {slots.map((slot) => (
        <label class="slot" key={slot.role}>
          <span>{labels[slot.role]}</span>
          <select
            class="select"
            value={slot.field?.index ?? ''}
            onChange={(event) => {
              const edit = fillSlot(slot, Number(event.currentTarget.value), report.fields);
              if (edit) model.edit(edit);
            }}
          >
            {slot.field === undefined && <option value="">{l10n.t('Field not found')}</option>}
            {slot.field !== undefined && !slot.choices.includes(slot.field) && (
              <option value={slot.field.index}>{slot.field.name}</option>
            )}
            {slot.choices.map(({ index, name }) => (
              <option key={index} value={index}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ))}
      {groups.length > 0 && (
        <div class="slot">
          <span>{l10n.t('Grouped by')}</span>
          <span class="option-value">
            {groups.map(({ index, name, isGroup }) => (
              <Check
                key={index}
                label={name}
                isChecked={isGroup}
                onChange={(isOn) => model.edit({ kind: 'setUse', field: index, value: isOn ? 'group' : 'value' })}
              />
            ))}
          </span>
        </div>
      )}
    </div>
  );
}
