import type { ReportTypeField, ReportTypeModel } from '../catalogue/reportTypeModel.ts';
import { agrees, storedKind } from '../../contract/columnTypes.ts';
import { noOtherPaths, type OtherPaths, type SourceColumn, type SourceTable } from '../security/rowSecurity.ts';
import type { DatabaseColumn } from '../databases/database.ts';
import { kindOfFieldType } from './formulas/expressionKinds.ts';
import type { Expression } from './sql/tree.ts';

/** Columns of a physical table as described by the database; a policy may compare one that no report shows. */
export type DescribedColumns = (owner: string, table: string) => readonly SourceColumn[];

/** The tables and fields of a report type, found by the names in a definition, ignoring case. */
export class ReportTables {
  readonly reportType: ReportTypeModel;
  readonly #tables = new Map<string, SourceTable>();

  /** `otherPaths` returns the other ways to reach the rows of a table; by default there are none. */
  constructor(
    reportType: ReportTypeModel,
    described: DescribedColumns = () => [],
    otherPaths: (owner: string, table: string) => OtherPaths = () => noOtherPaths,
  ) {
    this.reportType = reportType;
    for (const table of reportType.tables) {
      // A policy applies to every alias of a table.
      const aliases = new Set(
        reportType.tables.filter((other) => isSameTable(table, other)).map(({ alias }) => fold(alias)),
      );
      const registered = reportType.fields.filter(({ tableAlias }) => aliases.has(fold(tableAlias)));
      const columns = described(table.owner, table.name).filter((column) => agreesWithAll(column, registered));
      this.#tables.set(fold(table.alias), {
        ...table,
        moduleId: reportType.moduleId,
        columns,
        otherPaths: otherPaths(table.owner, table.name),
      });
    }
  }

  /** The table of an alias. */
  table(alias: string): SourceTable | undefined {
    return this.#tables.get(fold(alias));
  }

  /** The registered field of a column. */
  field(alias: string, column: string): ReportTypeField | undefined {
    return this.reportType.fields.find(
      (field) => fold(field.tableAlias) === fold(alias) && fold(field.column) === fold(column),
    );
  }

  /** The first registered field of a label, preferably in the table of `preferredAlias`. */
  fieldByLabel(label: string, preferredAlias: string): ReportTypeField | undefined {
    const named = this.reportType.fields.filter((field) => fold(field.label) === fold(label));
    return named.find((field) => fold(field.tableAlias) === fold(preferredAlias)) ?? named[0];
  }
}

/** Columns with their kinds; omits a column whose type policies cannot compare reliably, so that they fail closed. */
export function sourceColumns(platform: string, columns: readonly DatabaseColumn[]): SourceColumn[] {
  return columns.flatMap(({ name, nativeType }) => {
    const kind = storedKind(platform, nativeType);
    return kind ? [{ name, kind }] : [];
  });
}

/** A registered field as an expression. */
export function columnOf(field: ReportTypeField): Expression {
  return {
    kind: 'column',
    source: field.tableAlias,
    column: field.column,
    holds: kindOfFieldType(field.fieldType),
  };
}

function isSameTable(one: { owner: string; name: string }, other: { owner: string; name: string }): boolean {
  return fold(one.owner) === fold(other.owner) && fold(one.name) === fold(other.name);
}

/** Whether every registered field of a column agrees with the column's type in the database. */
function agreesWithAll({ name, kind }: SourceColumn, fields: readonly ReportTypeField[]): boolean {
  return fields.every(({ column, fieldType }) => fold(column) !== fold(name) || agrees(fieldType, kind));
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}
