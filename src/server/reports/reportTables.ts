import type { ReportTypeField, ReportTypeModel } from '../catalogue/reportTypeModel.ts';
import { noOtherPaths, type OtherPaths, type SourceColumn, type SourceTable } from '../security/rowSecurity.ts';
import { kindOfFieldType } from './expressionKinds.ts';
import type { Expression } from './sql/tree.ts';

/**
 * Columns of a physical table as the database describes them. A policy may compare a column that no report shows, and one that
 * holds text is compared as text, whatever its field is registered as.
 */
export type DescribedColumns = (owner: string, table: string) => readonly SourceColumn[];

/** The tables and fields of a report type, found by the names that a definition uses, whatever their case. */
export class ReportTables {
  readonly reportType: ReportTypeModel;
  readonly #tables = new Map<string, SourceTable>();

  /** `otherPaths` tells how else the rows of a table can be reached; without it, in no way. */
  constructor(
    reportType: ReportTypeModel,
    described: DescribedColumns = () => [],
    otherPaths: (owner: string, table: string) => OtherPaths = () => noOtherPaths,
  ) {
    this.reportType = reportType;
    for (const table of reportType.tables) {
      // Every alias of a table knows the columns registered under any of them, so a policy holds for all alike.
      const aliases = new Set(reportType.tables.filter((other) => isSameTable(table, other)).map(({ alias }) => alias));
      const registered = reportType.fields
        .filter(({ tableAlias }) => aliases.has(tableAlias))
        .map(({ column, fieldType }) => ({ name: column, kind: kindOfFieldType(fieldType) }));
      const known = described(table.owner, table.name);
      const texts = known.filter(({ kind }) => kind === 'text');
      const columns = uniqueColumns([...texts, ...registered, ...known]);
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

  /** The first registered field of a label, in the table of `preferredAlias` if there is one. */
  fieldByLabel(label: string, preferredAlias: string): ReportTypeField | undefined {
    const named = this.reportType.fields.filter((field) => fold(field.label) === fold(label));
    return named.find((field) => fold(field.tableAlias) === fold(preferredAlias)) ?? named[0];
  }
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

function uniqueColumns(columns: readonly SourceColumn[]): SourceColumn[] {
  return [...new Map(columns.toReversed().map((column) => [fold(column.name), column])).values()];
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}
