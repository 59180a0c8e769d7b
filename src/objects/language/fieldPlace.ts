/** The column behind a field of a report type. */
export interface ColumnPlace {
  readonly tableAlias: string;
  readonly column: string;
}

/** A field of a report type. */
export interface FieldPlace extends ColumnPlace {
  readonly reportType: string;
  /** Name of the application, in which names of report types are unique. Empty if unknown. */
  readonly application?: string;
  /** Name used by reports. */
  readonly name: string;
  /** The fields of the report type with this name, in its order, including this one; undefined if unknown. */
  readonly namesakes?: readonly ColumnPlace[] | undefined;
}

/** The fields of a report type with the given name. */
export function fieldsNamed<F extends ColumnPlace & { readonly name: string }>(
  name: string,
  fields: readonly F[],
): F[] {
  return fields.filter((field) => isSameName(field.name, name));
}

/** The field that a name refers to: the one of the given table, else the first, as servers resolve it. */
export function fieldMeant<F extends ColumnPlace>(namesakes: readonly F[], tableAlias: string): F | undefined {
  return namesakes.find((field) => isSameName(field.tableAlias, tableAlias)) ?? namesakes[0];
}

/** Whether the field's own name, with its table, refers to it. */
export function isMeant({ namesakes = [], ...field }: FieldPlace, tableAlias: string): boolean {
  const meant = fieldMeant(namesakes, tableAlias);
  return !meant || isSameColumn(meant, field);
}

/** Whether two fields have the same column. */
export function isSameColumn(one: ColumnPlace, other: ColumnPlace): boolean {
  return isSameName(one.tableAlias, other.tableAlias) && isSameName(one.column, other.column);
}

/** Whether two names of fields, tables or columns are equal, ignoring case. */
export function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
