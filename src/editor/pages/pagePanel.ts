import * as vscode from 'vscode';
import { createWebviewPanel, setPanelTitle } from '../panels.ts';
import type { ConnectionStore } from '../../connections/connectionStore.ts';
import { withWaitNotice } from '../progress.ts';
import type { EventName, PageContract, RequestHandlers } from '../../contract/pages/channel.ts';
import { answerRequest, type RequestSchemas } from './answerRequest.ts';
import { pageHtml } from './pageHtml.ts';
import { PageLink } from './pageLink.ts';

/** Options of a page panel. */
export interface PageOptions<C extends PageContract> {
  extensionUri: vscode.Uri;
  viewType: string;
  title: string;
  /** Codicon of the tab. */
  icon: string;
  /** Name of the page's bundle. */
  page: string;
  schemas: RequestSchemas<C>;
  handlers: RequestHandlers<C>;
  /** Connection that it belongs to: the panel closes when that is removed. */
  connectionId: string;
  connections: Pick<ConnectionStore, 'get' | 'onDidChange'>;
}

/** A webview panel that shows a page and handles its requests. */
export class PagePanel<C extends PageContract> implements vscode.Disposable {
  readonly onDidDispose: vscode.Event<void>;
  readonly #panel: vscode.WebviewPanel;
  readonly #title: string;
  readonly #page: PageLink<C>;

  constructor(options: PageOptions<C>) {
    this.#title = options.title;
    const folder = vscode.Uri.joinPath(options.extensionUri, 'dist', 'webview');
    const panel = (this.#panel = createWebviewPanel(options.viewType, options.title, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [folder],
      retainContextWhenHidden: true,
    }));
    panel.iconPath = new vscode.ThemeIcon(options.icon);
    this.onDidDispose = panel.onDidDispose;
    const { webview } = panel;
    const answer = (message: unknown) =>
      withWaitNotice(() => answerRequest(message, options.schemas, options.handlers));
    const link = (this.#page = new PageLink<C>(webview, answer));
    const { connections, connectionId } = options;
    const removals = connections.onDidChange(() => {
      if (!connections.get(connectionId)) panel.dispose();
    });
    panel.onDidDispose(() => {
      link.dispose();
      removals.dispose();
    });
    const address = (file: string) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString();
    const { page } = options;
    const addresses = { source: webview.cspSource, script: address(`${page}.js`), style: address(`${page}.css`) };
    webview.html = pageHtml(addresses, options.title);
  }

  /** Reveals the panel. */
  reveal(): void {
    this.#panel.reveal();
  }

  /** Marks the tab as having unsaved changes. */
  markUnsaved(isUnsaved: boolean): void {
    setPanelTitle(this.#panel, isUnsaved ? `● ${this.#title}` : this.#title);
  }

  /** Posts an event to the page while the panel is open. */
  tell<N extends EventName<C>>(name: N, value: C['events'][N]): void {
    this.#page.tell(name, value);
  }

  dispose(): void {
    this.#panel.dispose();
  }
}
