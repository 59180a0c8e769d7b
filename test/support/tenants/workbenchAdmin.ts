import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import * as z from 'zod';
import { until } from '../until.ts';
import { waitFor } from '../waitFor.ts';
import type { Workbench } from '../workbench/workbench.ts';
import { Answering } from './answering.ts';
import { fieldLines } from './documentField.ts';
import type { Answers, Fields, Place, TagValues, TenantPerson } from './tenantPerson.ts';

const fieldsOf = z.record(z.string(), z.unknown());
const lists = { users: 'Users', groups: 'Groups', dataTags: 'Data Tags', policies: 'Policies' } as const;
/** As many rows as the window holds, less those that a list may add. */
const mostRows = 38;
/** So few rows leave room for all users below them. */
const fewRows = 12;
type Change = (present: Fields) => Fields;

/** What a step needs beside the workbench. */
export interface WorkbenchAdminOptions {
  readonly workbench: Workbench;
  /** Name of the server in the sidebar. */
  readonly host: string;
  /** For files that are chosen. */
  readonly folder: string;
  readonly colleagueChanges: TenantPerson['colleagueChanges'];
}

/** The administrator of a tenant's day, with mouse and keys in the workbench. */
export class WorkbenchAdmin implements TenantPerson {
  readonly answering: Answering;
  readonly colleagueChanges: TenantPerson['colleagueChanges'];
  readonly #workbench: Workbench;
  readonly #host: string;
  readonly #csv: string;

  constructor({ workbench, host, folder, colleagueChanges }: WorkbenchAdminOptions) {
    this.#workbench = workbench;
    this.#host = host;
    this.#csv = path.join(folder, 'users.csv');
    this.answering = new Answering(workbench, this.#csv);
    this.colleagueChanges = colleagueChanges;
  }

  /**
   * Does something, with answers to what is asked, until its effect shows.
   * @param name of the step, for pictures.
   * @param isDone looks at everything that was shown. @returns that.
   */
  async does(
    name: string,
    work: () => Promise<unknown>,
    answers: Answers,
    isDone: (shown: string) => boolean,
  ): Promise<string> {
    let hasEnded = false;
    let fault: unknown;
    this.answering.begin(name, answers);
    const working = work()
      .catch((error: unknown) => (fault = error))
      .finally(() => (hasEnded = true));
    const shown = () => this.answering.shown.join('\n');
    const isOver = () => hasEnded && (fault !== undefined || isDone(shown()));
    try {
      await Promise.all([working, this.answering.until(isOver, 60_000)]);
    } catch (error) {
      throw new Error(`Shown: ${shown()}`, { cause: fault ?? error });
    }
    if (fault !== undefined) throw new Error(`Shown: ${shown()}`, { cause: fault });
    return shown();
  }

  async runs(command: string, place?: Place): Promise<void> {
    if (!place) return this.#workbench.palette(`Analytics: ${command}`);
    const row = await this.#row(place);
    await this.#workbench.treeAction(place.join('/'), command, row);
  }

  /** Runs a command of a row by its button. */
  async presses(command: string, place: Place): Promise<void> {
    const row = await this.#row(place);
    const button = row.getByRole('button', { name: command, exact: true });
    const isGone = async () => (await this.#workbench.page.locator('.tabs-container .tab').count()) > 0;
    const press = async () => {
      await row.hover({ timeout: 2_000 });
      await button.click({ timeout: 2_000 });
    };
    await until(`"${command}" to open an editor`, isGone, press, { tryFor: 10_000 });
  }

  /** Clicks into lines of the document in front, types over them, and saves. */
  async fills(...lines: readonly (readonly [present: string, now: string])[]): Promise<void> {
    const { page } = this.#workbench;
    await this.#tabs().first().waitFor();
    for (const [present, now] of lines) {
      const line = page.locator('.editor-group-container.active .view-line', { hasText: present }).first();
      await line.click();
      await page.keyboard.press('End');
      await page.keyboard.press('Shift+Home');
      await this.#paste(now);
    }
    await this.#save();
  }

  async drags(from: Place, onto: Place): Promise<void> {
    // Both have to stay in view.
    await this.#makeRoom([this.#host, 'Security'], 1);
    await this.#row(onto);
    const dragged = await this.#row(from);
    const target = await this.#row(onto);
    const asked = this.answering.questions;
    const isAsked = async () => this.answering.questions > asked;
    await until('the drop', isAsked, () => dragged.dragTo(target, { timeout: 5_000 }), { tryFor: 5_000 });
  }

  async edits(place: Place, change: Change, meanwhile?: () => Promise<void>): Promise<void> {
    const row = await this.#row(place);
    const isOpen = async () => (await this.#tabs().count()) > 0;
    await until('the document to open', isOpen, () => row.click({ timeout: 2_000 }), { tryFor: 5_000 });
    await this.saves(change, meanwhile);
  }

  async saves(change: Change, meanwhile?: () => Promise<void>): Promise<void> {
    const { page } = this.#workbench;
    const text = await this.#text();
    const present = fieldsOf.parse(JSON.parse(text));
    const changed = Object.entries({ ...present, ...change(present) })
      .filter(([name, now]) => JSON.stringify(now) !== JSON.stringify(present[name]))
      .map(([name, now]) => ({ ...fieldLines(text, name), line: `${JSON.stringify(name)}: ${JSON.stringify(now)}` }))
      .sort((one, other) => other.start - one.start);
    for (const { start, end, comma, line } of changed) {
      await this.#goToLine(start + 1);
      await page.keyboard.press('Home');
      for (let below = start + 1; below < end; below++) await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Shift+End');
      await this.#paste(line + comma);
    }
    await this.answering.picture();
    await meanwhile?.();
    await this.#save();
  }

  async values(tag: string, { groups = {}, users = {} }: TagValues): Promise<void> {
    await this.runs('Edit Data Tag Values…', ['dataTags', tag]);
    const page = await this.#workbench.webviewFrame(`Values of ${tag}`);
    for (const [name, value] of Object.entries({ ...groups, ...users })) {
      await page.getByRole('textbox', { name, exact: true }).fill(value);
    }
    await this.answering.picture();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved, and read back from the server').first().waitFor();
  }

  async imports(...lines: string[]): Promise<string[]> {
    await writeFile(this.#csv, lines.join('\n'));
    await this.runs('Import Users from CSV…', ['users']);
    const page = await this.#workbench.webviewFrame('Import users.csv');
    const start = page.getByRole('button', { name: /^Import \d+ Users?$/ });
    await start.waitFor();
    await this.answering.picture();
    await start.click();
    const rows = page.locator('tbody tr');
    const looks = async () =>
      Promise.all((await rows.all()).map(async (row) => (await row.getAttribute('class')) ?? ''));
    await waitFor('the import to end', async () => {
      return (await looks()).every((look) => /^is-(?:done|invalid|failed)/.test(look));
    });
    await this.answering.picture();
    const names = await page.locator('tbody .is-login').allInnerTexts();
    const ends = await looks();
    return names.map((name, at) => `${name} ${(ends[at] ?? '').replace('is-', '')}`);
  }

  async seatHolders(): Promise<string[]> {
    const licences = await this.#open('Administration', 'Licences');
    const facts = await waitFor('the licences', async () => {
      const found = await this.#below(licences);
      return found.length > 0 && found;
    });
    const names: string[] = [];
    for (const fact of facts) {
      if (!fact.isFolded) continue;
      // A seat holder may be any user of the server.
      await this.#makeRoom([...licences, fact.label], fewRows);
      const place = [...licences, fact.label];
      await this.#expand(place);
      // The editor draws a row as unfolded before the rows below it are there.
      const holders = await waitFor('the holders of seats', async () => {
        const found = await this.#below(place);
        return found.length > 0 && !found.some(({ label }) => label.startsWith('Loading')) && found;
      });
      names.push(...holders.map(({ label }) => label));
    }
    await this.answering.picture();
    return names;
  }

  async #open(...labels: string[]): Promise<string[]> {
    const way = [this.#host];
    await this.#makeRoom([this.#host, ...labels]);
    for (const label of labels) {
      await this.#expand(way);
      way.push(label);
    }
    await this.#expand(way);
    return way;
  }

  async #row([list, ...names]: Place): Promise<Locator> {
    const way = list === 'library' ? ['Library', 'Public', ...names] : ['Security', lists[list], ...names];
    await this.#open(...way.slice(0, -1));
    return this.#at([this.#host, ...way]);
  }

  /** Folds sections and lists that are not on the way while the tree fills the window: rows out of view are not in the page. */
  async #makeRoom(way: readonly string[], most = mostRows): Promise<void> {
    await waitFor('room for more rows', async () => {
      const rows = await this.#rows();
      if (rows.length <= most) return true;
      const open = rows.findLast(({ level, label, isOpen }) => isOpen && level > 1 && label !== way[level - 1]);
      if (!open) return true;
      const row = this.#workbench.page.locator(`[role="tree"][aria-label="Servers"] [data-index="${open.index}"]`);
      await row.locator('.monaco-tl-twistie').click({ timeout: 2_000 });
      return waitFor('fewer rows', async () => (await this.#rows()).length < rows.length, 3_000).then(() => false);
    });
  }

  /** Unfolds a row. */
  async #expand(way: readonly string[]): Promise<void> {
    const isOpen = async () =>
      (await (await this.#at(way)).getAttribute('aria-expanded', { timeout: 2_000 })) === 'true';
    const click = async () => (await this.#at(way)).locator('.monaco-tl-twistie').click({ timeout: 2_000 });
    await until(`${way.join('/')} to unfold`, isOpen, click, { tryFor: 3_000 });
  }

  /** The row at the end of a way of labels. */
  async #at(way: readonly string[]): Promise<Locator> {
    return waitFor(`the row ${way.join('/')}`, async () => {
      let rows = await this.#rows();
      let at = -1;
      for (const [level, label] of way.entries()) {
        at = rows.findIndex((row) => row.label === label && row.level === level + 1);
        if (at === -1) return undefined;
        const index = rows[at]?.index;
        if (level === way.length - 1)
          return this.#workbench.page.locator(`[role="tree"][aria-label="Servers"] [data-index="${index}"]`);
        const rest = rows.slice(at + 1);
        const end = rest.findIndex((row) => row.level <= level + 1);
        rows = rest.slice(0, end === -1 ? undefined : end);
      }
      return undefined;
    });
  }

  /** Rows directly below one. */
  async #below(way: readonly string[]): Promise<SidebarRow[]> {
    const row = await this.#at(way);
    const index = Number(await row.getAttribute('data-index'));
    const rest = (await this.#rows()).filter((each) => each.index > index);
    const end = rest.findIndex(({ level }) => level <= way.length);
    return rest.slice(0, end === -1 ? undefined : end).filter(({ level }) => level === way.length + 1);
  }

  async #rows(): Promise<SidebarRow[]> {
    const rows = await this.#workbench.page.evaluate<SidebarRow[]>(
      `[...document.querySelectorAll('[role="tree"][aria-label="Servers"] .monaco-list-row')].map((row) => ({
        index: Number(row.dataset.index),
        level: Number(row.getAttribute('aria-level')),
        label: row.querySelector('.label-name')?.innerText.trim() ?? '',
        isFolded: row.getAttribute('aria-expanded') === 'false',
        isOpen: row.getAttribute('aria-expanded') === 'true',
      }))`,
    );
    return rows.sort((one, other) => one.index - other.index);
  }

  #tabs(): Locator {
    return this.#workbench.page.locator('.tabs-container .tab.active', { hasText: '.json' });
  }

  /** Text of the document in front, with what is folded. */
  async #text(): Promise<string> {
    const { page } = this.#workbench;
    await this.#tabs().first().waitFor();
    const lines = page.locator('.editor-group-container.active .monaco-editor .view-lines').first();
    return waitFor('the text of the document', async () => {
      await lines.click({ timeout: 2_000 });
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Control+c');
      const text = await page.evaluate<string>('navigator.clipboard.readText()');
      return text.trimEnd().endsWith('}') && text;
    });
  }

  /** Puts a text in place of what is selected. Typed, its quotes would be closed by the editor. */
  async #paste(text: string): Promise<void> {
    const { page } = this.#workbench;
    await page.evaluate((typed) => navigator.clipboard.writeText(typed), text);
    await page.keyboard.press('Control+v');
  }

  async #save(): Promise<void> {
    const { page } = this.#workbench;
    const dirty = page.locator('.tabs-container .tab.dirty');
    await dirty.first().waitFor();
    await page.keyboard.press('Control+s');
    await waitFor('the document to be saved', async () => (await dirty.count()) === 0, 30_000);
  }

  async #goToLine(line: number): Promise<void> {
    const { page } = this.#workbench;
    const box = page.locator('.quick-input-widget:visible .quick-input-box input');
    await page.keyboard.press('Control+g');
    await waitFor('the box for a line', async () => (await box.inputValue({ timeout: 1_000 })).startsWith(':'));
    await box.fill(`:${line}`);
    await box.press('Enter');
    await box.waitFor({ state: 'hidden' });
  }
}

interface SidebarRow {
  readonly index: number;
  readonly level: number;
  readonly label: string;
  readonly isFolded: boolean;
  readonly isOpen: boolean;
}
