import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe('the workbench with the extension installed', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    workbench = await openWorkbench();
  });
  afterAll(() => workbench.stop());

  it('shows the Analytics container in the activity bar, with the Servers view in it', async () => {
    await workbench.openContainer('Analytics');
    await workbench.page.locator('.sidebar').getByText('Servers').first().waitFor();
    const errors = await workbench.page.locator('.notification-toast .codicon-error').count();
    expect(errors, 'error notifications after the start').toBe(0);
  });

  it.each([
    { theme: 'light', isDark: false },
    { theme: 'highContrast', isDark: true },
    { theme: 'dark', isDark: true },
  ] as const)('follows the $theme theme', async ({ theme, isDark }) => {
    await workbench.useTheme(theme);
    await workbench.screenshot(`sidebar-${theme}`);
    expect((await brightness(workbench)) < 0.5).toBe(isDark);
  });
});

/** How bright the theme makes the background of the sidebar, from 0 to 1. */
async function brightness(workbench: Workbench): Promise<number> {
  const background = `getComputedStyle(document.querySelector('.monaco-workbench')).getPropertyValue('--vscode-sideBar-background')`;
  const colour = String(await workbench.page.evaluate(background));
  expect(colour).toMatch(/^#[0-9a-f]{6}$/);
  const channels = [1, 3, 5].map((start) => parseInt(colour.slice(start, start + 2), 16));
  return channels.reduce((sum, channel) => sum + channel, 0) / (3 * 255);
}
