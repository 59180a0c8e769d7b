import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { inject } from 'vitest';
import { waitFor } from '../waitFor.ts';
import { makePanels } from '../vscode/webviews.ts';
import { listen } from './spoken.ts';
import { startPageServer, type PageServer } from './pageServer.ts';
import { WebviewPanelStub } from './webviewPanel.ts';

/** How pages are shown, where that is not as usual. */
export interface PageOptions {
  /** Of a page, in pixels. */
  size?: { width: number; height: number };
  /** Pixels of the screen for each of the page; 1 unless given. */
  scale?: number;
  /** Called with every address that a page asks for, and with every dialog that it opens. */
  watch?: (what: string) => void;
}

/** A page in a plain browser, and the panel behind it. */
export interface ShownPage {
  page: Page;
  panel: WebviewPanelStub;
}

/** Shows panels of the extension in plain Chromium: the built pages under their content security policy, without an editor. */
export class PageHost {
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  readonly #server: PageServer;
  readonly #watch: (what: string) => void;
  readonly #panels: WebviewPanelStub[] = [];
  /** Panels that the extension opened and no page shows yet. */
  readonly #unseen: WebviewPanelStub[] = [];

  private constructor(browser: Browser, context: BrowserContext, server: PageServer, watch: (what: string) => void) {
    this.#browser = browser;
    this.#context = context;
    this.#server = server;
    this.#watch = watch;
    makePanels((_viewType, title) => this.openPanel(title));
  }

  /** Also makes the panels that `vscode.window` opens from now on panels of this host. */
  static async start({ size, scale = 1, watch = () => undefined }: PageOptions = {}): Promise<PageHost> {
    const server = await startPageServer();
    const browser = await chromium.connect(inject('chromium'));
    const context = await browser.newContext({
      viewport: size ?? { width: 1100, height: 800 },
      deviceScaleFactor: scale,
    });
    return new PageHost(browser, context, server, watch);
  }

  /** A panel that {@link opened} shows. */
  openPanel(title?: string): WebviewPanelStub {
    const panel = this.newPanel(title);
    this.#unseen.push(panel);
    return panel;
  }

  /** A panel that is to be shown by {@link show}. */
  newPanel(title = ''): WebviewPanelStub {
    const panel = new WebviewPanelStub(this.#server, title);
    this.#panels.push(panel);
    return panel;
  }

  /** Loads the document that the extension gave a panel into a page of its own. */
  async show(panel: WebviewPanelStub): Promise<ShownPage> {
    const page = await this.#context.newPage();
    page.on('request', (request) => this.#watch(request.url()));
    page.on('dialog', (dialog) => {
      this.#watch(`dialog ${dialog.message()}`);
      // A page that closes takes its dialog with it.
      dialog.dismiss().catch((error: unknown) => {
        if (!page.isClosed()) throw error;
      });
    });
    await listen(page);
    await panel.load(page);
    return { page, panel };
  }

  /** Waits for the next panel that the extension opens, and shows it. */
  async opened(): Promise<ShownPage> {
    return this.show(await waitFor('a panel', async () => this.#unseen.shift()));
  }

  async stop(): Promise<void> {
    for (const panel of this.#panels) panel.dispose();
    await this.#browser.close();
    this.#server.stop();
  }
}
