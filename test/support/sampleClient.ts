import { libraryItem, type LibraryItem } from '../../src/contract/resources/library.ts';
import { reportMetadata, type Prompt, type ReportMetadata } from '../../src/contract/resources/report.ts';
import { reportResult, type ReportResult } from '../../src/contract/resources/reportResult.ts';
import type { SignedIn, TestServer } from './server.ts';

/** How to run a report of the sample. */
export interface SampleRun {
  /** Answers the prompts; {@link answered} by default. */
  prompts?: (prompts: Prompt[]) => Prompt[];
  topN?: number;
  /** Further fields of the request. */
  more?: object;
}

/** Values for the mandatory prompts of the sample, by header and operator. */
const answers: Record<string, { low: string; high?: string }> = {
  'Flight Date': { low: '2001-03-05', high: '2001-03-06' },
  Origin: { low: 'ORD' },
  Species: { low: '%hawk%' },
};

/** A prompt of the sample with a value that has rows, or skipped where it may be. */
export function answered(prompt: Prompt): Prompt {
  if (prompt.isSkipable) return { ...prompt, isSkipped: true };
  const answer = answers[prompt.PromptField?.DisplayFieldName ?? ''];
  return { ...prompt, LowValue: answer?.low ?? null, HighValue: answer?.high ?? null };
}

/** What a result's columns of states hold. */
export function statesIn(result: ReportResult): Set<unknown> {
  const keys = (result.Columns ?? []).map(({ key }) => key).filter((key) => key === 'origin_state' || key === 'state');
  return new Set(keys.flatMap((key) => (result.Data ?? []).map((row) => row[key])));
}

/** The sample's accounts at work on a server that has it, each signed in once. */
export class SampleClient {
  readonly #server: TestServer;
  readonly #signedIn = new Map<string, SignedIn>();

  constructor(server: TestServer) {
    this.#server = server;
  }

  async as(loginName: string): Promise<SignedIn> {
    const session = this.#signedIn.get(loginName) ?? (await this.#server.login(loginName, this.#server.adminPassword));
    this.#signedIn.set(loginName, session);
    return session;
  }

  async search(loginName: string, searchstring: string): Promise<LibraryItem[]> {
    const { json } = await (await this.as(loginName)).call('library/SearchReports', { searchstring });
    return libraryItem.array().parse(json);
  }

  /** All that an account sees, without the dashboards. */
  async reports(loginName: string): Promise<LibraryItem[]> {
    return (await this.search(loginName, '')).filter(({ itemtype }) => itemtype !== 0);
  }

  async metadataOf(loginName: string, reportId: string): Promise<ReportMetadata> {
    const { json } = await (await this.as(loginName)).call('Report/GetReportMetadataById', { ReportID: reportId });
    return reportMetadata.parse(json);
  }

  /** Runs a report the way the description asks: metadata, prompts, data. */
  async run(loginName: string, reportId: string, options: SampleRun = {}): Promise<ReportResult> {
    const session = await this.as(loginName);
    let metadata = await this.metadataOf(loginName, reportId);
    if (metadata.Prompts) {
      const Prompts = (options.prompts ?? ((prompts) => prompts.map(answered)))(metadata.Prompts);
      const { json } = await session.call('Report/ReplacePromptCollection', { Reportobj: metadata, Prompts });
      metadata = reportMetadata.parse(json);
    }
    if (options.topN !== undefined && metadata.Report) metadata.Report.TopN = options.topN;
    const { json, text } = await session.call('Report/GetReportData', { Reportobj: metadata, ...options.more });
    const result = reportResult.parse(json);
    if (result.HasError) throw new Error(`${reportId} as ${loginName}: ${text.slice(0, 300)}`);
    return result;
  }
}
