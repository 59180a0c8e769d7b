import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkbench, type Workbench } from '../support/workbench.ts';

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

  it.each(['dark', 'light', 'highContrast'] as const)('can be looked at in the %s theme', async (theme) => {
    await workbench.useTheme(theme);
    const picture = await workbench.page.locator('.sidebar').screenshot();
    await workbench.screenshot(`sidebar-${theme}`);
    expect(picture.byteLength).toBeGreaterThan(1_000);
  });
});
