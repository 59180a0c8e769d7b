import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { runMain } from './runMain.ts';
import { projectRoot } from '../vscodeHost/paths.ts';
import { WorkbenchBuilder } from '../workbench/workbenchBuilder.ts';
import { ResultsPage } from '../webview/resultsPage.ts';
import { openWorkbench, type Theme, type Workbench } from '../workbench/workbench.ts';

/*
 * `node test/support/run/takePictures.ts`: takes the pictures in media anew from the built extension: those of the walkthrough in
 * the light and the dark theme, and those of the README (media/pictures).
 */

const media = path.join(projectRoot, 'media');
const folder = path.join(media, 'walkthrough');
const report = 'Average Delay by State';
const policy = 'Own States Only';
const hideSideBar = 'View: Toggle Primary Side Bar Visibility';

const small = { width: 860, height: 560 };
const large = { width: 1400, height: 900 };

async function main(): Promise<number> {
  await mkdir(folder, { recursive: true });
  for (const theme of ['light', 'dark'] as const) await withWorkbench(theme, small, (each) => takeAll(each, theme));
  await withWorkbench('light', large, takeReadmeLight);
  await withWorkbench('dark', large, takeReadmeDark);
  return 0;
}

async function withWorkbench(
  theme: Theme,
  size: { width: number; height: number },
  work: (workbench: Workbench) => Promise<void>,
): Promise<void> {
  const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
  const settings = { 'editor.minimap.enabled': false };
  const workbench = await openWorkbench({ theme, env, settings, size });
  try {
    await workbench.treeItem('Bird Strikes').waitFor({ timeout: 60_000 });
    await work(workbench);
  } finally {
    await workbench.stop();
  }
}

/** A table with the distribution of a column, and the report builder. */
async function takeReadmeLight(workbench: Workbench): Promise<void> {
  const results = await openReport(workbench, 'Bird Strikes', 'All Bird Strikes');
  await results.frame.locator('.grid-profile').first().waitFor();
  await results.title('City').click({ button: 'right' });
  await results.frame.getByRole('menuitem', { name: 'Show Distribution' }).click();
  await results.frame.getByText('Other values').waitFor();
  await takePicture(workbench, 'pictures/results');

  await workbench.palette('View: Close All Editors');
  await workbench.expand('Flights');
  await workbench.treeAction('Delays by State', 'Open in Report Builder');
  const builder = await WorkbenchBuilder.inFront(workbench);
  await builder.sqlSays(/GROUP BY "flights"/);
  await takePicture(workbench, 'pictures/builder');
}

async function takeReadmeDark(workbench: Workbench): Promise<void> {
  const map = await openReport(workbench, 'Flights', 'Map of Delays');
  await map.frame.locator('.chart-place canvas').first().waitFor();
  await takePicture(workbench, 'pictures/chart');
}

async function openReport(workbench: Workbench, folderName: string, name: string): Promise<ResultsPage> {
  await workbench.expand(folderName);
  const results = await ResultsPage.run(workbench, name);
  await results.isDone();
  return results;
}

/** Takes a picture without anything beneath the pointer. */
async function takePicture({ page }: Workbench, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.locator('.monaco-hover:visible').waitFor({ state: 'hidden' });
  await page.screenshot({ path: path.join(media, `${name}.png`) });
}

/** Drags the side bar's edge, so that names can be read. */
async function widenSideBar({ page }: Workbench, x: number): Promise<void> {
  const bar = await page.locator('.part.sidebar').boundingBox();
  if (!bar) throw new Error('There is no side bar.');
  await page.mouse.move(bar.x + bar.width, 300);
  await page.mouse.down();
  await page.mouse.move(x, 300, { steps: 5 });
  await page.mouse.up();
}

async function takeAll(workbench: Workbench, theme: Theme): Promise<void> {
  const { page } = workbench;
  const take = (name: string) => takePicture(workbench, path.join('walkthrough', `${name}-${theme}`));
  const quickInput = page.locator('.quick-input-widget:visible');
  await widenSideBar(workbench, 330);
  await workbench.expand('Flights');
  await workbench.treeItem(report).waitFor();
  await take('server');

  const results = await openReport(workbench, 'Flights', report);
  await results.frame.locator('.chart-place canvas').first().waitFor();
  await take('results');

  await workbench.palette('Analytics: Show SQL');
  await workbench.quickPickChoose(report);
  await workbench.tab(`${report}.sql`).waitFor();
  await page.locator('.view-line').getByText('SELECT').first().waitFor();
  await workbench.palette('View: Join All Editor Groups');
  await workbench.palette(hideSideBar);
  await workbench.treeItem(report).waitFor({ state: 'hidden' });
  await take('sql');
  await workbench.palette(hideSideBar);

  await workbench.palette('View: Close All Editors');
  await workbench.treeItem('Library').first().click();
  await workbench.expand('Security');
  await workbench.expand('Policies');
  await workbench.treeItem(policy).click();
  await page.locator('.codelens-decoration', { hasText: 'Assigned to' }).waitFor();
  await take('policy');

  await workbench.palette('View: Close All Editors');
  await workbench.palette('Analytics: Add Server…');
  await quickInput.getByText('Add Server (1/4)').waitFor();
  await take('connect');
  await page.keyboard.press('Escape');
}

await runMain(main);
