import type { CellValue } from '../../../client/results/resultCell.ts';

/**
 * API for other extensions: `vscode.extensions.getExtension('analytics-studio.analytics-studio')?.activate()`. It only
 * reads and never changes anything on a server, and never exposes tokens, passwords or addresses. Calls use the user's
 * existing session: without one, or if it has expired, they fail even if a password is stored. Only the local server is
 * started, and signed in to with its own account, when a call needs it.
 */
export interface AnalyticsStudioApi {
  readonly version: 1;
  /** The servers in the sidebar. */
  connections(): readonly ConnectionInfo[];
  /**
   * The reports whose names contain `text`, as far as the connection's user may see them. Dashboards are excluded.
   * @throws Error that names server and cause, also if no user is signed in; Error that names the id if there is no
   *   such connection.
   */
  findReports(connectionId: string, text: string, signal?: AbortSignal): Promise<readonly ReportInfo[]>;
  /**
   * The prompts of a report, in the order of `RunRequest.answers`; empty if it has none.
   * @throws Error as `findReports`, also if there is no such report.
   */
  promptsOf(connectionId: string, reportId: string, signal?: AbortSignal): Promise<readonly PromptInfo[]>;
  /**
   * Runs a report and reads its whole result.
   * @throws Error as `promptsOf`, also if the server refuses to run it or the reply is incomplete.
   */
  runReport(connectionId: string, reportId: string, request?: RunRequest): Promise<ReportRows>;
}

/** A server in the sidebar and its account. */
export interface ConnectionInfo {
  readonly id: string;
  readonly name: string;
  /** Empty for a guest who is not signed in. */
  readonly userName: string;
  readonly isSignedIn: boolean;
}

/** A report that can be run. */
export interface ReportInfo {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** A prompt of a report. */
export interface PromptInfo {
  readonly label: string;
  readonly mayBeSkipped: boolean;
  readonly isRange: boolean;
}

/** The answer to a prompt: a value, the bounds of a range, or a list as the server writes it (`IL, CA`). */
export type PromptAnswer = { readonly low: string; readonly high?: string } | 'skip';

/** How to run a report. */
export interface RunRequest {
  /** By prompt position. Prompts without an answer are skipped if they are optional. */
  readonly answers?: readonly PromptAnswer[];
  /** Whether the server may answer from its cache; true by default. */
  readonly mayUseCache?: boolean;
  readonly signal?: AbortSignal;
}

/** A complete result. */
export interface ReportRows {
  readonly columns: readonly {
    readonly key: string;
    readonly header: string;
    readonly fieldType: string | undefined;
  }[];
  readonly rowCount: number;
  /**
   * Rows from `start` to `end` (exclusive), each an array in the order of `columns`; undefined if a row lacks the key.
   */
  rows(start: number, end: number): readonly (readonly CellValue[])[];
}
