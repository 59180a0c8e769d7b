import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { password, result, startFaultyServer } from '../../support/webview/faultyServer.ts';
import type { FaultyReport, FaultyServer } from '../../support/webview/faultyServer.ts';
import { hostileTexts, mark } from '../../support/webview/hostileTexts.ts';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { signIn } from '../../support/webview/signIn.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

const hostileName = `<img src=/${mark} onerror=top.${mark}=1> "quoted" {0}`;

/** What the server answers may change while a test looks on. */
const now = { isRefusing: true };

const reports: FaultyReport[] = [
  {
    name: 'Refused',
    run: () =>
      now.isRefusing
        ? {
            HasError: true,
            ErrorCode: 0,
            ErrorMessage: 'Binder Error: column "dealy" does not exist\nLINE 3: dealy',
            Data: null,
          }
        : result([{ city: 'Oslo' }]),
  },
  { name: 'Plain', run: () => result([{ city: 'Oslo' }]) },
  {
    name: hostileName,
    run: () =>
      result(
        hostileTexts.map((text) => ({ text, link: text, odd: text, [`<b>${text}</b>`]: 1 })),
        [
          { key: 'text', headerText: hostileTexts[3], yurbitype: 'cha' },
          { key: 'link', headerText: hostileTexts[90], yurbitype: 'lnk' },
          { key: 'odd', headerText: hostileTexts[155], yurbitype: hostileTexts[0] },
        ],
      ),
  },
  {
    name: 'Hostile Refusal',
    run: () => ({ HasError: true, ErrorMessage: hostileTexts.join('\n'), Data: null }),
  },
];

describe('the results panel of a server that fails', () => {
  let workbench: Workbench;
  let server: FaultyServer;
  const asked: string[] = [];
  beforeAll(async () => {
    server = await startFaultyServer(reports);
    workbench = await openWorkbench({ theme: 'dark', size: { width: 1300, height: 850 } });
    workbench.page.on('request', (request) => asked.push(request.url()));
    workbench.page.on('dialog', (dialog) => void dialog.dismiss().then(() => asked.push(`dialog ${mark}`)));
    await signIn(workbench, server);
  });
  afterAll(async () => {
    await workbench.stop();
    await server.close();
  });

  const run = (report: string) => ResultsPage.run(workbench, report);
  const notice = (page: ResultsPage) => page.frame.locator('.notice');

  it('shows what the server refused, with its SQL and a way to try again', async () => {
    const page = await run('Refused');
    await notice(page).getByText('Could not run "Refused" on 127.0.0.1').waitFor();
    await notice(page).getByText('column "dealy" does not exist').waitFor();
    await workbench.screenshot('results-refused-dark');
    await notice(page).getByRole('button', { name: 'SQL' }).click();
    const sql = workbench.page.locator('.monaco-editor[data-uri^="analytics-sql:"]');
    await sql.getByText('SELECT', { exact: true }).waitFor();
    await workbench.palette('View: Close Editor');
    now.isRefusing = false;
    await notice(page).getByRole('button', { name: 'Retry' }).click();
    await page.says(/1 row/);
  });

  it('asks to sign in when the session was taken over, and goes on afterwards', async () => {
    const page = await run('Plain');
    await page.says(/1 row/);
    server.endSessions();
    await page.button('Run Again').click();
    await page.frame.getByText('A sign-in elsewhere ended the session').waitFor();
    await page.frame.locator('.grid-cell', { hasText: 'Oslo' }).waitFor();
    await workbench.screenshot('results-taken-over');
    await page.button('Sign In').click();
    await workbench.quickInput('Password of ada', password);
    await page.frame.locator('.banner').waitFor({ state: 'detached' });
    await page.says(/^1 row · \d/);
  });

  it('runs and loads nothing that 500 hostile texts in cells, titles, names and messages ask for', async () => {
    expect(new Set(hostileTexts).size).toBe(500);
    asked.length = 0;
    const page = await run(hostileName);
    await page.says(/500 rows/);
    await page.grid.focus();
    await workbench.page.keyboard.press('Control+Home');
    const seen = new Set<string>();
    await waitFor('every row to have been on screen', async () => {
      const shown = await page.rowNumbers();
      for (const number of shown) seen.add(number);
      // A page can be passed before its rows were looked at: from the end it goes on at the beginning.
      await workbench.page.keyboard.press(shown.includes(String(hostileTexts.length)) ? 'Control+Home' : 'PageDown');
      return seen.size === hostileTexts.length;
    });
    await workbench.screenshot('results-hostile');
    expect(await page.frame.locator('.grid a, .grid img, .grid script, .grid iframe, .grid style').count()).toBe(0);
    await expect.poll(() => page.frame.locator('.grid-title-text').first().innerText()).toBe(hostileTexts[3]);
    await expect.poll(() => page.frame.locator('h1').innerText()).toBe(hostileName);

    const refusal = await run('Hostile Refusal');
    await notice(refusal).getByText('The server refused it').waitFor();
    expect(await notice(refusal).locator('pre > *').count()).toBe(0);
    await workbench.screenshot('results-hostile-refusal');

    for (const frame of workbench.page.frames()) expect(await frame.evaluate(`window.${mark}`)).toBeUndefined();
    expect(asked.filter((url) => url.includes(mark))).toEqual([]);
    expect(server.count(mark)).toBe(0);
  });
});
