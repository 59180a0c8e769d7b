import type { AnalyticsClient } from '../../client/client.ts';
import type { Application } from '../../contract/resources/application.ts';
import type { LibraryNode } from '../../contract/resources/library.ts';
import type {
  Criteria,
  Prompt,
  Report,
  ReportField,
  ReportMetadata,
  SqlFunction,
  Totals,
} from '../../contract/resources/report.ts';
import type { ReportTree, ReportTreeNode } from '../../contract/resources/semanticLayer.ts';
import type { FieldValue } from '../reports/prompts/promptChoices.ts';

/** The calls that building a report takes. All of them read. @throws {ClientError} each of them. */
export interface BuilderCalls {
  /** Applications with their registered servers. */
  applications(): Promise<Application[]>;
  tree(serverId: string, reportType: string): Promise<ReportTree>;
  functions(platform: string): Promise<SqlFunction[]>;
  outputTypes(): Promise<{ id?: number | null; name?: string | null; uiclass?: string | null }[]>;
  /** Folders of the libraries, with all below them. */
  folders(): Promise<LibraryNode[]>;
  /** A report to drill down to, with what it asks for. */
  target(reportId: string): Promise<ReportMetadata>;
  newField(node: ReportTreeNode): Promise<ReportField>;
  newCriteria(field: Readonly<Record<string, unknown>>): Promise<Criteria>;
  newTotals(type: string): Promise<Totals>;
  sql(report: Report, signal: AbortSignal): Promise<string>;
  fieldValues(report: Report, prompt: Prompt): Promise<readonly FieldValue[]>;
}

/** {@link BuilderCalls} on a server. `client` is asked for each call: the local server may have started anew. */
export function builderCalls(client: () => Promise<AnalyticsClient>): BuilderCalls {
  return {
    applications: async () => (await client()).call('App/GetApplicationList', {}),
    tree: async (RegServerID, ReportType) =>
      (await client()).call('RegServers/GetReportTree', { RegServerID, ReportType }),
    functions: async (db_plat) => (await client()).call('Report/GetSQLFunctions', { db_plat }),
    outputTypes: async () => (await client()).call('Report/GetOutputTypes', {}),
    folders: async () => {
      const request = { includefav: false, includePersonal: true };
      const roots = await (await client()).call('library/GetAllLibraryTree', request);
      return roots.flatMap(({ rootnode }) => (rootnode ? [rootnode] : []));
    },
    target: async (ReportID) =>
      (await client()).call('Report/GetReportMetadataById', {
        ReportID,
        isTarget: true,
        PreviousMetadata: null,
        Criteria: null,
      }),
    newField: async (field) => (await client()).call('Report/NewField', { field, bAdvRpt: false }),
    newCriteria: async (field) => (await client()).call('Report/NewCriteria', { field }),
    newTotals: async (type) => (await client()).call('Report/NewTotals', { type }),
    sql: async (Reportobj, signal) => (await client()).call('Report/GetSQL', { Reportobj }, { signal }),
    fieldValues: async (report, prompt) =>
      (await client()).call('Report/GetFieldValues', {
        Reportobj: { Report: report, Prompts: [prompt] },
        Prompt: prompt,
      }),
  };
}
