import type { Frame } from 'playwright-core';
import { until } from '../until.ts';
import { waitFor } from '../waitFor.ts';
import { BuilderPage } from '../webview/builderPage.ts';
import type { Workbench } from './workbench.ts';

/** A report builder in the workbench. */
export class WorkbenchBuilder extends BuilderPage {
  readonly workbench: Workbench;

  constructor(workbench: Workbench, frame: Frame) {
    super(frame);
    this.workbench = workbench;
  }

  /** The builder that is in front, once its fields are there. */
  static async inFront(workbench: Workbench): Promise<WorkbenchBuilder> {
    // One that is about to go away may be found first.
    return waitFor('the builder', async () => {
      const [frame] = await WorkbenchBuilder.allShown(workbench);
      await frame?.getByRole('treeitem').first().waitFor({ timeout: 5_000 });
      return frame && new WorkbenchBuilder(workbench, frame);
    });
  }

  /** The pages of all builders on display. */
  static async allShown(workbench: Workbench): Promise<Frame[]> {
    const shown: Frame[] = [];
    for (const candidate of workbench.page.frames()) {
      if (candidate.isDetached()) continue;
      const builder = candidate.locator('.builder');
      if ((await builder.count()) > 0 && (await builder.isVisible())) shown.push(candidate);
    }
    return shown;
  }

  /** Saves by the key, with the focus in the page, until the tab shows that nothing is unsaved. */
  async save(title: string): Promise<void> {
    const tab = this.workbench.page.locator('.tabs-container .tab', { hasText: title }).first();
    const isSaved = async () => !((await tab.getAttribute('class', { timeout: 2_000 })) ?? '').includes('dirty');
    await until(
      `${title} to be saved`,
      isSaved,
      async () => {
        await this.frame.getByRole('tab', { selected: true }).focus({ timeout: 2_000 });
        await this.workbench.page.keyboard.press('Control+s');
      },
      { tryFor: 10_000, deadline: 60_000 },
    );
  }

  /** Saves a new report by the key. @returns the builder of the report on the server, which takes the place of this one. */
  async create(title: string): Promise<WorkbenchBuilder> {
    await this.save(title);
    await waitFor('the builder of the new document to go', async () => this.frame.isDetached());
    return WorkbenchBuilder.inFront(this.workbench);
  }
}
