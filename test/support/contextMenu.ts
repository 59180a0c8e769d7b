import { waitFor } from './waitFor.ts';
import type { Workbench } from './workbench.ts';

/**
 * Chooses from the context menu of a row of a tree. The editor drops clicks that come right after the menu opened, as
 * part of the gesture that opened it, so the choice is repeated until the menu is gone.
 */
export async function chooseInMenu(workbench: Workbench, label: string, action: string): Promise<void> {
  await workbench.treeItem(label).first().click({ button: 'right' });
  const item = workbench.page.getByRole('menuitem', { name: action, exact: true }).first();
  await item.waitFor();
  await waitFor(`"${action}" to be taken`, async () => {
    if (await item.isVisible()) await item.click({ timeout: 1_000 });
    return !(await item.isVisible());
  });
}
