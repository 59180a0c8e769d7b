import type { Frame } from 'playwright-core';
import { expect } from 'vitest';
import { waitFor } from '../waitFor.ts';
import type { Workbench } from '../workbench/workbench.ts';

/** The page of a results panel, read the way a person reads it. */
export class ResultsPage {
  readonly frame: Frame;

  constructor(frame: Frame) {
    this.frame = frame;
  }

  /**
   * Runs a report by the button in its row of the sidebar. While the editor reads a list again it does not know which row
   * was meant, and the command asks for the report: then the button is pressed once more.
   */
  static async run(workbench: Workbench, report: string): Promise<ResultsPage> {
    const row = workbench.treeItem(report).first();
    const question = workbench.page.locator('.quick-input-widget:visible', { hasText: 'Run Report' });
    // The document of the report has a tab that is called nearly the same.
    const panel = workbench.page.locator('[data-resource-name^="webview-"]');
    const tab = workbench.tab(report).and(panel).first();
    await waitFor(`"${report}" to open`, async () => {
      await row.hover({ timeout: 2_000 });
      await row.getByRole('button', { name: 'Run Report' }).click({ timeout: 2_000 });
      await tab.or(question).first().waitFor({ timeout: 10_000 });
      if (await question.isVisible()) await workbench.page.keyboard.press('Escape');
      return tab.isVisible();
    });
    return ResultsPage.of(workbench, report);
  }

  /** The panel of a report that is open and in front. */
  static async of(workbench: Workbench, report: string, deadline?: number): Promise<ResultsPage> {
    return new ResultsPage(await workbench.webviewFrame(report, deadline));
  }

  /** The panel of a report after a reload of the window: extensions start again, which takes long on a busy machine. */
  static afterReload(workbench: Workbench, report: string): Promise<ResultsPage> {
    return ResultsPage.of(workbench, report, 60_000);
  }

  get grid() {
    return this.frame.locator('.grid');
  }

  footer(): Promise<string> {
    return this.frame.locator('.footer').innerText({ timeout: 2_000 });
  }

  /** Waits until the footer says something that matches. */
  async says(words: RegExp, deadline?: number): Promise<void> {
    await waitFor(`the footer to say ${words.source}`, async () => words.test(await this.footer()), deadline);
  }

  /** Waits until the run is complete: the server's times are known. */
  async isDone(deadline?: number): Promise<void> {
    await this.says(/database [\d,.]+ ms/, deadline);
  }

  title(name: string) {
    return this.frame.getByRole('columnheader', { name, exact: true });
  }

  button(name: string) {
    return this.frame.getByRole('button', { name, exact: true });
  }

  /** Text of a column's cells in view, from top to bottom; row elements are used again, so their order says nothing. */
  async column(title: string): Promise<string[]> {
    const index = Number(await this.title(title).getAttribute('aria-colindex', { timeout: 2_000 }));
    const cells = await this.frame.evaluate<[number, string][]>(
      `[...document.querySelectorAll('.grid-row:not([hidden]) > [aria-colindex="${index}"]')]
        .map((cell) => [Number(cell.parentElement.getAttribute('aria-rowindex')), cell.textContent])`,
    );
    return cells.toSorted(([one], [other]) => one - other).map(([, text]) => text);
  }

  /** Numbers of the rows on screen, as they are shown. */
  rowNumbers(): Promise<string[]> {
    return this.frame.locator('.grid-row:not([hidden]) .grid-number').allInnerTexts();
  }

  /** A column's cells as numbers. */
  async numbers(title: string): Promise<number[]> {
    return (await this.column(title)).map(Number);
  }

  /** Waits for an element. @returns whether it contains the focus as soon as it is in the page. */
  hasFocusAtOnce(selector: string): Promise<boolean> {
    return this.frame.evaluate<boolean>(`new Promise((resolve) => {
      new MutationObserver((_changes, observer) => {
        const element = document.querySelector('${selector}');
        if (element === null) return;
        observer.disconnect();
        resolve(element.contains(document.activeElement));
      }).observe(document.body, { childList: true, subtree: true });
    })`);
  }
}

/** Waits until the columns of a result show these rows, cells side by side. */
export async function showsRows(
  page: ResultsPage,
  titles: readonly string[],
  wanted: readonly (readonly string[])[],
): Promise<void> {
  let shown: string[][] = [];
  const rows = wanted.map((row) => row.join(' | ')).join('\n');
  try {
    await waitFor(`${wanted.length} rows`, async () => {
      const columns = await Promise.all(titles.map((title) => page.column(title)));
      shown = (columns[0] ?? []).map((_, at) => columns.map((column) => (column[at] ?? '').replaceAll(',', '')));
      return shown.map((row) => row.join(' | ')).join('\n') === rows;
    });
  } catch (error) {
    expect(shown, String(error)).toEqual(wanted);
  }
}
