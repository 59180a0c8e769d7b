import path from 'node:path';
import { median } from '../../bench/results/median.ts';
import { ExtensionHostMemory } from '../processes/extensionHostMemory.ts';
import { largeNames } from './largeNames.ts';
import { largeCounts, startLargeServer } from './largeServer.ts';
import type { SignedIn, TestServer } from '../server.ts';
import { waitFor } from '../waitFor.ts';
import { openWorkbench, type Workbench } from '../workbench/workbench.ts';
import { addServer } from '../workbench/addServer.ts';

/** A workbench signed in to a server of 10,000 reports and 5,000 users, with the Library and Security folded. */
export interface LargeTree {
  workbench: Workbench;
  memory: ExtensionHostMemory;
  server: TestServer;
  /** Another account, to make the calls alone that opening a place needs. */
  colleague: SignedIn;
  /** Megabytes that the extension host held before any place of the server was opened. */
  idleMb: number;
  stop(): Promise<void>;
}

/** Starts everything. */
export async function openLargeTree(): Promise<LargeTree> {
  const server = await startLargeServer();
  const memory = new ExtensionHostMemory();
  const companion = path.join(import.meta.dirname, '..', 'plainTree');
  const size = { width: 1300, height: 1000 };
  const workbench = await openWorkbench({ theme: 'light', env: memory.env, size, companion });
  const stop = async () => {
    memory.close();
    await workbench.stop();
    await server.stop();
  };
  try {
    await workbench.openContainer('Analytics');
    await addServer(workbench, { url: server.url, password: server.adminPassword });
    await workbench.treeItem(largeNames.folder(0)).waitFor({ timeout: 60_000 });
    await fold(workbench, 'Library');
    await workbench.palette('Analytics: Refresh Servers');
    const colleague = await server.login('sample.admin', server.adminPassword);
    return { workbench, memory, server, colleague, idleMb: await memory.heldMb(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Folds a row of the sidebar. */
export async function fold(workbench: Workbench, label: string): Promise<void> {
  const row = workbench.treeItem(label).first();
  await row.locator('.monaco-tl-twistie').click();
  await waitFor(`"${label}" to fold`, async () => (await row.getAttribute('aria-expanded')) === 'false');
}

/** Unfolds a row; resolves when its twistie was clicked. */
export async function unfold(workbench: Workbench, label: string): Promise<void> {
  await workbench.treeItem(label).first().locator('.monaco-tl-twistie').click();
}

/**
 * Milliseconds from the first key or click of `act` to the first frame in which the sidebar shows one row and no longer
 * another, by the page's own clock.
 * @param gone label of the row that has to go; none by default.
 */
export async function untilShown(
  { page }: Workbench,
  act: () => Promise<void>,
  wanted: string,
  gone = '',
): Promise<number> {
  await page.evaluate(`(() => {
    const wait = Promise.withResolvers();
    let start;
    for (const event of ['keydown', 'mousedown']) {
      window.addEventListener(event, () => (start ??= performance.now()), { capture: true, once: true });
    }
    const look = () => {
      const rows = document.querySelectorAll('.monaco-list-row[role="treeitem"] .label-name');
      const names = new Set(Array.from(rows, ({ textContent }) => textContent.trim()));
      const isShown = names.has(${JSON.stringify(wanted)}) && !names.has(${JSON.stringify(gone)});
      if (start !== undefined && isShown) wait.resolve(performance.now() - start);
      else requestAnimationFrame(look);
    };
    look();
    window.untilShown = wait.promise;
  })()`);
  await act();
  return page.evaluate<number>('window.untilShown');
}

/** What the sidebar takes, in milliseconds to the frame that shows it (the median of several), and in megabytes. */
export interface LargeFigures {
  /** From the click to the folders of the Public Library, and what its two calls take alone. */
  library: number;
  libraryCalls: number;
  /** What the editor takes for as many rows with nothing but names, in a tree of the same depth. */
  plainLibrary: number;
  /** From the click to the users, and what their one call takes alone. */
  users: number;
  usersCalls: number;
  /** What the editor takes for 5,000 rows with nothing but names. */
  plainUsers: number;
  /** From a key in the filter's box to the narrowed rows. */
  filter: number;
  /** What the extension host holds more than before, with the users, 500 folders and 1,000 reports read. */
  memoryMb: number;
}

/** What is opened. */
type Opened = Exclude<keyof LargeFigures, 'filter' | 'memoryMb'>;

/** Opens what is large, every folder of it, filters it, and measures. */
export async function measureLargeTree(large: LargeTree): Promise<LargeFigures> {
  const { workbench } = large;
  const opened = await measureOpening(large);
  await workbench.expand('Security');
  await unfold(workbench, 'Users');
  await workbench.treeItem(largeNames.user(1)).waitFor();
  const filter = await filterMs(workbench);
  await fold(workbench, 'Security');
  await workbench.expand('Library');
  await readEveryFolder(workbench);
  const memoryMb = (await large.memory.heldMb()) - large.idleMb;
  return { ...opened, filter, memoryMb };
}

/**
 * By turns, so that other work on this machine meets all of them: opening a place that was not read yet, the calls that it
 * needs alone, and as many rows in a tree that asks nobody.
 */
async function measureOpening({ workbench, colleague }: LargeTree): Promise<Record<Opened, number>> {
  const taken: Record<Opened, number[]> = {
    ...{ library: [], libraryCalls: [], plainLibrary: [] },
    ...{ users: [], usersCalls: [], plainUsers: [] },
  };
  for (let run = 0; run < runs; run++) {
    await workbench.palette('Analytics: Refresh Servers');
    taken.library.push(await untilShown(workbench, () => unfold(workbench, 'Library'), largeNames.folder(1)));
    await fold(workbench, 'Library');
    await workbench.expand('Security');
    taken.users.push(await untilShown(workbench, () => unfold(workbench, 'Users'), largeNames.user(1)));
    await fold(workbench, 'Users');
    await fold(workbench, 'Security');
    taken.libraryCalls.push(
      await timed(async () => {
        await colleague.call('library/GetAllLibraryTree', { includefav: true, includePersonal: true });
        await colleague.call('library/GetListByFolderID', { LibraryID: '1' });
      }),
    );
    taken.usersCalls.push(await timed(() => colleague.call('Contact/GetContactList')));
    await workbench.openContainer('Plain');
    for (const [row, first, into] of [
      ['Plain Library', largeNames.folder(1), taken.plainLibrary],
      ['Plain Users', largeNames.user(1), taken.plainUsers],
    ] as const) {
      await workbench.treeItem(row).waitFor();
      into.push(await untilShown(workbench, () => unfold(workbench, row), first));
      await fold(workbench, row);
    }
    await workbench.openContainer('Analytics');
  }
  return {
    library: median(taken.library),
    libraryCalls: median(taken.libraryCalls),
    plainLibrary: median(taken.plainLibrary),
    users: median(taken.users),
    usersCalls: median(taken.usersCalls),
    plainUsers: median(taken.plainUsers),
  };
}

/** Unfolds each folder, and folds it again but for the last, by keyboard. */
async function readEveryFolder(workbench: Workbench): Promise<void> {
  const { keyboard } = workbench.page;
  await workbench.treeItem(largeNames.folder(0)).click();
  await workbench.treeItem(largeNames.report(0, 0)).waitFor();
  for (let folder = 1; folder < largeCounts.folders; folder++) {
    for (const key of ['ArrowLeft', 'ArrowDown', 'ArrowRight']) await keyboard.press(key);
  }
  const lastReport = largeNames.report(largeCounts.folders - 1, 0);
  await waitFor(
    'the reports of the last folder',
    async () => {
      await keyboard.press('ArrowDown');
      return workbench.treeItem(lastReport).isVisible();
    },
    60_000,
  );
}

const runs = 5;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Narrows the 5,000 users to a few, again and again. */
async function filterMs(workbench: Workbench): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    await workbench.palette('Analytics: Filter Sidebar…');
    const box = workbench.page.locator('.quick-input-widget:visible input').first();
    await box.fill(`employee.4${run}`);
    const last = largeNames.user(4_000 + run * 100 + 10);
    await workbench.treeItem(last).waitFor();
    const key = () => box.press('9');
    times.push(await untilShown(workbench, key, largeNames.user(4_000 + run * 100 + 90), last));
    await workbench.page.keyboard.press('Escape');
    await workbench.treeItem(largeNames.user(1)).waitFor();
  }
  return median(times);
}
