import type { BuilderReport } from '../../pageContract.ts';
import { columnChoices, columnNamed } from './optionColumns.ts';
import * as l10n from '../../../../l10n/l10n.ts';

interface FieldBoxProps {
  report: BuilderReport;
  label: string;
  value: string;
  /** Label for no field, if allowed. */
  none?: string;
  /** Id of the server's reason to refuse it; undefined if it takes it. */
  problemId?: string | undefined;
  onChange: (alias: string) => void;
}

/** Picks a column of the report, by its name in the result. */
export function FieldBox({ report, label, value, none, problemId, onChange }: FieldBoxProps) {
  const choices = columnChoices(report.fields);
  const found = columnNamed(value, report.fields);
  const current = found?.value ?? value;
  return (
    <select
      class="select"
      aria-label={label}
      aria-invalid={problemId !== undefined}
      aria-describedby={problemId}
      value={current}
      onChange={(event) => onChange(event.currentTarget.value)}
    >
      {none !== undefined ? (
        <option value="">{none}</option>
      ) : (
        current === '' && <option value="">{l10n.t('Column…')}</option>
      )}
      {current !== '' && !found && <option value={current}>{l10n.t('{0} (not in the report)', value)}</option>}
      {choices.map(({ field, value: own }) => (
        <option key={field.index} value={own}>
          {field.name || own}
        </option>
      ))}
    </select>
  );
}
