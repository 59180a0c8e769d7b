import { setTimeout as delay } from 'node:timers/promises';
import { runReport } from '../../../src/client/runReport.ts';
import { testClient } from '../testClient.ts';

/*
 * Runs one report in a fresh process, as the extension host does, and prints what came and what it took as one line of
 * JSON: `node --expose-gc largeResultProcess.ts API_BASE`.
 */

const [apiBase = ''] = process.argv.slice(2);
const client = testClient(apiBase, { userName: 'ada', password: 'p' });
// What every call loads is loaded before the measurement.
await client.call('Contact/GetRolesList', {});
globalThis.gc?.();
await delay(20);
const before = process.memoryUsage().rss;
const { store, done } = await runReport(client, { Reportobj: {} });
const outcome = await done;
const ids = store.columns.findIndex(({ key }) => key === 'FlightId');
let sum = 0;
for (let row = 0; row < store.rowCount; row++) sum += Number(store.cell(row, ids));
console.log(
  JSON.stringify({
    kind: outcome.kind,
    rows: store.rowCount,
    columns: store.columns.length,
    sum,
    growth: process.resourceUsage().maxRSS * 1024 - before,
  }),
);
await client.close();
