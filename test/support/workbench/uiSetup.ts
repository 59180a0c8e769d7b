import { ensureHost } from '../vscodeHost/installHost.ts';
import { ensureChromium } from '../vscodeHost/systemTools.ts';

/** Before the first UI test: everything that they need is installed, so that no test pays for it with its own time. */
export async function setup(): Promise<void> {
  await ensureChromium();
  await ensureHost();
}
