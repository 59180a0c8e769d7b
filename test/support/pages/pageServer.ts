import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../vscodeHost/paths.ts';

const folder = path.join(projectRoot, 'dist', 'webview');
const types: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css', '.ttf': 'font/ttf' };

/** The built pages on loopback, as an editor serves them to a webview. */
export interface PageServer {
  /** Origin of scripts and styles, for the content security policy. */
  origin: string;
  /** Serves a document. @returns its address. */
  add(html: string): string;
  stop(): void;
}

/** Serves `dist/webview`; `npm run build` fills it. */
export async function startPageServer(): Promise<PageServer> {
  const documents: string[] = [];
  const server = createServer((request, response) => {
    // The font of the icons is asked for with a query.
    const name = path.basename((request.url ?? '').split('?')[0] ?? '');
    const type = types[path.extname(name)];
    if (type === undefined) {
      const html = documents[Number(name)];
      response.writeHead(html === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(html);
      return;
    }
    readFile(path.join(folder, name)).then(
      (bytes) => response.writeHead(200, { 'content-type': type }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    add: (html) => `${origin}/${documents.push(html) - 1}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
