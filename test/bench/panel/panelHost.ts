import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { ResultStore } from '../../../src/client/results/resultStore.ts';
import type { Arrangement } from '../../../src/contract/pages/resultsPage.ts';
import { pageHtml } from '../../../src/editor/pages/pageHtml.ts';
import { ResultScreen } from '../../../src/features/reports/view/resultScreen.ts';
import { projectRoot } from '../../support/vscodeHost/paths.ts';
import { outputWords } from '../../unit/features/reports/charts/outputWords.ts';

const folder = path.join(projectRoot, 'dist', 'webview');
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

/** The built pages on loopback, as an editor serves them to a webview: with the policy of the extension. */
export async function servePages(): Promise<{ root: string; stop(): void }> {
  const server = createServer((request, response) => {
    const name = path.basename(request.url ?? '');
    const type = types[path.extname(name)];
    if (type === undefined) {
      const source = `http://${request.headers.host ?? ''}`;
      response.setHeader('content-type', 'text/html');
      response.end(pageHtml({ source, script: `${source}/results.js`, style: `${source}/results.css` }, 'Bench', 'en'));
      return;
    }
    response.setHeader('content-type', type);
    readFile(path.join(folder, name)).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { root: `http://127.0.0.1:${port}/`, stop: () => server.close() };
}

/** Stands for the editor in the page: hands messages over as it does, bytes included. */
const editor = `
  const revive = (_key, value) =>
    value !== null && typeof value === 'object' && typeof value.$bytes === 'string'
      ? Uint8Array.from(atob(value.$bytes), (character) => character.charCodeAt(0))
      : value;
  window.fromHost = (text) => window.dispatchEvent(new MessageEvent('message', { data: JSON.parse(text, revive) }));
  window.acquireVsCodeApi = () => ({
    getState: () => undefined,
    setState: () => undefined,
    postMessage: async (message) => {
      window.fromHost(await window.toHost(JSON.stringify(message)));
    },
  });
`;

interface Message {
  id: number;
  name: string;
  params: { view: number; start: number; count: number; column: number } & Arrangement;
}

/** The results page as it is shipped, over a store in this process, read through the extension's own screen. */
export async function openPanel(browser: Browser, root: string, store: ResultStore): Promise<Page> {
  const strings = await pageStrings();
  const locale = { language: 'en', timeZone: 'UTC' };
  const words = { typeName: () => 'text', output: outputWords };
  const told = { gridChanged: () => void tell('grid', screen.shape), gridGrew: () => undefined };
  const screen: ResultScreen = new ResultScreen(store, { locale, words, output: undefined, isTable: true }, told);
  const state = {
    ...{ title: 'Bench', trail: ['Bench'], server: 'Local', user: 'ada' },
    ...{ hasPrompts: false, output: null, isTable: true },
    chips: [],
    phase: {
      ...{ kind: 'done', isCached: false, isLimited: false, notice: '' },
      progress: { rows: store.rowCount, bytes: store.bytes, elapsedMs: 1 },
    },
  };
  const answer = async ({ name, params }: Message): Promise<unknown> => {
    if (name === 'ready') return { strings, state, grid: screen.shape, form: null, keepsake: null };
    if (name === 'rows') return screen.window(params.view, params.start, params.count);
    if (name === 'arrange') await screen.arrange(params);
    if (name === 'arrange') return {};
    return name === 'profile' ? screen.profile(params.view, params.column) : null;
  };
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } });
  const tell = (name: string, value: unknown) =>
    page.evaluate(`window.fromHost(${JSON.stringify(JSON.stringify([{ kind: 'event', name, value }], withBytes))})`);
  await page.exposeFunction('toHost', async (text: string) => {
    const message = JSON.parse(text) as Message;
    const value = await answer(message);
    return JSON.stringify([{ kind: 'answer', id: message.id, ok: true, value }], withBytes);
  });
  await page.addInitScript(editor);
  await page.goto(root);
  await page.locator('.grid-row:not(.is-loading)').first().waitFor();
  return page;
}

function withBytes(_key: string, value: unknown): unknown {
  return value instanceof Uint8Array ? { $bytes: Buffer.from(value).toString('base64') } : value;
}

/** Every word of the page as its own name. */
async function pageStrings(): Promise<Record<string, string>> {
  const text = await readFile(path.join(projectRoot, 'src', 'protocol', 'resultsStrings.ts'), 'utf8');
  const names = [...text.matchAll(/^ {2}(\w+): string;$/gm)].map(([, name = '']) => name);
  return { ...Object.fromEntries(names.map((name) => [name, name])), locale: 'en' };
}
