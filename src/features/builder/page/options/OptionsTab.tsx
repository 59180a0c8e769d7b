import { useEffect, useRef, useState } from 'preact/hooks';
import type { BuilderLink, BuilderReport, PairChange, TargetChoice } from '../../pageContract.ts';
import { fill } from '../../../../contract/pages/resultsStrings.ts';
import { Button } from '../../../../webview/shared/Button.tsx';
import type { BuilderModel, BuilderPageView } from '../builderModel.ts';
import { Check, IconButton } from '../controls.tsx';
import { DraftInput, useDraft } from '../DraftInput.tsx';
import { useListFocus } from '../reorder.ts';
import { outputHint, fillSlot, groupChoices, outputSlots } from './optionColumns.ts';
import { FieldBox } from './FieldBox.tsx';

interface OptionsTabProps {
  model: BuilderModel;
  view: BuilderPageView;
  report: BuilderReport;
}

/** Settings of the whole report. */
export function OptionsTab({ model, view, report }: OptionsTabProps) {
  const { strings, ground } = view;
  const description = useDraft(report.description, (value) =>
    model.edit({ kind: 'setText', name: 'Description', value }),
  );
  const types = ground.kind === 'ready' ? ground.outputTypes : [];
  const links = useRef<HTMLOListElement>(null);
  useListFocus(links, report.links.length);
  return (
    <div class="options">
      <div class="option">
        <label for="report-name">{strings.reportName}</label>
        <DraftInput
          id="report-name"
          value={report.name}
          label={strings.reportName}
          onChange={(value) => model.edit({ kind: 'setText', name: 'Reportname', value })}
        />
      </div>
      <div class="option">
        <label for="report-description">{strings.description}</label>
        <textarea
          id="report-description"
          class="input"
          rows={2}
          value={description.text}
          onInput={(event) => description.type(event.currentTarget.value)}
        />
      </div>
      <div class="option">
        <span class="option-name">{strings.folder}</span>
        <span class="option-value">
          <span>{folderName(view, report)}</span>
          <Button label={strings.chooseFolder} icon="folder" onClick={() => model.ask('pickFolder')} />
        </span>
      </div>
      <div class="option">
        <label for="report-output">{strings.outputType}</label>
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
          {outputHint(report.outputType, strings)}
        </span>
      </div>
      <OutputSettings {...{ model, view, report }} />
      <div class="option">
        <span class="option-name">{strings.rows}</span>
        <span class="option-value">
          <Check
            label={strings.distinct}
            isChecked={report.isDistinct}
            onChange={(isChecked) => model.edit({ kind: 'setDistinct', value: isChecked })}
          />
          <TopN {...{ model, view, report }} />
        </span>
      </div>
      <div class="option">
        <span class="option-name">{strings.reportType}</span>
        <span class="option-value">
          {[report.reportType, report.application, report.server].filter(Boolean).join(' · ')}
        </span>
      </div>
      <section class="links" aria-label={strings.drillDown}>
        <h2>{strings.drillDown}</h2>
        <p class="hint">{strings.drillDownText}</p>
        <ol class="rows" ref={links}>
          {report.links.map((link) => (
            <LinkRow key={link.index} {...{ model, view, report, link }} />
          ))}
        </ol>
        <Button icon="add" label={strings.addLink} onClick={() => model.do('addLink', {})} />
      </section>
    </div>
  );
}

/** The folder's name, or its number if the account cannot see it or it is not loaded yet. */
function folderName({ strings, ground }: BuilderPageView, { folderId }: BuilderReport): string {
  if (folderId === '' || folderId === '0') return strings.noFolder;
  const known = ground.kind === 'ready' ? ground.folders.find(({ id }) => id === folderId) : undefined;
  return known?.name ?? fill(strings.folderNumber, folderId);
}

/** Row limit. Invalid text stays in the box, marked as an error, while typing; the report keeps its limit. */
function TopN({ model, view, report }: OptionsTabProps) {
  const { strings } = view;
  const [wrong, setWrong] = useState<string>();
  const type = (text: string) => {
    const isLimit = /^(|[1-9]\d{0,8})$/.test(text.trim());
    setWrong(isLimit ? undefined : text);
    if (isLimit) model.edit({ kind: 'setTopN', value: Number(text) || null });
  };
  return (
    <>
      <label class="check" onFocusOut={() => setWrong(undefined)}>
        {strings.topN}
        <DraftInput
          class="number"
          inputMode="numeric"
          value={wrong ?? String(report.topN ?? '')}
          label={strings.topN}
          placeholder={strings.all}
          isInvalid={wrong !== undefined}
          describedBy={wrong === undefined ? undefined : 'report-limit-problem'}
          onChange={type}
        />
      </label>
      {wrong !== undefined && (
        <span class="option-hint" id="report-limit-problem" role="alert">
          {strings.noLimit}
        </span>
      )}
    </>
  );
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
function LinkRow({ model, view, report, link }: OptionsTabProps & { link: BuilderLink }) {
  const { strings } = view;
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
          label={fill(strings.addPair, name)}
          onClick={() => model.edit({ kind: 'addPair', link: link.index })}
        />
        <IconButton
          icon="close"
          label={fill(strings.removeLink, name)}
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
            <div class="pair" key={place}>
              <FieldBox
                {...{ report, strings }}
                label={fill(strings.linkField, name)}
                value={pair.field}
                onChange={(field) => change({ field })}
              />
              <span aria-hidden="true">→</span>
              <DraftInput
                value={pair.target}
                list={listId}
                label={fill(strings.linkTarget, name)}
                placeholder={strings.linkTargetHint}
                onChange={(target) => change({ target })}
              />
              <IconButton
                icon="close"
                label={fill(strings.removePair, pair.field)}
                onClick={() => model.edit({ kind: 'removePair', link: link.index, place })}
              />
            </div>
          );
        })}
      </div>
    </li>
  );
}

interface OutputSettingsProps {
  model: BuilderModel;
  view: BuilderPageView;
  report: BuilderReport;
}

/** Settings of an output type in addition to the fields: which fields it draws, and how it groups rows. */
function OutputSettings({ model, view, report }: OutputSettingsProps) {
  const { strings } = view;
  const slots = outputSlots(report.outputType, report.fields);
  const groups = groupChoices(report.outputType, report.fields);
  const labels = {
    category: strings.slotCategory,
    down: strings.slotDown,
    across: strings.slotAcross,
    value: strings.slotValue,
  };
  if (slots.length === 0 && groups.length === 0) return null;
  return (
    <div class="option output-settings" role="group" aria-label={strings.outputSettings}>
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
            {slot.field === undefined && <option value="">{strings.slotNone}</option>}
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
          <span>{strings.slotGroups}</span>
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
