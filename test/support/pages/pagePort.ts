import type { Page } from 'playwright-core';

/** The `acquireVsCodeApi` of a page in a plain browser. Messages are JSON with typed arrays, in both directions, as the editor's are. */
const editorApi = `
  const bytesOf = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const revive = (_key, value) =>
    value !== null && typeof value === 'object' && typeof value.$bytes === 'string'
      ? new window[value.type](bytesOf(value.$bytes).buffer)
      : value;
  const replace = (_key, value) =>
    value instanceof Uint8Array
      ? { $bytes: btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join('')) }
      : value;
  let state;
  window.fromHost = (text) => window.dispatchEvent(new MessageEvent('message', { data: JSON.parse(text, revive) }));
  window.acquireVsCodeApi = () => ({
    getState: () => state,
    setState: (next) => (state = next),
    postMessage: (message) => void window.toHost(JSON.stringify(message, replace)),
  });
`;

/** How a host sends messages to a page. */
export interface PagePort {
  send(message: unknown): Promise<void>;
}

/** Gives a page its editor. Call before the page loads; `receive` gets every message that it posts. */
export async function connectPage(page: Page, receive: (message: unknown) => void): Promise<PagePort> {
  await page.exposeFunction('toHost', (text: string) => receive(JSON.parse(text, fromJson)));
  await page.addInitScript(editorApi);
  return {
    send: (message) => page.evaluate(`window.fromHost(${JSON.stringify(JSON.stringify(message, toJson))})`),
  };
}

function toJson(_key: string, value: unknown): unknown {
  if (!ArrayBuffer.isView(value)) return value;
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return { $bytes: bytes.toString('base64'), type: value.constructor.name };
}

function fromJson(_key: string, value: unknown): unknown {
  const isBytes = typeof value === 'object' && value !== null && '$bytes' in value && typeof value.$bytes === 'string';
  return isBytes ? new Uint8Array(Buffer.from(String(value.$bytes), 'base64')) : value;
}
