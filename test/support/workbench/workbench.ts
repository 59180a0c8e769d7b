import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Dialog, Frame, Locator, Page } from 'playwright-core';
import { sharedBrowser } from '../vscodeHost/browser.ts';
import { addExtension, hostFolders, writeSettings, type ExtensionSource } from '../vscodeHost/hostFolders.ts';
import { startFront } from '../vscodeHost/hostServer.ts';
import { projectRoot } from '../vscodeHost/paths.ts';
import { noteEditorLoss } from './editorLosses.ts';
import { until } from '../until.ts';
import { waitFor } from '../waitFor.ts';

/**
 * The colour themes that everything must look right in: the value of the setting, the label in the list of themes and
 * the name of its file, which the page carries in a class.
 */
const themes = {
  dark: { setting: 'Dark 2026', label: 'Dark 2026', file: '2026-dark' },
  light: { setting: 'Light 2026', label: 'Light 2026', file: '2026-light' },
  highContrast: { setting: 'Default High Contrast', label: 'Dark High Contrast', file: 'hc_black' },
  highContrastLight: { setting: 'Default High Contrast Light', label: 'Light High Contrast', file: 'hc_light' },
} as const;
export type Theme = keyof typeof themes;

/** Folders are opened in restricted mode, without asking. */
const distrust = {
  'security.workspace.trust.enabled': true,
  'security.workspace.trust.startupPrompt': 'never',
  'security.workspace.trust.banner': 'never',
};

/**
 * What moves costs a machine without a graphics card a tenth of its time, and a click waits until it no longer moves. The
 * hint of a row covers the next one while the mouse rests: a click there waits for it in vain.
 */
const still = {
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  'workbench.hover.delay': 60_000,
  // On a busy machine the menu of the window takes the Alt of Alt+F1 for its own key.
  'window.customMenuBarAltFocus': false,
};

/** A click that is tried again when it did not land in time. Nothing here leads to another page, so none is waited for. */
const atOnce = { timeout: 1_000, noWaitAfter: true };

/** The longest list of a quick pick that is walked through for a row. */
const mostRows = 100;

/** The editor drops what is chosen on a row while it reads the rows again; it is over when they were not drawn for this long. */
const settledMs = 250;

/** How to open a workbench. */
export interface WorkbenchOptions {
  /** The extension to install; this project as it is built now by default. */
  extension?: ExtensionSource;
  /** Folder of another extension to install beside it. */
  companion?: string;
  /** Folder to open; an empty window without it. */
  folder?: string;
  theme?: Theme;
  /** User settings to start with, such as `{ 'analytics.something': true }`. */
  settings?: Record<string, unknown>;
  /** Added to the environment of the extension host. */
  env?: NodeJS.ProcessEnv;
  /** Whether a folder is not trusted until the person says so. Default: every folder is. */
  distrusts?: boolean;
  /** Size of the page in CSS pixels. */
  size?: { width: number; height: number };
  /**
   * Display language, such as `de`: extensions speak it where they are translated. The editor's own words stay English, since
   * its language packs come from the marketplace.
   */
  language?: string;
}

/** The workbenches that are open now; the test runner takes a picture of each when a test fails. */
export const openWorkbenches = new Set<Workbench>();

/**
 * Starts a VS Code of its own, with empty data folders, and opens its workbench in a browser.
 * Call `stop` when done.
 * @throws Error that says what is missing or what VS Code printed.
 */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<Workbench> {
  const root = await mkdtemp(path.join(tmpdir(), 'analytics-studio-ui-'));
  const folders = hostFolders(root);
  const cleanUp: (() => Promise<void>)[] = [() => rm(root, { recursive: true, force: true })];
  const stop = async () => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  };
  try {
    await writeSettings(folders, workbenchSettings(options));
    await addExtension(options.extension ?? { folder: projectRoot }, folders);
    if (options.companion !== undefined) await addExtension({ folder: options.companion }, folders);
    const server = await startFront(folders, 0, options.env, undefined, options.distrusts);
    cleanUp.push(() => server.stop());
    const browser = await sharedBrowser();
    const context = await browser.newContext({ viewport: options.size ?? { width: 1400, height: 900 } });
    cleanUp.push(() => context.close());
    if (options.language) await context.addInitScript(speakLanguage, options.language);
    const page = await context.newPage();
    const query = new URLSearchParams(options.folder ? { folder: options.folder } : { ew: 'true' });
    const address = `http://${server.authority}/?${query.toString()}`;
    const workbench = new Workbench(page, address, stop, root);
    await workbench.load();
    openWorkbenches.add(workbench);
    return workbench;
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The user settings of a workbench. */
export function workbenchSettings(options: Pick<WorkbenchOptions, 'theme' | 'distrusts' | 'settings'>) {
  return {
    'workbench.colorTheme': themes[options.theme ?? 'dark'].setting,
    ...still,
    ...(options.distrusts && distrust),
    ...options.settings,
  };
}

/** In the page: the editor reads its display language from here and hands it on to the extension host. */
function speakLanguage(language: string): void {
  Object.defineProperty(globalThis, '_VSCODE_NLS_LANGUAGE', { get: () => language, set: () => undefined });
}

/** A workbench in a browser, driven the way a person does: palette, tree, quick picks, webviews. */
export class Workbench {
  /** The page itself, for everything that has no method here. */
  readonly page: Page;
  /** What the page and the extensions wrote to the console since the start. */
  readonly consoleLines: string[] = [];
  /** Folder below which this VS Code keeps everything, apart from what it keeps in the browser. Absolute path. */
  readonly stateFolder: string;
  readonly #address: string;
  readonly #stop: () => Promise<void>;
  /** Whether a test failed while it was open. */
  hasFailed = false;
  /** How often something was chosen from a menu. */
  #choices = 0;

  constructor(page: Page, address: string, stop: () => Promise<void>, stateFolder = '') {
    this.page = page;
    this.stateFolder = stateFolder;
    this.#address = address;
    this.#stop = stop;
    page.on('console', (message) => this.consoleLines.push(message.text()));
    page.on('pageerror', (error) => this.consoleLines.push(String(error)));
  }

  /** Opens the page, or opens it again as a window reload does. Extensions may still be starting afterwards. */
  async load(): Promise<void> {
    await this.page.goto(this.#address);
    await this.page.locator('.monaco-workbench .statusbar').waitFor();
  }

  /**
   * Reloads the window once it would let itself go without a question: by then it has kept what is unsaved. A person who
   * is quicker is asked whether to leave; a test is not.
   */
  async reload(): Promise<void> {
    await waitFor('the window to keep what is unsaved', () =>
      this.page.evaluate<boolean>("window.dispatchEvent(new Event('beforeunload', { cancelable: true }))"),
    );
    await this.load();
  }

  /**
   * Reloads the window by the editor's own command, which keeps what its panels asked it to keep. While something unsaved is
   * not kept yet the editor asks whether to leave; the person stays, and tries again.
   */
  async reloadWindow(): Promise<void> {
    const stay = (dialog: Dialog) => void dialog.dismiss();
    const isReloaded = () => this.page.evaluate<boolean>('globalThis.isToBeReloaded !== true');
    await this.page.evaluate('globalThis.isToBeReloaded = true');
    this.page.on('dialog', stay);
    try {
      await until('the window to reload', isReloaded, () => this.palette('Developer: Reload Window'), {
        tryFor: 5_000,
      });
    } finally {
      this.page.off('dialog', stay);
    }
    await this.page.locator('.monaco-workbench .statusbar').waitFor();
  }

  /** Opens another window of the same editor, with an extension host of its own; to be stopped before this one. */
  async openWindow(): Promise<Workbench> {
    const page = await this.page.context().newPage();
    const window = new Workbench(page, this.#address, () => page.close());
    await window.load();
    openWorkbenches.add(window);
    return window;
  }

  /**
   * Runs a command by its full title in the palette, such as `Analytics: Add Server…`. A key pressed while a webview loads goes
   * nowhere, and one that opens meanwhile takes the focus, which closes the palette: each try is short and starts again.
   */
  async palette(title: string): Promise<void> {
    const row = this.#quickRow(title).first();
    let isChosen = false;
    await waitFor(`the command "${title}"`, async () => {
      if (isChosen) await noteEditorLoss(`the choice of the command "${title}"`);
      isChosen = false;
      await this.page.keyboard.press('Escape');
      await this.page.keyboard.press('Control+Shift+P');
      await this.#quickInput().fill(`>${title}`, { timeout: 2_000 });
      // Extensions add their commands late, and the list does not follow: ask again.
      await row.waitFor({ timeout: 2_000 });
      await this.#accept(row);
      isChosen = true;
      // Only what was typed being gone shows that it was taken.
      const input = this.#quickInput();
      // Asked at once, without a wait for the box: it is gone when the command has nothing to ask.
      const isTaken = async () => !(await valuesIn(input)).includes(`>${title}`);
      return waitFor(`"${title}" to be taken`, isTaken, 5_000);
    });
  }

  /** Chooses the row with this label in the quick pick that is open or about to open. */
  async quickPickChoose(label: string): Promise<void> {
    const row = this.#quickRow(label).first();
    const anyRow = this.#quickRows().first();
    let chosen: string | undefined;
    await waitFor(`"${label}" in the list`, async () => {
      // On a busy machine the list makes way late for the next step, or closes late.
      if (chosen !== undefined && (await this.#hasMadeWay(chosen))) {
        // What was typed to find the row may be in the next step by now, and hide its rows.
        const input = this.#quickInput();
        if ((await input.isVisible()) && (await input.inputValue()) === label) await input.fill('', { timeout: 1_000 });
        return true;
      }
      if (chosen !== undefined) await noteEditorLoss(`the choice of "${label}" in a list`);
      chosen = undefined;
      await anyRow.waitFor({ timeout: 2_000 });
      // Long lists hold only the rows in view: look for the others as a person does, by typing.
      if (!(await row.isVisible())) await this.#quickInput().fill(label, { timeout: 2_000 });
      await this.quickListSettled();
      const step = await this.#quickStep();
      await this.#accept(row);
      chosen = step;
      // The next round looks whether the list made way.
      return false;
    });
  }

  /** Moves the focus of the open list to a row and accepts it by Enter: a click is lost where the list is drawn again. */
  async #accept(row: Locator): Promise<void> {
    const input = this.#quickInput();
    const isFocused = async () => (await row.getAttribute('class', { timeout: 1_000 }))?.includes('focused') ?? false;
    for (let rows = 0; rows < mostRows && !(await isFocused()); rows++)
      await input.press('ArrowDown', { timeout: 1_000, noWaitAfter: true });
    if (!(await isFocused())) throw new Error('The row does not take the focus.');
    await input.press('Enter', { timeout: 2_000, noWaitAfter: true });
  }

  /** Waits until the list that is open loads no more: rows that come move the others under the mouse. */
  async quickListSettled(): Promise<void> {
    const progress = this.page.locator('.quick-input-widget:visible .monaco-progress-container.active');
    await progress.first().waitFor({ state: 'hidden', timeout: 5_000 });
  }

  /** Ticks the rows with these labels in the list that is open or about to open, and accepts it. */
  async quickPickTick(...labels: readonly string[]): Promise<void> {
    const widget = this.page.locator('.quick-input-widget:visible');
    for (const label of labels) {
      const box = this.#quickRow(label).first().getByRole('checkbox');
      await waitFor(`"${label}" to be ticked`, async () => {
        // Long lists hold only the rows in view.
        await this.#quickInput().fill(label, { timeout: 1_000 });
        if (await box.isChecked({ timeout: 1_000 })) return true;
        await box.click(atOnce);
        return box.isChecked({ timeout: 1_000 });
      });
    }
    await waitFor('the list to be accepted', async () => {
      const accept = widget.getByRole('button', { name: 'OK', exact: true });
      if (await accept.isVisible()) await accept.click(atOnce);
      return !(await accept.isVisible());
    });
  }

  /**
   * Chooses a file in the editor's own dialog for files, whose title is `title`. The dialog writes the folder that it starts in
   * over what was typed before it was ready, and takes a name only once it has looked up the folder: it is asked again until
   * it has taken the path.
   */
  async chooseFile(title: string, file: string): Promise<void> {
    const widget = this.page.locator('.quick-input-widget:visible', { hasText: title });
    const input = this.#quickInput();
    const busy = widget.locator('.monaco-progress-container.active');
    await waitFor(`the dialog "${title}"`, async () => (await input.inputValue({ timeout: 2_000 })).startsWith('/'));
    await waitFor(`the dialog "${title}" to take ${file}`, async () => {
      if ((await widget.count()) === 0) return true;
      if ((await input.inputValue({ timeout: 1_000 })) !== file) {
        await input.fill(file, { timeout: 1_000 });
        return false;
      }
      // Asked a second time what it holds: by now it has written over it, if it was to.
      if ((await busy.count()) > 0) return false;
      await input.press('Enter', { timeout: 1_000, noWaitAfter: true });
      await widget.waitFor({ state: 'hidden', timeout: 2_000 });
      return true;
    });
  }

  /**
   * Fills the input box that is open or about to open and accepts it.
   * @param prompt text that its title, its placeholder or its explanation contains: a step is known by it.
   */
  async quickInput(prompt: string, text: string): Promise<void> {
    const widget = this.page.locator('.quick-input-widget:visible');
    const input = this.#quickInput();
    await waitFor(`the input box "${prompt}"`, async () => {
      const words = [await widget.innerText(), (await input.getAttribute('placeholder')) ?? ''];
      return words.some((shown) => shown.includes(prompt));
    });
    await input.fill(text);
    await input.press('Enter');
  }

  /** Opens a view container of the activity bar by its title, such as `Analytics`. */
  async openContainer(title: string): Promise<void> {
    const tab = this.page.locator('.activitybar').getByRole('tab', { name: title });
    await tab.waitFor();
    const isOpen = async () => (await tab.getAttribute('aria-selected')) === 'true';
    if (!(await isOpen())) await tab.click();
    await waitFor(`"${title}" to open`, isOpen);
  }

  /** The row of a tree whose label is exactly this; description and decorations are not part of the label. */
  treeItem(label: string): Locator {
    const name = this.page.locator('.label-name', { hasText: exactly(label) });
    return this.page.locator('.monaco-list-row[role="treeitem"]').filter({ has: name });
  }

  /** Unfolds a row of a tree and waits until it shows as unfolded. */
  async expand(label: string): Promise<void> {
    await this.#fold(label, true);
  }

  /** Folds a row of a tree, and waits until it shows as folded. */
  async collapse(label: string): Promise<void> {
    await this.#fold(label, false);
  }

  /** A click on a row that is drawn anew is lost, and one on a row that unfolds by itself folds it: looked at again after each. */
  async #fold(label: string, isOpen: boolean): Promise<void> {
    const item = this.treeItem(label).first();
    await item.waitFor();
    await until(
      `"${label}" to ${isOpen ? 'unfold' : 'fold'}`,
      async () => (await item.getAttribute('aria-expanded', { timeout: 2_000 })) === String(isOpen),
      () => item.locator('.monaco-tl-twistie').click(atOnce),
      { tryFor: 3_000 },
    );
  }

  /** Waits until the sidebar is drawn: the editor does not tell extensions what is folded while it draws. */
  async treeSettled(): Promise<void> {
    await this.page.evaluate(rowsSettled, settledMs);
  }

  /**
   * Chooses from the context menu of a row of a tree, or of several rows that are selected. The editor opens no menu while
   * it draws the row anew, and drops clicks that come right after the menu opened, as part of the gesture that opened it:
   * so the menu is asked for until it is there, and the choice repeated until the menu is gone. What is chosen on a row that
   * the sidebar is just reading again does nothing but say so: then it is chosen once more, as it asks for.
   */
  async treeAction(label: string, action: string, row = this.treeItem(label).first()): Promise<void> {
    const title = this.page.locator('.action-label', { hasText: exactly(action) });
    const item = this.page.getByRole('menuitem').filter({ has: title }).first();
    const menu = this.page.locator('.monaco-menu-container').first();
    const openMenu = () =>
      waitFor(`the menu of "${label}" with "${action}"`, async () => {
        // A menu that came after its time lies over the tree: it is the one, or makes way for it.
        if (await item.isVisible()) return true;
        if (await menu.isVisible()) await this.page.keyboard.press('Escape');
        await row.click({ button: 'right', timeout: 2_000, noWaitAfter: true });
        await item.waitFor({ timeout: 2_000 });
        return true;
      });
    await row.waitFor();
    await this.treeSettled();
    let isClicked = false;
    await waitFor(`"${action}" to be taken`, async () => {
      // A menu closes by itself where an editor that opens takes the focus.
      if (!isClicked) await openMenu();
      if (!(await item.isVisible())) return isClicked;
      try {
        await item.click(atOnce);
        isClicked = true;
      } catch (error) {
        // On a busy machine a click lands after its time.
        isClicked ||= String(error).includes('performing click action');
      }
      return isClicked && !(await item.isVisible());
    });
    this.#chooseAgainWhereLost(`"${action}" on "${label}"`, () => this.treeAction(label, action, row));
  }

  /** Watches for the message that a row was lost, beside what the test does next, which waits for the effect in vain. */
  #chooseAgainWhereLost(what: string, again: () => Promise<void>): void {
    const choice = ++this.#choices;
    const told = this.notification('the sidebar was refreshing this row').first();
    const chooseAgain = async () => {
      if (choice !== this.#choices) return;
      await noteEditorLoss(`the row of ${what}`);
      await told.hover({ timeout: 5_000 });
      await told.locator('.codicon-notifications-clear').click({ timeout: 5_000, noWaitAfter: true });
      await told.waitFor({ state: 'hidden', timeout: 5_000 });
      await again();
    };
    // What cannot be chosen again is told by the test, whose next step does not come.
    void told
      .waitFor({ timeout: 15_000 })
      .then(chooseAgain)
      .catch(() => undefined);
  }

  /** Opens the document of a row of a tree. A click on a row that is drawn anew chooses it and opens nothing. */
  async openRow(label: string): Promise<void> {
    const row = this.treeItem(label).first();
    const tab = this.tab(`${label}.`).and(this.page.locator('[aria-selected="true"]'));
    await row.waitFor();
    await waitFor(`"${label}" to open`, async () => {
      // What is open already is read again.
      await row.click(atOnce);
      return waitFor('its document', async () => (await tab.count()) > 0, 5_000);
    });
  }

  /** Presses a button that goes away with the message that it is in. A click on messages that move is lost. */
  async pressAway(button: Locator): Promise<void> {
    await button.waitFor();
    const isGone = async () => !(await button.isVisible());
    await until('the message to be answered', isGone, () => button.click(atOnce), { tryFor: 5_000 });
  }

  /** Answers the question that is open or about to open with this button. */
  async answer(button: string): Promise<void> {
    const dialog = this.page.locator('.monaco-dialog-box').first();
    const choice = dialog.getByRole('button', { name: button, exact: true });
    await choice.waitFor();
    await waitFor(`"${button}" to be taken`, async () => {
      if (await choice.isVisible()) await choice.click(atOnce);
      // The next question may stand there already.
      return !(await choice.isVisible());
    });
  }

  /** The tab of an editor or webview panel by its title. */
  tab(title: string): Locator {
    return this.page.locator('.tabs-container').getByRole('tab', { name: title });
  }

  /** The message in the corner that contains this text; use `getByRole('button')` on it. */
  notification(text: string): Locator {
    return this.page.locator('.notification-toast').filter({ hasText: text });
  }

  /** The document of a webview by its title; webviews are iframes inside iframes. @throws Error when it does not come. */
  async webviewFrame(title: string, deadline?: number): Promise<Frame> {
    const find = async () => {
      for (const frame of this.page.frames()) {
        const element = frame.parentFrame() && (await frame.frameElement());
        if (!element || (await element.getAttribute('id')) !== 'active-frame') continue;
        if ((await element.getAttribute('title')) === title && (await element.isVisible())) return frame;
      }
      return undefined;
    };
    return waitFor(`the webview "${title}"`, find, deadline);
  }

  /** Switches the colour theme through the palette and waits until the page shows it. */
  async useTheme(theme: Theme): Promise<void> {
    await this.palette('Preferences: Color Theme');
    await this.quickPickChoose(themes[theme].label);
    if (!(await this.wears(theme, 30_000))) throw new Error(`The page does not show the theme ${theme}.`);
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
  }

  /** Whether the page shows a colour theme within a time in milliseconds. */
  async wears(theme: Theme, patience: number): Promise<boolean> {
    const dressed = this.page.locator(`.monaco-workbench[class*="${themes[theme].file}"]`);
    return dressed.waitFor({ timeout: patience }).then(
      () => true,
      () => false,
    );
  }

  /** Takes a picture of the page into test/screenshots/NAME.png and returns its path. */
  async screenshot(name: string): Promise<string> {
    const file = path.join(projectRoot, 'test', 'screenshots', `${name}.png`);
    await mkdir(path.dirname(file), { recursive: true });
    await this.page.screenshot({ path: file });
    return file;
  }

  /** Ends the browser and VS Code with everything they started, and removes their data. */
  async stop(): Promise<void> {
    openWorkbenches.delete(this);
    await this.#stop();
  }

  #quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-box input');
  }

  /** What tells one step of quick input from the next: its title and its placeholder. */
  async #quickStep(): Promise<string> {
    const title = this.page.locator('.quick-input-widget:visible .quick-input-title');
    const [words, input] = [await title.allInnerTexts(), this.#quickInput()];
    const placeholders = await input.evaluateAll((boxes) => boxes.map((box) => box.getAttribute('placeholder') ?? ''));
    return [...words, ...placeholders].join();
  }

  /** Whether the list of a step was left: a click on a list that is drawn anew just then is lost. */
  async #hasMadeWay(step: string): Promise<boolean> {
    const rows = this.#quickRows().first();
    const isLeft = async () => step !== (await this.#quickStep()) || !(await rows.isVisible());
    const end = Date.now() + 3_000;
    while (!(await isLeft())) if (Date.now() > end) return false;
    return true;
  }

  #quickRows(): Locator {
    return this.page.locator('.quick-input-widget:visible .quick-input-list .monaco-list-row');
  }

  #quickRow(label: string): Locator {
    return this.#quickRows().filter({ has: this.page.locator('.label-name', { hasText: exactly(label) }) });
  }
}

/** In the page: waits until no tree of the sidebar was drawn for `quietMs`, or for ten times as long. */
async function rowsSettled(quietMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = setTimeout(resolve, 10 * quietMs);
  let quiet = setTimeout(resolve, quietMs);
  const observer = new MutationObserver(() => {
    clearTimeout(quiet);
    quiet = setTimeout(resolve, quietMs);
  });
  for (const rows of document.querySelectorAll('.sidebar .monaco-list-rows'))
    observer.observe(rows, { childList: true, subtree: true, attributes: true, characterData: true });
  await promise;
  observer.disconnect();
  clearTimeout(end);
  clearTimeout(quiet);
}

/** What stands in the text boxes that are there now. */
function valuesIn(boxes: Locator): Promise<string[]> {
  return boxes.evaluateAll((found) => found.map((box) => ('value' in box ? String(box.value) : '')));
}

const exactly = (text: string): RegExp => new RegExp(`^\\s*${text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}\\s*$`);
