import { isProfilePlaceholder, readLabel, type LabelReading } from '../../contract/placeholders.ts';
import type { SqlFunction } from '../../contract/resources/report.ts';
import type { KnownObject, ReferenceKind } from './knownObjects.ts';
import type { FieldPlace } from './fieldPlace.ts';

/** A field of a report type, as its tree gives it. */
export interface KnownField {
  readonly name: string;
  /** Folders above it in the tree. */
  readonly folder: string;
  readonly tableAlias: string;
  readonly parentAlias: string;
  readonly column: string;
  /** Field type code. */
  readonly fieldType: string;
}

/** A column of a table that report types draw on. */
export interface KnownColumn {
  readonly owner: string;
  readonly table: string;
  readonly column: string;
  /** What reports call it. */
  readonly label: string;
}

/** A column of a table as its database describes it. */
export interface TableColumn {
  readonly name: string;
  /** Type in the database's own words. */
  readonly type: string;
}

/** A table as one database describes it. */
export interface DescribedTable {
  /** Name of the registered server. */
  readonly server: string;
  readonly platform: string;
  readonly columns: readonly TableColumn[];
}

/** A time zone as a server names it. */
export interface KnownTimeZone {
  readonly name: string;
  readonly code: string;
  /** Hours from UTC; some places differ by halves and quarters. */
  readonly offset: number;
}

/** A report type by name, with the id that its document has. */
export interface NamedReportType {
  readonly name: string;
  readonly documentId: string;
}

/** A report, as far as it is opened. */
export interface NamedReport {
  readonly id: string;
  readonly name: string;
}

/** A report that rows of another one open. */
export interface LinkTarget {
  readonly name: string;
  readonly fields: readonly {
    /** Name in the SQL. */
    readonly alias: string;
    readonly header: string;
  }[];
  /** Labels of its report type's fields, which a link may name as well; undefined while they are not known. */
  readonly labels?: readonly string[] | undefined;
}

/** What is known of a server at the moment. Undefined is not known: not read, refused, or of no server. */
export interface ServerFacts {
  /** Objects of a kind by id. */
  objects(kind: ReferenceKind): ReadonlyMap<string, KnownObject> | undefined;
  /** Fields of the report type that a report is on. */
  readonly reportFields?: readonly KnownField[] | undefined;
  /** Names of the report types that a report of this server may be on. */
  readonly reportTypes?: readonly string[] | undefined;
  /** Columns that policies may compare. */
  readonly columns?: readonly KnownColumn[] | undefined;
  /** Fields of a constraint on this server, where they are known for certain. */
  readonly constraintFields?: Readonly<Record<string, string>> | undefined;
  /** Columns of a table of the database that a report type is on; none for a table that it lacks. */
  readonly tableColumns?: ((owner: string, table: string) => readonly TableColumn[] | undefined) | undefined;
  /** Database platform of the registered server that a report type is on. */
  readonly platform?: string | undefined;
  /** A table in the databases of an application, or of all where it is empty, as far as they were asked. */
  readonly describedTables?:
    ((table: { moduleId: string; owner: string; name: string }) => readonly DescribedTable[]) | undefined;
  /** Report types of the application that a report type belongs to, itself among them. */
  readonly reportTypesBeside?: readonly NamedReportType[] | undefined;
  /** Names of the reports that use a field of a report type. */
  readonly reportsUsing?: ((field: FieldPlace) => readonly string[] | undefined) | undefined;
  /** Reports with a formula that calls a field of a report type by its label. */
  readonly formulasCalling?: ((field: FieldPlace) => readonly NamedReport[] | undefined) | undefined;
  /** A report by id, as far as links hand values to it. */
  readonly linkTarget?: ((reportId: string) => LinkTarget | undefined) | undefined;
  readonly timeZones?: readonly KnownTimeZone[] | undefined;
  /** Functions for formulas on the report's database. */
  readonly functions?: readonly SqlFunction[] | undefined;
}

/** What is known of no server, as for a file on disk. */
export const noFacts: ServerFacts = { objects: () => undefined };

/** The object of this id. */
export function objectOf(facts: ServerFacts, kind: ReferenceKind, id: string): KnownObject | undefined {
  return facts.objects(kind)?.get(id);
}

/** The data tag that a placeholder's label names; none where it names a field of the profile. */
export function tagOf(facts: ServerFacts, { normal }: LabelReading): KnownObject | undefined {
  if (normal === undefined || isProfilePlaceholder(normal)) return undefined;
  return [...(facts.objects('tag')?.values() ?? [])].find(({ name }) => readLabel(name).normal === normal);
}
