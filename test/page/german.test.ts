import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bundleFolder, readTexts } from '../../.ci/l10n/bundles.ts';
import * as l10n from '../../src/l10n/l10n.ts';
import { ResultsHost } from '../support/pages/resultsHost.ts';
import { projectRoot } from '../support/vscodeHost/paths.ts';

let host: ResultsHost;

beforeAll(async () => {
  const contents = readTexts(path.join(projectRoot, bundleFolder, 'bundle.l10n.de.json'));
  l10n.config({ language: 'de', contents });
  host = await ResultsHost.start();
});

afterAll(async () => {
  l10n.config({ language: 'en' });
  await host.stop();
});

it('a page speaks the language of the table in its HTML', async () => {
  const { page } = await host.run('Average Delay by State');
  await page.getByRole('button', { name: 'Tabelle' }).click();
  await page.getByRole('grid', { name: 'Zeilen des Berichts' }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('de');
  expect(await page.locator('.footer-run').innerText()).toMatch(/^\d+ Zeilen ·/);
});
