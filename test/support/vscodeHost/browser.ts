import { chromium, type Browser } from 'playwright-core';
import { ensureChromium } from './systemTools.ts';

/** What every Chromium of the tests is started with. */
export const chromiumArguments: readonly string[] = [
  // Containers give no user namespaces, and the page is our own.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Opens a Chromium without a window, or with one when `ANALYTICS_STUDIO_HEADED` is set; `more` are arguments to it.
 * @throws Error that says how to install one when there is none.
 */
export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    executablePath: await ensureChromium(),
    headless: !process.env.ANALYTICS_STUDIO_HEADED,
    args: [...chromiumArguments, ...more],
  });
}

let shared: Promise<Browser> | undefined;

/** The Chromium that all workbenches of this process share, each in a context of its own. It keeps the process running. */
export async function sharedBrowser(): Promise<Browser> {
  shared ??= openBrowser();
  const browser = await shared;
  if (browser.isConnected()) return browser;
  shared = openBrowser();
  return shared;
}

/** Ends the shared Chromium. */
export async function closeSharedBrowser(): Promise<void> {
  await (await shared)?.close();
}
