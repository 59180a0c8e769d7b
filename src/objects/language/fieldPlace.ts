/** A column that a field of a report type stands for. */
export interface ColumnPlace {
  readonly tableAlias: string;
  readonly column: string;
}

/** A field of a report type. */
export interface FieldPlace extends ColumnPlace {
  readonly reportType: string;
  /** Name of the application: names of report types are unique within one. Empty where it is not known. */
  readonly application?: string;
  /** Name that reports know it by. */
  readonly name: string;
  /** The fields of the report type with this name, in its order, this one among them; undefined where they are not known. */
  readonly namesakes?: readonly ColumnPlace[] | undefined;
}

/** Those of a report type's fields that have a name. */
export function fieldsNamed<F extends ColumnPlace & { readonly name: string }>(
  name: string,
  fields: readonly F[],
): F[] {
  return fields.filter((field) => isSameName(field.name, name));
}

/** What a name means of the fields that have it: that of a table, else the first, as servers read it. */
export function fieldMeant<F extends ColumnPlace>(namesakes: readonly F[], tableAlias: string): F | undefined {
  return namesakes.find((field) => isSameName(field.tableAlias, tableAlias)) ?? namesakes[0];
}

/** Whether a field is what its own name means beside a table. */
export function isMeant({ namesakes = [], ...field }: FieldPlace, tableAlias: string): boolean {
  const meant = fieldMeant(namesakes, tableAlias);
  return !meant || isSameColumn(meant, field);
}

/** Whether two fields stand for one column. */
export function isSameColumn(one: ColumnPlace, other: ColumnPlace): boolean {
  return isSameName(one.tableAlias, other.tableAlias) && isSameName(one.column, other.column);
}

/** Whether two names of fields, tables or columns are one: their case does not count. */
export function isSameName(one: string, other: string): boolean {
  return one.trim().toLowerCase() === other.trim().toLowerCase();
}
