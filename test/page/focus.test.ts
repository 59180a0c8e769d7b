import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResultsHost, type ShownResult } from '../support/pages/resultsHost.ts';
import { focused, spoken } from '../support/pages/spoken.ts';
import { dismiss, person } from '../support/vscode/person.ts';

describe('focus and announcements of results', () => {
  let host: ResultsHost;
  let page: ShownResult;
  beforeAll(async () => {
    host = await ResultsHost.start();
  });
  afterAll(() => host.stop());

  const press = async (...keys: string[]) => {
    for (const key of keys) await page.page.keyboard.press(key);
  };
  const hasFocus = (name: string | RegExp) =>
    expect.poll(() => focused(page.page)).toMatch(typeof name === 'string' ? new RegExp(`^${name}$`) : name);
  /** What is announced, once it matches; nothing else is. */
  const says = async (...texts: (string | RegExp)[]) => {
    const heard: string[] = [];
    await expect
      .poll(async () => heard.push(...(await spoken(page.page))), { message: `${String(texts)}, not ${String(heard)}` })
      .toBeGreaterThanOrEqual(texts.length);
    expect(heard).toEqual(
      texts.map((text): unknown => (typeof text === 'string' ? text : expect.stringMatching(text))),
    );
  };
  const forget = () => spoken(page.page);

  describe('of a report', () => {
    beforeAll(async () => {
      page = await host.run('Hundred Longest Delays');
      await page.isDone();
    });

    it('go from the loading report to its rows, which are announced once', async () => {
      await hasFocus(/^grid Rows of the report > ./);
      await says('Hundred Longest Delays: Loading report…', /^Hundred Longest Delays: 100 rows/);
    });

    it('stay at the button that runs again', async () => {
      await page.button('Run Again').focus();
      await press('Enter');
      await says('Hundred Longest Delays: Loading report…', /^Hundred Longest Delays: 100 rows/);
      await hasFocus('button Run Again');
    });

    it('return to the button of a list, chosen from or left', async () => {
      for (const [button, question] of [
        ['Run Options…', 'Run'],
        ['Export', 'Export'],
      ] as const) {
        const asked = person.texts('list').length;
        await page.button(button).focus();
        person.answers(question, dismiss);
        await press('Enter');
        await expect.poll(() => person.texts('list').length).toBe(asked + 1);
        await hasFocus(`button ${button}`);
      }
    });

    it('say each copy, each hidden, shown and moved column', async () => {
      await page.grid.focus();
      await press('Control+Home');
      await forget();
      await press('Control+c');
      await says('Copied');
      await press('Control+c');
      await says('Copied');
      await press('ArrowUp', 'Delete');
      await says(/^\S.* hidden$/);
      await hasFocus(/^grid Rows of the report > ./);
      await press('Alt+ArrowRight');
      await says(/^\S.* moved to position 2 of 5$/);
    });

    it('say the sort order and the width that keys give a column', async () => {
      await page.grid.focus();
      await press('Control+Home', 'ArrowUp');
      const title = (await focused(page.page)).replace(/^.* > /, '');
      await forget();
      await press('Enter');
      await says(`Sorted by ${title} ascending`);
      await hasFocus(/^grid Rows of the report > ./);
      await press('Enter');
      await says(`Sorted by ${title} descending`);
      await press('Enter');
      await says('Not sorted');
      await press('Alt+Shift+ArrowRight');
      await says(/ is \d+ pixels wide$/);
    });

    it('tell how many rows a filter leaves, and why one is refused', async () => {
      await page.button('Filter').click();
      const box = page.frame.getByLabel('Filter of Distance');
      await box.fill('>1000');
      await says(/^\d+ of 100 rows$/);
      await box.fill('>');
      await says('100 rows', /^Filter of Distance: ./);
      await box.fill('');
      await page.button('Filter').click();
      await hasFocus('button Filter');
    });
  });
  it('come from a closed filter or search to the rows', async () => {
    await page.button('Filter').focus();
    await press('Enter');
    await hasFocus(/^input Filter of ./);
    await press('Control+f');
    await hasFocus('input Find');
    await forget();
    await page.frame.getByRole('textbox', { name: 'Find', exact: true }).fill('no such text');
    await says('Not found');
    await page.frame.getByRole('textbox', { name: 'Find', exact: true }).fill('a');
    await says(/^in \d+ rows?$/);
    await press('Enter');
    // The focus stays in the box: what the step found is said.
    await says(/^Row \d+, .+: .*a/i);
    await hasFocus('input Find');
    await press('Escape');
    await hasFocus(/^grid Rows of the report > ./);
  });

  it('come back when the editor gives the page the focus', async () => {
    await page.button('Export').focus();
    await page.frame.evaluate('document.activeElement.blur(); window.dispatchEvent(new Event("focus"))');
    await hasFocus('button Export');
  });

  it('open help on keys in the page, and come back from it', async () => {
    for (const keys of ['F1', 'Alt+F1']) {
      await press(keys);
      await page.frame.getByRole('dialog', { name: 'Keys in Results' }).getByText('Ctrl+Shift+C').waitFor();
      await press('Escape');
      await page.frame.getByRole('dialog').waitFor({ state: 'detached' });
      await hasFocus('button Export');
    }
  });

  it('go from a report to the one that a row leads to, and back to that row', async () => {
    page = await host.run('Delays by State');
    await page.isDone();
    await hasFocus(/^grid Rows of the report > ./);
    await press('ArrowDown', 'ArrowDown');
    const from = await focused(page.page);
    await forget();
    await press('Enter');
    await says('Airports of a State: Loading report…', /^Airports of a State: \d+ rows?/);
    await hasFocus(/^grid Rows of the report > ./);
    await page.frame.locator('.crumb').first().focus();
    await press('Enter');
    await says('Delays by State: 51 rows');
    await expect.poll(() => focused(page.page)).toBe(from);
  });

  it('go from a chart to the first cell of its table, and back', async () => {
    page = await host.run('Flights and Delay per Day');
    await hasFocus(/^application Flights and Delay per Day: /);
    await press('t');
    await hasFocus(/^grid Rows of the report > 2001-01-01$/);
    await press('t');
    await hasFocus(/^application Flights and Delay per Day: /);
  });

  it('go from the form to the rows, and without a run back to where it was opened', async () => {
    page = await host.run('Find Bird Strikes');
    await hasFocus('input Flight Date: From');
    const species = page.frame.getByRole('textbox', { name: 'Species', exact: true });
    await press('Enter');
    await hasFocus('input Species');
    await forget();
    await press('Enter');
    await says('Enter a value.');
    await species.fill('%');
    await press('Enter');
    await page.isDone();
    await hasFocus(/^grid Rows of the report > ./);
    await page.button('Prompts').focus();
    await press('Enter');
    await hasFocus('input Flight Date: From');
    await press('Escape');
    await hasFocus('button Prompts');
  });

  it('say a value that is added to a prompt or removed', async () => {
    await press('Enter');
    await hasFocus('input Flight Date: From');
    const operator = page.frame.getByRole('combobox', { name: 'Operator: Add a value' });
    await operator.fill('Some Carrier');
    await expect.poll(async () => (await spoken(page.page)).at(-1)).toBe('No value in the list matches.');
    await press('Enter');
    await says('Some Carrier added');
    await operator.fill('Some Carrier');
    await expect.poll(async () => (await spoken(page.page)).at(-1)).toBe('No value in the list matches.');
    await press('Enter');
    await says('Some Carrier is already chosen');
    // The list is announced once, and its values as keys come to them.
    await press('ArrowDown');
    await says(/values|matches/);
    await press('ArrowDown', 'ArrowDown', 'ArrowUp');
    expect(await spoken(page.page)).toEqual([]);
    const first = page.frame.getByRole('option').first();
    const name = await first.innerText();
    await press('Enter');
    await says(`${name} added`);
    await press('ArrowDown');
    await says(/values/);
    await press('ArrowDown');
    await page.frame.getByRole('option', { name: `${name} chosen`, exact: true }).waitFor();
    await press('Escape');
    await forget();
    await press('Backspace', 'Backspace');
    await says(`${name} removed`, 'Some Carrier removed');
  });

  it('have one polite live region', async () => {
    const regions = page.frame.locator('[role="status"], [role="alert"], [role="log"], [aria-live]');
    expect(await regions.count()).toBe(1);
    expect(await regions.getAttribute('aria-live')).toBe('polite');
  });
});
