import { chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import { chromiumArguments } from '../vscodeHost/browser.ts';
import { ensureChromium } from '../vscodeHost/systemTools.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Address of the one Chromium that all files of the page tier share. */
    chromium: string;
  }
}

/** Starts the Chromium of the page tier. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await chromium.launchServer({
    executablePath: await ensureChromium(),
    headless: !process.env.ANALYTICS_STUDIO_HEADED,
    host: '127.0.0.1',
    args: [...chromiumArguments],
  });
  project.provide('chromium', server.wsEndpoint());
  return () => server.close();
}
