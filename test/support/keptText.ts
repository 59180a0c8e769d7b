import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Workbench } from './workbench/workbench.ts';

/** Something that a VS Code keeps or shows to other programs. */
export interface KeptText {
  /** File, store of the browser, process … */
  readonly place: string;
  readonly content: Buffer;
}

/**
 * Everything that a workbench keeps on disk and in the browser, what it wrote to its console, its address, and the arguments
 * and environment of its processes. Secret storage, which the browser host keeps in the page's local storage, is left out.
 * Reload the workbench before: it writes some of its state when it leaves.
 */
export async function keptTexts(workbench: Workbench): Promise<KeptText[]> {
  const inBrowser = await workbench.page.evaluate<{ place: string; text: string }[]>(browserState);
  return [
    ...(await filesBelow(workbench.stateFolder)),
    ...inBrowser.map(({ place, text }) => ({ place, content: Buffer.from(text) })),
    { place: 'console', content: Buffer.from(workbench.consoleLines.join('\n')) },
    { place: 'address', content: Buffer.from(workbench.page.url()) },
    ...(await processesOf(workbench.stateFolder)),
  ];
}

/** Where a text is found: as it is, in UTF-16 or in Base64. */
export function placesOf(text: string, kept: readonly KeptText[]): string[] {
  // Three characters make four of Base64: the middle of a text shows whatever stands before it.
  const inBase64 = [0, 1, 2].map((before) =>
    Buffer.from(' '.repeat(before) + text)
      .toString('base64')
      .slice(4, -4),
  );
  const forms = [Buffer.from(text), Buffer.from(text, 'utf16le'), ...inBase64.map((form) => Buffer.from(form))];
  return kept.filter(({ content }) => forms.some((form) => content.includes(form))).map(({ place }) => place);
}

async function filesBelow(folder: string): Promise<KeptText[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  // The extension itself is linked into its place, and not followed.
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(files.map(async (place) => ({ place, content: await readFile(place) })));
}

async function processesOf(folder: string): Promise<KeptText[]> {
  if (process.platform !== 'linux') return [];
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      const read = (name: string) => readFile(`/proc/${id}/${name}`).catch(() => Buffer.alloc(0));
      return { place: `process ${id}`, content: Buffer.concat([await read('cmdline'), await read('environ')]) };
    }),
  );
  return found.filter(({ content }) => content.includes(folder));
}

/** Runs in the page, which has its own types: every database and storage as text. */
const browserState = `(async () => {
  const done = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const asText = (value) => value instanceof Uint8Array || value instanceof ArrayBuffer
    ? new TextDecoder().decode(value)
    : typeof value === 'string' ? value : JSON.stringify(value) ?? '';
  const found = [];
  for (const [name, storage] of [['local storage', localStorage], ['session storage', sessionStorage]]) {
    for (const key of Object.keys(storage)) {
      if (key !== 'secrets.provider') found.push({ place: name + ' ' + key, text: storage.getItem(key) ?? '' });
    }
  }
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const open = database.transaction(store).objectStore(store);
      const [keys, values] = await Promise.all([done(open.getAllKeys()), done(open.getAll())]);
      keys.forEach((key, index) => found.push({ place: name + ' ' + store + ' ' + key, text: asText(values[index]) }));
    }
    database.close();
  }
  return found;
})()`;
