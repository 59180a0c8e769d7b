/**
 * The results panel in the real workbench, over the real extension host: from the click to the first rows painted and to the
 * last row of 500,000 × 12 held, against reading the same bytes without a page and against JSON.parse of the whole text;
 * scrolling, jumps, sorting and filtering until they are painted, beside a bare table in the same editor, whose cells the host
 * has at hand. The runs and the readings take turns, and the bare table comes before and behind; a figure is the median over the
 * rounds, a ratio the median of the ratios within each round. Needs `npm run build` and what the UI tests need.
 */
import path from 'node:path';
import { Readable } from 'node:stream';
import { handled, startFaultyServer } from '../support/webview/faultyServer.ts';
import { ResultsPage } from '../support/webview/resultsPage.ts';
import { signIn } from '../support/webview/signIn.ts';
import { closeSharedBrowser } from '../support/vscodeHost/browser.ts';
import { waitFor } from '../support/waitFor.ts';
import { openWorkbench } from '../support/workbench/workbench.ts';
import { jumps, scroll } from './panel/pageScripts.ts';
import { median } from './results/median.ts';
import { readReply, startReplyServer } from './results/readReply.ts';
import { sampleReply } from './results/sampleReply.ts';
import { goal, percentile } from './server/goals.ts';
import { askBare, drawBare, find, runAgain, sortBy } from './workbench/panelScripts.ts';

const rowCount = 500_000;
const rounds = 3;
const report = 'Flights';
const blocks = [...sampleReply(rowCount)];

const server = await startFaultyServer([
  {
    name: report,
    run: (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      Readable.from(blocks, { objectMode: false }).pipe(response);
      return handled;
    },
  },
]);
const replies = await startReplyServer(rowCount);
const workbench = await openWorkbench({
  size: { width: 1400, height: 900 },
  companion: path.join(import.meta.dirname, 'workbench', 'barePage'),
});
const bare = { asked: [] as number[], frames: [] as number[] };
try {
  await signIn(workbench, server);
  await measureBareTable();
  const page = await ResultsPage.run(workbench, report);
  const { frame } = page;
  const isWhole = `/500,000 rows.*database/s.test(document.querySelector('.footer')?.textContent ?? '')`;
  await page.isDone(120_000);

  const first: number[] = [];
  const last: number[] = [];
  const sooner: number[] = [];
  const longer: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const stored = await readReply('store', replies.root);
    const run = await frame.evaluate<{ firstMs: number; lastMs: number }>(runAgain(isWhole));
    const parsed = await readReply('parse', replies.root);
    first.push(run.firstMs);
    last.push(run.lastMs);
    sooner.push(parsed.totalMs / run.firstMs);
    longer.push(run.lastMs / stored.totalMs);
  }
  console.log(
    `${rowCount} rows: first painted ${median(first).toFixed(0)} ms, last held ${median(last).toFixed(0)} ms`,
  );
  goal('figure', 'workbench.firstPaintMs', median(first), 150);
  goal('ratio', 'workbench.soonerThanParsing', median(sooner), 6, true);
  goal('ratio', 'workbench.endToEnd', median(longer), 1.3);

  const scrolled = await frame.evaluate<{ times: number[]; blank: number }>(scroll(300, 400));
  goal('figure', 'workbench.scrollP95Ms', percentile(scrolled.times, 95), 20);
  goal('figure', 'workbench.scrollFramesOver50', scrolled.times.filter((time) => time > 50).length, 0);
  goal('ratio', 'workbench.blank', scrolled.blank, 0.02);
  goal('figure', 'workbench.jumpP95Ms', percentile(await frame.evaluate<number[]>(jumps(60)), 95), 50);
  goal('figure', 'workbench.sortMs', median(await frame.evaluate<number[]>(sortBy('DelayMinutes', 6))), 60);
  goal('figure', 'workbench.filterMs', median(await frame.evaluate<number[]>(find(['den', 'hou', 'bos', 'dal']))), 120);
  await measureBareTable();
  const { asked, frames } = bare;
  console.log(
    `a bare table in the same editor, its cells asked for until painted: ${median(asked).toFixed(0)} ms, p95 ` +
      `${percentile(asked, 95).toFixed(0)}; all of them drawn in every frame: frames of ${median(frames).toFixed(0)} ms, ` +
      `p95 ${percentile(frames, 95).toFixed(0)}, ${frames.filter((time) => time > 50).length} of ${frames.length} above 50`,
  );
} finally {
  await workbench.stop();
  await closeSharedBrowser();
  replies.stop();
  await server.close();
}

async function measureBareTable(): Promise<void> {
  await workbench.palette('Bench: Open a Bare Table');
  const frame = await waitFor('the bare table', async () => {
    for (const each of workbench.page.frames()) {
      if (!each.isDetached() && (await each.locator('#bare').count()) > 0) return each;
    }
    return undefined;
  });
  bare.asked.push(...(await frame.evaluate<number[]>(askBare(30))));
  bare.frames.push(...(await frame.evaluate<number[]>(drawBare(150))));
  await workbench.palette('View: Close Editor');
  await waitFor('the bare table to close', () => Promise.resolve(frame.isDetached()));
}
