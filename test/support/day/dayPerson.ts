import type { Locator } from 'playwright-core';
import { until } from '../until.ts';
import { waitFor } from '../waitFor.ts';
import { ReportAuthor } from '../webview/reportAuthor.ts';
import type { DayScene } from './dayScene.ts';

/** The person whose day it is, acting in the workbench. Every step is repeated until its effect shows. */
export class DayPerson {
  readonly #scene: DayScene;

  constructor(scene: DayScene) {
    this.#scene = scene;
  }

  dialog(): Locator {
    return this.#scene.workbench.page.locator('.monaco-dialog-box');
  }

  /** A step of the walkthrough that is open; all of them for no title. */
  step(title: string): Locator {
    const steps = '.gettingStartedContainer .getting-started-step';
    return this.#scene.workbench.page.locator(steps, { hasText: title });
  }

  async closeAll(): Promise<void> {
    await this.#scene.workbench.palette('View: Close All Editors');
  }

  /** Waits until what a screen reader says of a row matches. */
  async says(label: string, words: RegExp): Promise<void> {
    const row = this.#scene.workbench.treeItem(label).first();
    await waitFor(`${label} to say ${words.source}`, async () =>
      words.test((await row.getAttribute('aria-label', { timeout: 2_000 })) ?? ''),
    );
  }

  /** Opens a folder to one group alone, and sees it in the sidebar. A list that closes as the sidebar is drawn anew asks again. */
  async openFolderTo(folder: string, group: string): Promise<void> {
    const { workbench } = this.#scene;
    const choose = async () => {
      await workbench.treeAction(folder, 'Set Folder Permissions…');
      await workbench.quickPickTick(group);
    };
    const row = workbench.treeItem(folder).first();
    const isOpened = async () =>
      new RegExp(`${folder}.*${group}`).test((await row.getAttribute('aria-label', { timeout: 2_000 })) ?? '');
    await until(`${folder} to be open to ${group}`, isOpened, choose, { tryFor: 10_000, deadline: 60_000 });
  }

  async openWalkthrough(): Promise<void> {
    await this.#scene.workbench.palette('Welcome: Open Walkthrough...');
    await this.#scene.workbench.quickPickChoose('Get Started with Analytics Studio');
    await this.step('').first().waitFor();
  }

  /** Opens an object from its row. While the editor draws the list anew, a click chooses the row and opens nothing. */
  async open(row: string, title: string, words: string): Promise<void> {
    const { editor, workbench } = this.#scene;
    const isOpen = async () => (await workbench.tab(title).count()) > 0;
    const click = () => workbench.treeItem(row).first().click({ timeout: 2_000 });
    await until(`"${row}" to open`, isOpen, click, { tryFor: 5_000 });
    await editor.shows(words);
  }

  /** Gives a user a role on the application Shop, in the text of the user's document: `before` becomes what `after` makes. */
  async giveSeat(user: string, before: string, after: (role: string) => string): Promise<void> {
    const { editor, shopId } = this.#scene;
    await this.open(user, `${user}.user.json`, `"LoginName": "${user}"`);
    await editor.replace(before, after(`{ "ApplicationID": "${shopId}", "ApplicationRoleID": "6" }`));
    await editor.save();
    await editor.isDirty(`${user}.user.json`, false);
  }

  /** Begins a report in a folder, by the wizard: words of each step's title, and what is chosen there. */
  async beginReport(
    folder: string,
    name: string,
    steps: readonly (readonly [string, string])[],
  ): Promise<ReportAuthor> {
    const { workbench } = this.#scene;
    await workbench.treeAction(folder, 'New Report…');
    for (const [title, label] of steps) {
      await workbench.page.locator('.quick-input-title', { hasText: title }).waitFor();
      await workbench.quickPickChoose(label);
    }
    await workbench.quickInput('Name of the report', name);
    const author = new ReportAuthor(workbench);
    await author.find();
    return author;
  }

  /** Lets a report ask for a range of a field when it is run. */
  async askWhenRun({ builder }: ReportAuthor, field: string): Promise<void> {
    await builder.showTab('Criteria');
    const name = await builder.addCriterion(field, 'between');
    await builder.frame.getByRole('listitem', { name }).getByLabel('Prompt when run').check();
    await builder.sqlSays(/BETWEEN \{\?/);
  }

  async saveReport(name: string): Promise<void> {
    await waitFor(
      `${name} to be saved`,
      async () => {
        await this.#scene.workbench.page.keyboard.press('Control+s');
        await this.#scene.editor.isDirty(`Report Builder: ${name}`, false);
        return true;
      },
      60_000,
    );
  }

  /**
   * Signs in with another account on a server: with `secret`, or one of the sample. The new row of the sidebar is folded.
   * @returns the account.
   */
  async signInAs(server: string, user: string, secret?: string): Promise<string> {
    const { workbench } = this.#scene;
    await workbench.treeAction(server, 'Sign In as Another User…');
    await workbench.quickPickChoose(secret === undefined ? 'Sample account' : 'User');
    if (secret === undefined) await workbench.quickPickChoose(user);
    else await workbench.quickInput('User name', user);
    if (secret !== undefined) await workbench.quickInput('assword', secret);
    // Its library unfolds by itself, and would push the other servers out of view.
    const row = workbench.treeItem(`${server} (${user})`).and(workbench.page.locator('[aria-expanded="true"]'));
    await row.waitFor();
    await workbench.collapse(`${server} (${user})`);
    return user;
  }

  /** Gives the account the new password that the server asks it for. */
  async choosesPassword(user: string, secret: string): Promise<void> {
    const { workbench } = this.#scene;
    const asked = workbench.notification(`requires ${user} to set a new password`);
    await asked.getByRole('button', { name: 'Change Password…' }).click();
    await workbench.quickInput('New password', secret);
    await workbench.quickInput('Repeat the password', secret);
    await workbench.page.locator('.statusbar-item', { hasText: `Password of ${user}` }).waitFor();
  }
}
