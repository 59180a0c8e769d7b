import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editTagValues } from '../../src/features/tagValues/commands.ts';
import { importUsers } from '../../src/features/userImport/importUsers.ts';
import { BuilderHost, type ShownBuilder } from '../support/pages/builderHost.ts';
import type { ShownPage } from '../support/pages/pageHost.ts';
import { themeNames, wearTheme } from '../support/pages/themes.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { person } from '../support/vscode/person.ts';
import { projectRoot } from '../support/vscodeHost/paths.ts';
import { isAccessible } from '../support/webview/accessibility.ts';

const tabs = ['Criteria', 'Totals', 'Options', 'Fields'] as const;
const pageNames = [
  'grid',
  'groups',
  'pivot',
  'chart',
  'prompts',
  'failure',
  'builder',
  'tag values',
  'import',
] as const;

/** The size of a page in a large window, and what the editor's zoom leaves of it. */
const sizes = [
  ['100%', { width: 1280, height: 800 }],
  ['200%', { width: 640, height: 400 }],
  ['400%', { width: 320, height: 200 }],
] as const;

describe('the pages of the extension', () => {
  const pages = new Map<string, ShownPage>();
  let server: TestServer;
  let host: BuilderHost;
  let builder: ShownBuilder;
  let folder: string;
  const shown = (name: (typeof pageNames)[number]): ShownPage =>
    pages.get(name) ?? expect.fail(`The page ${name} is not open.`);

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-accessibility-'));
    server = await startServer({ sample: true });
    host = await BuilderHost.start(server);
    const node = host.scene.services.tree.serverNode(host.connection);
    const run = async (name: string, report: string) => pages.set(name, await host.run(report));
    await run('grid', 'Delays by State');
    await run('groups', 'Monthly Traffic by State');
    await run('pivot', 'Delay by State and Weekday');
    await run('chart', 'Average Delay by State');
    pages.set('prompts', await host.ask('Flights by Date and State'));
    builder = await host.open('Routes');
    pages.set('builder', builder);
    person.answers('Edit Data Tag Values', 'state');
    await editTagValues(host.scene.services, node);
    pages.set('tag values', await host.pages.opened());
    await writeFile(path.join(folder, 'users.csv'), 'LoginName,FirstName,Groups\nada,Ada,North\ngrace,Grace,Nowhere');
    person.answers('Users to import into', path.join(folder, 'users.csv'));
    await importUsers(host.scene.services, node);
    pages.set('import', await host.pages.opened());
    for (const [name, mark] of [
      ['chart', '.chart-place canvas'],
      ['tag values', '.tag-summary'],
      ['import', '.import-summary'],
    ] as const)
      await shown(name).page.locator(mark).first().waitFor();
  });
  afterAll(async () => {
    await host.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('break no rule in any tab of the builder', async () => {
    await builder.page.bringToFront();
    for (const tab of tabs) {
      await builder.showTab(tab);
      await isAccessible(builder.frame, `the builder's tab ${tab}`);
    }
  });

  it.each(pageNames.filter((name) => name !== 'failure'))(
    'have nothing beside the screen at 200 and 400 percent: %s',
    async (name) => {
      const { page } = shown(name);
      for (const [zoom, size] of sizes.slice(1)) {
        await page.setViewportSize(size);
        const hidden = await page.evaluate<number>(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect(hidden, `${name} is wider than its place at ${zoom}`).toBeLessThanOrEqual(0);
      }
    },
  );

  it('show the whole builder down to 300 pixels', async () => {
    await builder.page.bringToFront();
    for (const width of [500, 300]) {
      await builder.page.setViewportSize({ width, height: 900 });
      for (const tab of tabs) {
        await builder.showTab(tab);
        expect(await builder.frame.evaluate(cutOff), `cut off in ${tab} at ${width} pixels`).toEqual([]);
      }
    }
  });

  describe.each(themeNames)('in the theme %s', (theme) => {
    beforeAll(async () => {
      if (pages.has('failure')) return;
      const failing = await host.run('Costly Species');
      await server.stop();
      await failing.button('Run Again').click();
      await failing.button('Retry').waitFor();
      pages.set('failure', failing);
    });

    it.each(pageNames)('break no rule: %s', async (name) => {
      const { page } = shown(name);
      await wearTheme(page, theme);
      for (const [zoom, size] of sizes) {
        await page.setViewportSize(size);
        const rules = await isAccessible(page.mainFrame(), `${name} in ${theme} at ${zoom}`);
        expect(rules).toBeGreaterThan(10);
        await page.screenshot({ path: `${projectRoot}/test/screenshots/page-${name}-${theme}-${zoom}.png` });
      }
      await page.setViewportSize(sizes[0][1]);
    });
  });
});

/** In the page: what of the builder is not seen whole. */
const cutOff = `
  [...document.querySelectorAll('h1, .bound, .actions button, .tab, .part :is(.input, .select, button, label, .option-name)')]
    .filter((shown) => {
      const { left, right } = shown.getBoundingClientRect();
      const isShort = shown.matches('h1, .bound') && shown.scrollWidth > shown.clientWidth;
      return left < 0 || right > innerWidth || isShort;
    })
    .map((shown) => shown.textContent || shown.getAttribute('aria-label'))
`;
