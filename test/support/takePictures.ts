import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { runMain } from './runMain.ts';
import { projectRoot } from './vscodeHost/paths.ts';
import { openWorkbench, type Theme, type Workbench } from './workbench.ts';

/*
 * `node test/support/takePictures.ts`: takes the pictures of the walkthrough, in media/walkthrough, anew from the built
 * extension, in the light and the dark theme.
 */

const folder = path.join(projectRoot, 'media', 'walkthrough');
const report = 'Average Delay by State';
const hideSideBar = 'View: Toggle Primary Side Bar Visibility';

async function main(): Promise<number> {
  await mkdir(folder, { recursive: true });
  for (const theme of ['light', 'dark'] as const) {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    const settings = { 'workbench.reduceMotion': 'on' };
    const workbench = await openWorkbench({ theme, env, settings, size: { width: 860, height: 560 } });
    try {
      await takeAll(workbench, theme);
    } finally {
      await workbench.stop();
    }
  }
  return 0;
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
  const take = (name: string) => page.screenshot({ path: path.join(folder, `${name}-${theme}.png`) });
  const quickInput = page.locator('.quick-input-widget:visible');
  await workbench.treeItem('Bird Strikes').waitFor({ timeout: 60_000 });
  await widenSideBar(workbench, 330);
  await workbench.expand('Flights');
  await workbench.treeItem(report).waitFor();
  await take('server');

  await workbench.treeItem(report).click();
  const results = await workbench.webviewFrame(report);
  await results.getByRole('gridcell').first().waitFor();
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
  await workbench.palette('Analytics: Go to Report…');
  await quickInput.getByText('Airports of North').waitFor();
  await quickInput.locator('input').first().fill('state');
  await quickInput.getByText('Airports of North').waitFor({ state: 'hidden' });
  await quickInput.getByText(report).waitFor();
  await take('find');
  await page.keyboard.press('Escape');

  await workbench.palette('Analytics: Add Server…');
  await quickInput.getByText('Add Server (1/4)').waitFor();
  await take('connect');
  await page.keyboard.press('Escape');
}

await runMain(main);
