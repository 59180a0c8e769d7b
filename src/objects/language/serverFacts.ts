import { isProfilePlaceholder, readLabel, type LabelReading } from '../../contract/placeholders.ts';
import type { SqlFunction } from '../../contract/resources/report.ts';
import type { KnownObject, ReferenceKind } from './knownObjects.ts';
import type { FieldPlace } from './fieldPlace.ts';

/** A field of a report type, from its tree. */
export interface KnownField {
  readonly name: string;
  /** Parent folders in the tree. */
  readonly folder: string;
  readonly tableAlias: string;
  readonly parentAlias: string;
  readonly column: string;
  /** Field type code. */
  readonly fieldType: string;
}

/** A column of a table used by report types. */
export interface KnownColumn {
  readonly owner: string;
  readonly table: string;
  readonly column: string;
  /** Label in reports. */
  readonly label: string;
}

/** A column of a table, as described by its database. */
export interface TableColumn {
  readonly name: string;
  /** The database's own type name. */
  readonly type: string;
}

/** A table, as described by one database. */
export interface DescribedTable {
  /** Name of the registered server. */
  readonly server: string;
  readonly platform: string;
  readonly columns: readonly TableColumn[];
}

/** A time zone of a server. */
export interface KnownTimeZone {
  readonly name: string;
  readonly code: string;
  /** Hours from UTC, possibly with half or quarter hours. */
  readonly offset: number;
}

/** A report type, by name and document id. */
export interface NamedReportType {
  readonly name: string;
  readonly documentId: string;
}

/** A report, with the data needed to open it. */
export interface NamedReport {
  readonly id: string;
  readonly name: string;
}

/** A report that opens from the rows of another one. */
export interface LinkTarget {
  readonly name: string;
  readonly fields: readonly {
    /** SQL name. */
    readonly alias: string;
    readonly header: string;
  }[];
  /** Labels of its report type's fields, which links may also use; undefined if unknown. */
  readonly labels?: readonly string[] | undefined;
}

/** Known facts about a server. Undefined means unknown: not read, refused, or no server. */
export interface ServerFacts {
  /** Objects of a kind by id. */
  objects(kind: ReferenceKind): ReadonlyMap<string, KnownObject> | undefined;
  /** Fields of a report's report type. */
  readonly reportFields?: readonly KnownField[] | undefined;
  /** Names of the report types that a report of this server may use. */
  readonly reportTypes?: readonly string[] | undefined;
  /** Columns that policies may compare. */
  readonly columns?: readonly KnownColumn[] | undefined;
  /** Fields of a constraint on this server, if known for certain. */
  readonly constraintFields?: Readonly<Record<string, string>> | undefined;
  /** Columns of a table in the database of a report type; empty if the table does not exist. */
  readonly tableColumns?: ((owner: string, table: string) => readonly TableColumn[] | undefined) | undefined;
  /** Database platform of a report type's registered server. */
  readonly platform?: string | undefined;
  /** A table in the databases of an application (any, if empty) that have been queried. */
  readonly describedTables?:
    | ((table: { moduleId: string; owner: string; name: string }) => readonly DescribedTable[])
    | undefined;
  /** Report types of a report type's application, including itself. */
  readonly reportTypesBeside?: readonly NamedReportType[] | undefined;
  /** Names of the reports that use a field of a report type. */
  readonly reportsUsing?: ((field: FieldPlace) => readonly string[] | undefined) | undefined;
  /** Reports with a formula that refers to a field of a report type by its label. */
  readonly formulasCalling?: ((field: FieldPlace) => readonly NamedReport[] | undefined) | undefined;
  /** A report by id, with the data needed by links that pass values to it. */
  readonly linkTarget?: ((reportId: string) => LinkTarget | undefined) | undefined;
  readonly timeZones?: readonly KnownTimeZone[] | undefined;
  /** Functions for formulas on the report's database. */
  readonly functions?: readonly SqlFunction[] | undefined;
}

/** Facts without a server, for example for a file on disk. */
export const noFacts: ServerFacts = { objects: () => undefined };

/** The object with this id. */
export function objectOf(facts: ServerFacts, kind: ReferenceKind, id: string): KnownObject | undefined {
  return facts.objects(kind)?.get(id);
}

/** The data tag for a placeholder's label; undefined for a profile field. */
export function tagOf(facts: ServerFacts, { normal }: LabelReading): KnownObject | undefined {
  if (normal === undefined || isProfilePlaceholder(normal)) return undefined;
  return [...(facts.objects('tag')?.values() ?? [])].find(({ name }) => readLabel(name).normal === normal);
}
