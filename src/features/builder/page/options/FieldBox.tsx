import type { BuilderReport } from '../../pageContract.ts';
import { fill } from '../../../../contract/pages/resultsStrings.ts';
import type { BuilderPageView } from '../builderModel.ts';
import { columnChoices, columnNamed } from './optionColumns.ts';

interface FieldBoxProps {
  report: BuilderReport;
  strings: BuilderPageView['strings'];
  label: string;
  value: string;
  /** Label for no field, if allowed. */
  none?: string;
  onChange: (alias: string) => void;
}

/** Picks a column of the report, by its name in the result. */
export function FieldBox({ report, strings, label, value, none, onChange }: FieldBoxProps) {
  const choices = columnChoices(report.fields);
  const found = columnNamed(value, report.fields);
  const current = found?.value ?? value;
  return (
    <select class="select" aria-label={label} value={current} onChange={(event) => onChange(event.currentTarget.value)}>
      {none !== undefined ? (
        <option value="">{none}</option>
      ) : (
        current === '' && <option value="">{strings.chooseField}</option>
      )}
      {current !== '' && !found && <option value={current}>{fill(strings.missingField, value)}</option>}
      {choices.map(({ field, value: own }) => (
        <option key={field.index} value={own}>
          {field.name || own}
        </option>
      ))}
    </select>
  );
}
