import { afterAll, beforeAll, describe, it } from 'vitest';
import { password, result, startFaultyServer } from '../../support/webview/faultyServer.ts';
import type { FaultyServer } from '../../support/webview/faultyServer.ts';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { signIn } from '../../support/webview/signIn.ts';
import { returnWorkbench, shareWorkbench } from '../../support/workbench/sharedWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';

describe('the results panel of a server that ends the session', () => {
  let workbench: Workbench;
  let server: FaultyServer;
  beforeAll(async () => {
    server = await startFaultyServer([{ name: 'Plain', run: () => result([{ city: 'Oslo' }]) }]);
    workbench = await shareWorkbench({ theme: 'dark', size: { width: 1300, height: 850 } });
    await signIn(workbench, server);
  });
  afterAll(async () => {
    await returnWorkbench(workbench);
    await server.close();
  });

  it('asks to sign in when the session was taken over, and goes on afterwards', async () => {
    const page = await ResultsPage.run(workbench, 'Plain');
    await page.says(/1 row/);
    server.endSessions();
    await page.button('Run Again').click();
    await page.frame.getByText('A sign-in elsewhere ended the session').first().waitFor();
    await page.frame.locator('.grid-cell', { hasText: 'Oslo' }).waitFor();
    await workbench.screenshot('results-taken-over');
    await page.button('Sign In').click();
    await workbench.quickInput('Password of ada', password);
    await page.frame.locator('.banner').waitFor({ state: 'detached' });
    await page.says(/^1 row · \d/);
  });
});
