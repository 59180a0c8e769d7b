import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { handled, startScriptedServer } from '../scriptedServer.ts';
import type { ScriptedRequest, ScriptedServer } from '../scriptedServer.ts';

/** One report of the server: what its run answers, and where its definition is special. */
export interface FaultyReport {
  name: string;
  outputType?: number;
  /** Answers GetReportData: a reply, or what writes to the response itself. */
  run?: (response: ServerResponse, body: Record<string, unknown>) => unknown;
  /** What it asks for. */
  prompts?: readonly object[];
  /** The values that it lists for its prompts. */
  values?: readonly object[];
  /** Further members of its definition. */
  definition?: object;
  /** Answers GetReportMetadataById instead of the usual metadata. */
  metadata?: () => unknown;
}

/** A server on loopback with a library of its own, for what no real server does on request. */
export interface FaultyServer extends ScriptedServer {
  /** From now on every token given so far is rejected, as when the account signs in elsewhere. */
  endSessions(): void;
}

export { handled };
export const password = 'correct horse';

/** Answers by path, as `Report/GetReport`. */
export type Answers = Readonly<Record<string, (request: ScriptedRequest, response: ServerResponse) => unknown>>;

/**
 * Starts a server whose only folder holds `reports`. Everybody may sign in with {@link password}.
 * @param more answers of paths that are asked beside those of running a report, or in their place.
 * @param user further fields of the user who signs in.
 */
export async function startFaultyServer(
  reports: readonly FaultyReport[],
  more: Answers = {},
  user: object = {},
): Promise<FaultyServer> {
  let logins = 0;
  const named = (id: unknown) => reports[Number(id) - 1];
  const items = reports.map(({ name }, index) => ({
    id: index + 1,
    ReportName: name,
    itemtype: 1,
    folderid: 7,
    folderpath: 'Public Library/Faults',
    error_code: 0,
    isUserView: true,
  }));
  const answers: Answers = {
    'LicenseManager/GetInstallationID': () => '1111-2222-3333-4444-5555-6666',
    'login/DoLogin': ({ body }) => {
      if (body.UserPassword !== password) return { ErrorCode: 101, ErrorMessage: 'Login Failed', LoginSession: null };
      logins++;
      const SessionExpir = new Date(Date.now() + 20 * 60_000).toISOString();
      return {
        ErrorCode: 0,
        LoginSession: { SessionToken: `token-${logins}`, SessionExpir },
        LoginUser: { ID: '1', LoginName: 'ada', FullName: 'Ada, Byron', ...user },
      };
    },
    'Session/CheckSession': () => ({ ErrorCode: 0, SessionToken: `token-${logins}` }),
    'library/GetAllLibraryTree': () => [
      { rootnode: { id: 1, text: 'Public Library', libtype: 1, children: [{ id: 7, text: 'Faults', children: [] }] } },
    ],
    'library/GetListByFolderID': ({ body }) => (String(body.LibraryID) === '7' ? items : []),
    'library/SearchReports': () => items,
    'Dashboard/SearchDashboardList': () => [],
    'RegServers/GetAdminRegisteredServers': () => [],
    'Report/GetSQL': sqlOf,
    'Report/GetReportMetadataById': ({ body }) => {
      const report = named(body.ReportID);
      if (report?.metadata) return report.metadata();
      return {
        Report: {
          ErrorCode: 0,
          ReportID: body.ReportID,
          Reportname: report?.name,
          FieldList: [],
          OutputType: report?.outputType ?? 1,
          ...report?.definition,
        },
        Prompts: report?.prompts ?? null,
      };
    },
    'Report/GetFieldValues': ({ body }) => {
      const { Report: report } = body.Reportobj as { Report?: { ReportID?: string } };
      return named(report?.ReportID)?.values ?? [];
    },
    // There is no ReplacePromptCollection, as on servers that are older.
    'Report/ReplacePrompt': ({ body }) => {
      const { Report: report, Prompts } = body.Reportobj as { Report: object; Prompts: unknown };
      const { LowValue, isSkipped } = body.Prompt as { LowValue: unknown; isSkipped: unknown };
      return { Report: isSkipped === true ? report : { ...report, Asked: LowValue }, Prompts };
    },
    'Report/GetReportData': ({ body }, response) => {
      const { Report: report } = (body.TargetReportobj ?? body.Reportobj) as { Report: { ReportID: string } };
      return named(report.ReportID)?.run?.(response, body);
    },
    ...more,
  };
  const tokenless = ['LicenseManager/GetInstallationID', 'login/DoLogin'];
  const server = await startScriptedServer((request, response) => {
    const path = request.path.split('/').slice(-2).join('/');
    const isKnown = tokenless.includes(path) || request.body.sessionToken === `token-${logins}`;
    if (!isKnown) return { ErrorCode: 101, ErrorMessage: 'Session Expired' };
    return answers[path]?.(request, response);
  });
  return { ...server, endSessions: () => void logins++ };
}

/** Answers GetSQL. */
export function sqlOf({ body }: Pick<ScriptedRequest, 'body'>): string {
  const { Asked, Sql = 'SELECT 1' } = body.Reportobj as { Asked?: string; Sql?: string };
  return Asked == null ? Sql : `SELECT 1 FROM t WHERE city = '${Asked}'`;
}

/** A result with one column for each key of the first row, or with `columns`. */
export function result(rows: readonly Record<string, unknown>[], columns?: readonly object[]): object {
  const listed = columns ?? Object.keys(rows[0] ?? {}).map((key) => ({ key, headerText: key, yurbitype: 'cha' }));
  return { HasError: false, ErrorCode: 0, Columns: listed, Data: rows, etime: '9', dbtime: '5' };
}

/** Sends part of a result and then breaks the connection. */
export async function breakOff(response: ServerResponse, text: string, length: number): Promise<typeof handled> {
  response.writeHead(200, { 'content-type': 'application/json' });
  if (!response.write(text.slice(0, length))) await once(response, 'drain');
  // The part that was written must be on its way before the connection goes.
  setImmediate(() => response.destroy());
  return handled;
}

/** Sends part of a result and then nothing more, until whoever asked goes. */
export function trickle(response: ServerResponse, text: string, length: number): typeof handled {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(text.slice(0, length));
  return handled;
}
