import type { BuilderField } from '../../pageContract.ts';

/** A column that totals and linked reports may name, and what they name it by. */
export interface ColumnChoice {
  field: BuilderField;
  value: string;
}

/** The columns shown: by their name in the SQL; where a field has none, by its header, which the server takes as well. */
export function columnChoices(fields: readonly BuilderField[]): ColumnChoice[] {
  return fields
    .filter(({ isHidden }) => !isHidden)
    .map((field) => ({ field, value: field.alias.trim() || field.name }))
    .filter(({ value }) => value !== '');
}

/** The column that a text names: an alias, else a header, whatever the case; undefined for none. */
export function columnNamed(text: string, fields: readonly BuilderField[]): ColumnChoice | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return undefined;
  const choices = columnChoices(fields);
  return (
    choices.find(({ field }) => field.alias.trim().toLowerCase() === wanted) ??
    choices.find(({ field }) => field.name.trim().toLowerCase() === wanted)
  );
}
