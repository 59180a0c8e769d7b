/** A field of a report type. */
export interface FieldPlace {
  readonly reportType: string;
  /** Name of the application: names of report types are unique within one. Empty where it is not known. */
  readonly application?: string;
  readonly tableAlias: string;
  readonly column: string;
  /** Name that reports know it by. */
  readonly name: string;
}
