import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { AllowedOrigin } from '../originGuard.ts';
import type { Dispatch } from '../dispatcher.ts';
import type { Reply } from '../reply.ts';
import type { RunningCall } from '../runningCall.ts';
import { type Markup, html } from './markup.ts';
import { chartOf, isDrawn } from './chart.ts';
import { NoSession, PageCalls } from './pageCalls.ts';
import { pageReply, sentence } from './pageReply.ts';
import { outputTypes } from '../../../contract/outputTypes.ts';
import {
  dashboardEntry,
  libraryItem,
  type LibraryItem,
  type LibraryNode,
  libraryTreeEntry,
} from '../../../contract/resources/library.ts';
import { reportMetadata, type ReportMetadata } from '../../../contract/resources/report.ts';
import { reportResult } from '../../../contract/resources/reportResult.ts';
import { application, findProduct, type RegisteredServer } from '../../../contract/resources/application.ts';
import { reportTree, type ReportTreeNode, reportType } from '../../../contract/resources/semanticLayer.ts';

/** Dependencies of the pages. */
interface PageParts {
  dispatch: Dispatch;
  /** Origin that may frame the embed page. */
  allowedOrigin: AllowedOrigin;
  log: (message: string) => void;
}

/** Builds a browser page, or undefined if there is none of that name. API description, Browser entry pages. */
export type Pages = (name: string, query: URLSearchParams, call: RunningCall) => Promise<Reply | undefined>;

const views: Readonly<Record<string, { title: string; content: (calls: PageCalls) => Promise<Markup> }>> = {
  '': { title: 'Dashboards', content: dashboardsContent },
  '1': { title: 'Library', content: libraryContent },
  '2': { title: 'Builder', content: builderContent },
};

/**
 * Creates the pages opened by a session token in their address: the read-only interface, and a single dashboard for a
 * frame.
 */
export function createPages({ dispatch, allowedOrigin, log }: PageParts): Pages {
  const frames = { any: '*', none: "'self'", one: allowedOrigin.kind === 'one' ? allowedOrigin.origin : '' };
  const embedFrames = frames[allowedOrigin.kind];
  return async (name, query, call) => {
    const isEmbed = name === 'embed.html';
    if (!isEmbed && name !== 'sso.html') return undefined;
    const frame = isEmbed ? embedFrames : "'none'";
    const tell = (title: string, text: string, status: number) =>
      pageReply({ title, content: sentence(text), frames: frame }, status);
    const calls = new PageCalls(dispatch, call, query.get('s') ?? '');
    try {
      await calls.requireSession();
      if (!isEmbed) {
        const view = views[query.get('h') ?? ''] ?? views[''];
        return view && pageReply({ title: view.title, content: await view.content(calls), frames: frame });
      }
      const isDashboard = query.get('t') === 'd';
      const found = isDashboard ? await dashboardContent(calls, query.get('i') ?? '') : undefined;
      if (found) return pageReply({ ...found, frames: frame });
      return tell('Nothing to show', 'The dashboard does not exist, or you cannot see it.', 404);
    } catch (error) {
      if (error instanceof NoSession) {
        return tell('Signed out', 'This session has ended or is unknown. Sign in again and open the page again.', 401);
      }
      // The message may contain data or the token: it is only logged, and the page shows a reference to the entry.
      const reference = randomBytes(4).toString('hex');
      log(`The page ${name} failed (${reference}): ${error instanceof Error ? error.stack : String(error)}`);
      return tell('Error', `The page could not be created. See the server log for ${reference}.`, 500);
    }
  };
}

/** The folders that the caller can see, with their reports and dashboards. */
async function libraryContent(calls: PageCalls): Promise<Markup> {
  const trees = await calls.read(
    'library/GetAllLibraryTree',
    { includefav: false, includePersonal: true },
    libraryTreeEntry.array(),
  );
  const items = (await calls.read('library/SearchReports', { searchstring: '' }, libraryItem.array())) ?? [];
  const byFolder = Map.groupBy(items, ({ folderid }) => Number(folderid));
  const roots = (trees ?? []).map(({ rootnode }) => rootnode).filter((root) => root !== null && root !== undefined);
  return html`<ul class="top">
    ${roots.map((root) => folder(root, byFolder))}
  </ul>`;
}

function folder(node: LibraryNode, byFolder: ReadonlyMap<number, readonly LibraryItem[]>): Markup {
  const items = byFolder.get(Number(node.id)) ?? [];
  const children = node.children ?? [];
  const isEmpty = items.length + children.length === 0;
  return html`<li>
    <span class="folder">${node.text}</span>${isEmpty ? html` <span class="soft">is empty</span>` : undefined}
    <ul>
      ${children.map((child) => folder(child, byFolder))}
      ${items.map(
        (item) =>
          html`<li>
            ${item.ReportName}
            <span class="soft">${kindOf(item)}${item.Description ? ` · ${item.Description}` : ''}</span>
          </li>`,
      )}
    </ul>
  </li>`;
}

function kindOf({ itemtype }: LibraryItem): string {
  if (itemtype === 0) return 'Dashboard';
  return outputTypes.find(({ id }) => id === itemtype)?.name ?? 'Report';
}

/** The dashboards that the caller can see; the start page of the interface. */
async function dashboardsContent(calls: PageCalls): Promise<Markup> {
  const found = (await calls.read('Dashboard/SearchDashboardList', { search: '' }, dashboardEntry.array())) ?? [];
  if (found.length === 0) return sentence('There is no dashboard that you can see.');
  return html`<ul class="top">
    ${found.map(
      ({ name, descr }) => html`<li><span class="folder">${name}</span> <span class="soft">${descr}</span></li>`,
    )}
  </ul>`;
}

/** Maximum rows shown of a report, and maximum rows that a chart is drawn from. */
const mostRows = 100;
const mostDrawnRows = 5_000;
const flags = z.object({ reports: z.array(z.number()) });

/** A dashboard with the first rows of its reports that the caller may see; undefined if it does not exist. */
async function dashboardContent(
  calls: PageCalls,
  dashboardId: string,
): Promise<{ title: string; content: Markup } | undefined> {
  const items = (await calls.read('library/SearchReports', { searchstring: '' }, libraryItem.array())) ?? [];
  const found = items.find(({ id, itemtype }) => itemtype === 0 && String(id) === dashboardId);
  if (!found) return undefined;
  const { reports } = flags.parse(JSON.parse(found.item_flags ?? '{"reports":[]}'));
  const parts: Markup[] = [];
  for (const id of reports) parts.push(await reportPart(calls, String(id)));
  const content = html`<p class="soft">${found.Description}</p>
    ${parts.length > 0 ? parts : sentence('It contains no report that you can see.')}`;
  return { title: found.ReportName ?? 'Dashboard', content };
}

async function reportPart(calls: PageCalls, ReportID: string): Promise<Markup> {
  const asked = { ReportID, isTarget: false, PreviousMetadata: null, Criteria: null };
  const metadata = await calls.read('Report/GetReportMetadataById', asked, reportMetadata);
  if (!metadata?.Report) return sentence('A report of this dashboard cannot be read.');
  const { Report, Prompts } = metadata;
  const prompts = (Prompts ?? []).length > 0 ? sentence('Its prompts are left out here.') : undefined;
  return html`<section>
    <h2>${Report.Reportname}</h2>
    ${prompts} ${await rowsOf(calls, metadata)}
  </section>`;
}

async function rowsOf(calls: PageCalls, { Report }: ReportMetadata): Promise<Markup> {
  // One extra row shows whether there are more.
  const mostRead = isDrawn(Report?.OutputType) ? mostDrawnRows : mostRows;
  const TopN = Math.min(Report?.TopN || Infinity, mostRead + 1);
  const asked = { Reportobj: { Report: { ...Report, TopN } }, IsDrillDown: false, supressprompts: true, cacheok: true };
  const result = await calls.read('Report/GetReportData', asked, reportResult);
  if (!result || result.HasError) return sentence(result?.ErrorMessage ?? 'It cannot be run.');
  const columns = (result.Columns ?? []).map(({ key, headerText, dataType }) => ({
    key: key ?? '',
    headerText,
    className: dataType === 'number' ? 'number' : '',
  }));
  const rows = result.Data ?? [];
  const more = rows.length > mostRows ? sentence(`The first ${mostRows} rows are shown.`) : undefined;
  const drawn = rows.slice(0, mostDrawnRows);
  const chart = chartOf(Report?.OutputType, { columns: result.Columns ?? [], rows: drawn });
  const table = html`<div
      class="scroll"
      tabindex="0"
      role="region"
      aria-label="Rows of ${Report?.Reportname ?? 'the report'}"
    >
      <table>
        <thead>
          <tr>
            ${columns.map(({ headerText, className }) => html`<th scope="col" class="${className}">${headerText}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, mostRows).map(
            (row) =>
              html`<tr>
                ${columns.map(({ key, className }) => html`<td class="${className}">${cell(row[key])}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${more}`;
  if (!chart) return table;
  const partly = rows.length > mostDrawnRows ? sentence(`The chart shows the first ${mostDrawnRows} rows.`) : undefined;
  return html`${chart} ${partly}
    <details>
      <summary>Rows</summary>
      ${table}
    </details>`;
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Read-only list of what reports can be built from: applications, their report types and fields. */
async function builderContent(calls: PageCalls): Promise<Markup> {
  const applications = (await calls.read('App/GetApplicationList', {}, application.array())) ?? [];
  const parts: Markup[] = [];
  for (const found of applications) {
    const { ID, ModuleType } = findProduct(found) ?? {};
    const asked = { ReportModuleID: String(ID), ModuleType: ModuleType ?? '' };
    for (const server of found.RegisteredServers ?? []) parts.push(await serverPart(calls, server, asked));
  }
  if (parts.length === 0) return sentence('You have no role on an application to build reports for.');
  return html`<p class="soft">What reports can be built from. Reports are built in Analytics Studio.</p>
    ${parts}`;
}

async function serverPart(
  calls: PageCalls,
  { ID, DisplayName }: RegisteredServer,
  application: { ReportModuleID: string; ModuleType: string },
): Promise<Markup> {
  const RegServerID = String(ID);
  const asked = { ...application, RegServerID };
  const types = (await calls.read('RegServers/GetReportTypes', asked, reportType.array())) ?? [];
  const parts: Markup[] = [];
  for (const { name } of types) {
    const tree = await calls.read('RegServers/GetReportTree', { RegServerID, ReportType: name ?? '' }, reportTree);
    const nodes = tree?.rootnode?.children ?? [];
    parts.push(
      html`<h3>${name}</h3>
        <ul>
          ${nodes.map(node)}
        </ul>`,
    );
  }
  return html`<section>
    <h2>${DisplayName}</h2>
    ${parts.length > 0 ? parts : sentence('No report types yet.')}
  </section>`;
}

function node({ type, text, children, dbtablealias, dbfieldname, fieldtype }: ReportTreeNode): Markup {
  if (type !== 'Field') {
    return html`<li>
      <span class="folder">${text}</span>
      <ul>
        ${(children ?? []).map(node)}
      </ul>
    </li>`;
  }
  return html`<li>${text} <code>${dbtablealias}.${dbfieldname}</code> <span class="soft">${fieldtype}</span></li>`;
}
