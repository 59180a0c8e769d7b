import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsHost, type ShownResult } from '../support/pages/resultsHost.ts';
import { waitFor } from '../support/waitFor.ts';

const report = 'All Bird Strikes';

describe('the columns of a result', () => {
  let host: ResultsHost;
  let page: ShownResult;
  let names: string[];
  beforeAll(async () => {
    host = await ResultsHost.start();
    page = await host.run(report);
    await page.isDone();
    names = await titles();
  });
  afterAll(() => host.stop());

  /** Titles in view: the others are not drawn. */
  const titles = () => page.frame.locator('.grid-title-text').allInnerTexts();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.page.keyboard.press(key);
  };
  const choose = (name: string) => page.frame.getByRole('menuitem', { name }).click();
  const menuOf = (name: string) => page.title(name).click({ button: 'right' });
  const profile = () => page.frame.getByRole('complementary');

  it('show how their values are distributed, beneath the title and whole', async () => {
    await page.frame.locator('.grid-profile-bar').first().waitFor();
    await expect.poll(() => page.title(names[0] ?? '').getAttribute('aria-description')).toMatch(/distinct/);
    await menuOf(names[0] ?? '');
    await choose('Show Distribution');
    await profile().getByRole('row').first().waitFor();
    await expect.poll(() => profile().innerText()).toMatch(/rows shown/);
    await press('Escape');
    await waitFor('the pane to close', async () => (await profile().count()) === 0);
    await menuOf(names[3] ?? '');
    await choose('Show Distribution');
    await profile().getByRole('row').first().waitFor();
    await press('Escape');
    await waitFor('the pane to close', async () => (await profile().count()) === 0);
  });

  it('are hidden and shown again by the menu', async () => {
    const [first = '', second = ''] = names;
    const count = () => page.grid.getAttribute('aria-colcount');
    const before = Number(await count());
    await menuOf(second);
    await choose('Hide Column');
    await waitFor('the column to go', async () => !(await titles()).includes(second));
    expect(Number(await count())).toBe(before - 1);
    await menuOf(first);
    await choose(`Show "${second}"`);
    await waitFor('the column to come back', async () => (await titles()).join() === names.join());
  });

  it('have titles in view only, also those that are scrolled to', async () => {
    const all = Number(await page.grid.getAttribute('aria-colcount')) - 1;
    expect(names.length).toBeLessThan(all);
    await page.frame.evaluate(`document.querySelector('.grid').scrollLeft = 1e6`);
    const last = page.frame.locator(`.grid-title[aria-colindex="${all + 1}"]`);
    await last.waitFor();
    await expect.poll(() => titles()).not.toContain(names[0]);
    // The menu key brings a title into view that is not.
    await page.grid.focus();
    await press('Control+Home', 'ArrowUp');
    await waitFor('the first title', async () => (await titles())[0] === names[0]);
    await page.frame.evaluate(`document.querySelector('.grid').scrollLeft = 1e6`);
    await last.waitFor();
    await press('Shift+F10');
    await page.frame.getByRole('menu', { name: names[0] }).waitFor();
    await press('Escape');
    await waitFor('all titles', async () => (await titles()).join() === names.join());
  });

  it('stay at the left while the others scroll', async () => {
    const [first = ''] = names;
    await menuOf(first);
    await choose('Freeze up to This Column');
    const title = page.title(first);
    const before = await title.boundingBox();
    await page.frame.evaluate(`document.querySelector('.grid').scrollLeft = 200`);
    const left = async (element: Locator) => (await element.boundingBox())?.x;
    await expect.poll(() => left(title)).toBe(before?.x);
    const cell = page.frame.locator('.grid-row:not([hidden]) .grid-cell.is-frozen').first();
    await expect.poll(() => left(cell)).toBe(before?.x);
    await menuOf(first);
    await choose('Unfreeze Columns');
    await expect.poll(() => page.frame.locator('.grid-cell.is-frozen').count()).toBe(0);
  });

  it('stay beneath their titles, and beside the row numbers, when scrolled', async () => {
    const x = async (selector: string) => (await page.frame.locator(selector).first().boundingBox())?.x ?? NaN;
    const rows = '.grid-row:not([hidden])';
    const number = await x(`${rows} > .grid-number`);
    // Wherever the columns were scrolled to before.
    await page.frame.evaluate(`document.querySelector('.grid').scrollLeft = 0`);
    const numbers = await page.frame.locator(`${rows} > .grid-number`).first().boundingBox();
    await expect.poll(() => x('.grid-title[aria-colindex="2"]')).toBeCloseTo(number + (numbers?.width ?? NaN), 0);
    const third = '[aria-colindex="4"]';
    const before = await x(`.grid-title${third}`);
    await page.frame.evaluate(`document.querySelector('.grid').scrollLeft = 333`);
    await waitFor('the title to move', async () => Math.abs((await x(`.grid-title${third}`)) - before + 333) < 1);
    await expect.poll(() => x(`${rows} > ${third}`)).toBeCloseTo(before - 333, 0);
    await expect.poll(() => x(`${rows} > .grid-number`)).toBe(number);
    await page.frame.evaluate(`document.querySelector('.grid').scrollLeft = 0`);
    await waitFor('the title to come back', async () => (await x(`.grid-title${third}`)) === before);
  });

  it('let the Tab key go on to filters that are not in view', async () => {
    const place = () => page.frame.evaluate<number>(`Number(document.activeElement?.parentElement?.ariaColIndex)`);
    const all = Number(await page.grid.getAttribute('aria-colcount'));
    const grid = (await page.grid.boundingBox()) ?? expect.fail('no grid');
    const numbers = (await page.frame.locator('.grid-number').first().boundingBox()) ?? expect.fail('no row numbers');
    for (const last of [9, 10, all]) {
      await page.frame.getByRole('button', { name: 'Filter' }).click();
      await waitFor('the first filter', async () => (await place()) === 2);
      // All keys at once: the grid has no time to scroll in between.
      await Promise.all(Array.from({ length: last - 2 }, () => press('Tab')));
      await waitFor(`the filter ${last}`, async () => (await place()) === last);
      const isInView = async () => {
        const box = await page.frame.locator('.grid-filter-box:focus').boundingBox();
        return box !== null && box.x >= numbers.x + numbers.width && box.x + box.width <= grid.x + grid.width;
      };
      await expect.poll(isInView, { message: `filter ${last}` }).toBe(true);
      await page.frame.getByRole('button', { name: 'Filter' }).click();
      await page.frame.evaluate(`document.querySelector('.grid').scrollLeft = 0`);
    }
    await waitFor('all titles', async () => (await titles()).join() === names.join());
  });

  it('are drawn in the rows that scroll into view, and in no other', async () => {
    const { written, gaps } = await page.frame.evaluate<{ written: number; gaps: number[] }>(`(async () => {
      const grid = document.querySelector('.grid');
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const drawn = async () => {
        await frame();
        await frame();
      };
      grid.scrollTop = 2400;
      do await drawn(); while (grid.ariaBusy === 'true');
      const rows = new Set();
      const watch = new MutationObserver((changes) => {
        for (const { target } of changes) rows.add((target.closest ? target : target.parentElement).closest('.grid-row'));
      });
      watch.observe(document.querySelector('.grid-body'), { subtree: true, attributes: true, characterData: true });
      grid.scrollTop += 48;
      await drawn();
      watch.disconnect();
      rows.delete(null);
      const gaps = [];
      for (const row of [1000, 1020, 1023.5, 1024, 1030, 2047]) {
        grid.scrollTop = row * 24;
        do await drawn(); while (grid.ariaBusy === 'true');
        const shown = [...document.querySelectorAll('.grid-row:not([hidden])')];
        const top = grid.querySelector('.grid-body').getBoundingClientRect().top;
        gaps.push(...shown.map((each) => each.getBoundingClientRect().top - top - (Number(each.dataset.row) - row) * 24));
      }
      grid.scrollTop = 0;
      return { written: rows.size, gaps };
    })()`);
    expect(written).toBe(2);
    expect(Math.max(...gaps.map(Math.abs))).toBeLessThan(1);
  });

  it('do all of it by keyboard', async () => {
    const [first = '', second = ''] = names;
    await page.grid.focus();
    await press('Control+Home', 'ArrowUp', 'Alt+ArrowRight');
    await waitFor('the column to move', async () => (await titles())[1] === first);
    await press('Alt+ArrowLeft');
    await waitFor('it to move back', async () => (await titles())[0] === first);
    await press('Alt+ArrowDown');
    await page.frame.getByRole('menu', { name: first }).waitFor();
    await press('End', 'Enter');
    await waitFor('the column to be hidden', async () => (await titles())[0] === second);
    await press('Shift+F10');
    await page.frame.getByRole('menuitem', { name: `Show "${first}"` }).waitFor();
    await press('End', 'Enter');
    await waitFor('the column to be shown', async () => (await titles()).join() === names.join());
    await press('F2');
    await profile().getByRole('row').first().waitFor();
    await press('Escape');
    await page.frame.locator('[role="grid"]:focus').waitFor();
  });
});
