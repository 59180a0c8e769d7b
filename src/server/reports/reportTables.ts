import type { ReportTypeField, ReportTypeModel } from '../catalogue/reportTypeModel.ts';
import { agrees, storedKind } from '../../contract/columnTypes.ts';
import { noOtherPaths, type OtherPaths, type SourceColumn, type SourceTable } from '../security/rowSecurity.ts';
import type { DatabaseColumn } from '../databases/database.ts';
import { kindOfFieldType } from './formulas/expressionKinds.ts';
import type { Expression } from './sql/tree.ts';

/** Columns of a physical table as the database describes them; a policy may compare one that no report shows. */
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
      // A policy holds for every alias of a table alike.
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

  /** The first registered field of a label, in the table of `preferredAlias` if there is one. */
  fieldByLabel(label: string, preferredAlias: string): ReportTypeField | undefined {
    const named = this.reportType.fields.filter((field) => fold(field.label) === fold(label));
    return named.find((field) => fold(field.tableAlias) === fold(preferredAlias)) ?? named[0];
  }
}

/** Columns with what they hold; one of a type that policies cannot compare for certain is left out, so that they fail closed. */
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

/** Whether every field of a column is registered as what the database says that it holds. */
function agreesWithAll({ name, kind }: SourceColumn, fields: readonly ReportTypeField[]): boolean {
  return fields.every(({ column, fieldType }) => fold(column) !== fold(name) || agrees(fieldType, kind));
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}
