import { outputTypes } from '../../../contract/outputTypes.ts';
import {
  dashboardEntry,
  libraryItem,
  type LibraryItem,
  type LibraryNode,
  libraryTreeEntry,
} from '../../../contract/resources/library.ts';
import { html, type Markup } from './markup.ts';
import type { PageCalls } from './pageCalls.ts';
import { sentence } from './pageReply.ts';

/** The folders that the caller sees, with their reports and dashboards. */
export async function libraryContent(calls: PageCalls): Promise<Markup> {
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

/** The dashboards that the caller sees: where the interface begins. */
export async function dashboardsContent(calls: PageCalls): Promise<Markup> {
  const found = (await calls.read('Dashboard/SearchDashboardList', { search: '' }, dashboardEntry.array())) ?? [];
  if (found.length === 0) return sentence('There is no dashboard that you may see.');
  return html`<ul class="top">
    ${found.map(
      ({ name, descr }) => html`<li><span class="folder">${name}</span> <span class="soft">${descr}</span></li>`,
    )}
  </ul>`;
}
