import { application, findProduct, type RegisteredServer } from '../../../contract/resources/application.ts';
import { reportTree, type ReportTreeNode, reportType } from '../../../contract/resources/semanticLayer.ts';
import { html, type Markup } from './markup.ts';
import type { PageCalls } from './pageCalls.ts';
import { sentence } from './pageReply.ts';

/** What reports can be built from: applications, their report types and fields. Nothing can be changed here. */
export async function builderContent(calls: PageCalls): Promise<Markup> {
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
