import type { Browser, Page } from 'playwright-core';
import type { ResultStore } from '../../../src/client/results/resultStore.ts';
import type { Arrangement, ResultsSnapshot, ResultsState } from '../../../src/contract/pages/resultsPage.ts';
import { pageHtml } from '../../../src/editor/pages/pageHtml.ts';
import { lineWindow } from '../../../src/features/reports/view/displayedRows.ts';
import { ResultView } from '../../../src/features/reports/view/resultView.ts';
import { connectPage } from '../../support/pages/pagePort.ts';
import type { PageServer } from '../../support/pages/pageServer.ts';
import { outputWords } from '../../unit/features/reports/charts/outputWords.ts';

interface Message {
  id: number;
  name: string;
  params: { view: number; start: number; count: number; column: number } & Arrangement;
}

/** The results page as it is shipped, over a store in this process, read through the extension's own screen. */
export async function openPanel(browser: Browser, pages: PageServer, store: ResultStore): Promise<Page> {
  const locale = { language: 'en', timeZone: 'UTC' };
  const words = { typeName: () => 'text', output: outputWords };
  const told = { gridChanged: () => void tell('grid', screen.shape), gridGrew: () => undefined };
  const screen: ResultView = new ResultView(store, { locale, words, output: undefined, isTable: true }, told);
  const state: ResultsState = {
    ...{ reportId: 'bench', title: 'Bench', trail: ['Bench'], server: 'Local', user: 'ada' },
    ...{ hasPrompts: false, output: null, isTable: true },
    chips: [],
    phase: {
      ...{ kind: 'done', isCached: false, isLimited: false, notice: '' },
      progress: { rows: store.rowCount, bytes: store.bytes, elapsedMs: 1 },
    },
  };
  const answer = async ({ name, params }: Message): Promise<unknown> => {
    if (name === 'ready') return { state, grid: screen.shape, form: null, keepsake: null } satisfies ResultsSnapshot;
    const shown = screen.at(params.view);
    if (name === 'rows') return shown === undefined ? null : lineWindow(shown, params.start, params.count);
    if (name === 'arrange') await screen.arrange(params);
    if (name === 'arrange') return {};
    return name === 'profile' ? screen.profile(params.view, params.column) : null;
  };
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  const port = await connectPage(page, (message) => void reply(message as Message));
  const tell = (name: string, value: unknown) => port.send([{ kind: 'event', name, value }]);
  const reply = async (message: Message) =>
    port.send([{ kind: 'answer', id: message.id, ok: true, value: await answer(message) }]);
  const source = pages.origin;
  const addresses = { source, script: `${source}/results.js`, style: `${source}/results.css` };
  await page.goto(pages.add(pageHtml(addresses, 'Bench')));
  await page.locator('.grid-row:not(.is-loading)').first().waitFor();
  return page;
}
