import type { BuilderReport } from '../../pageContract.ts';
import type { BuilderModel, BuilderPageView } from '../builderModel.ts';
import { Check } from '../controls.tsx';
import { fillSlot, groupChoices, outputSlots } from './optionColumns.ts';

interface OutputSettingsProps {
  model: BuilderModel;
  view: BuilderPageView;
  report: BuilderReport;
}

/** What an output type takes beside the fields themselves: which of them it draws, and how rows are grouped. */
export function OutputSettings({ model, view, report }: OutputSettingsProps) {
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
