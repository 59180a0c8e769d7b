import * as z from 'zod';
import { libraryItem } from '../../../contract/resources/library.ts';
import { reportMetadata, type ReportMetadata } from '../../../contract/resources/report.ts';
import { reportResult } from '../../../contract/resources/reportResult.ts';
import { html, type Markup } from './markup.ts';
import type { PageCalls } from './pageCalls.ts';
import { sentence } from './pageReply.ts';

/** Most rows shown of a report. */
const mostRows = 100;
const flags = z.object({ reports: z.array(z.number()) });

/** A dashboard with the first rows of its reports, as the caller may see them; undefined when there is none such. */
export async function dashboardContent(
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
    ${parts.length > 0 ? parts : sentence('It shows no report that you may see.')}`;
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
  // One more than is shown tells that there are more.
  const TopN = Math.min(Report?.TopN || Infinity, mostRows + 1);
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
  return html`<div class="scroll">
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
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
