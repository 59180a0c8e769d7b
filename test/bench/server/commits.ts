import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { administrationSchema } from '../../../src/server/administration/administrationHandlers.ts';
import { identitySchema } from '../../../src/server/identity/identitySchema.ts';
import { AuditProofs } from '../../../src/server/store/auditProofs.ts';
import { auditSchema, auditSymbols, recordAudit, signAuditTrail } from '../../../src/server/store/auditTrail.ts';
import { settingsSchema } from '../../../src/server/store/settings.ts';
import { Store } from '../../../src/server/store/store.ts';
import { median } from '../results/median.ts';
import { goal } from './goals.ts';

/** Short rounds in turn, and many: what else the disk does falls on both alike. */
const rounds = 61;
/** A server has long been running when somebody saves: as many rounds until its code is compiled. */
const roundsBefore = 25;
const atOnce = 40;

const page = Buffer.alloc(4096, 1);

/** A file that has its length, as the journal has: one made anew makes what is forced to the disk next to it wait, too. */
function openFloor(folder: string): number {
  const file = openSync(path.join(folder, 'floor'), 'w');
  writeSync(file, Buffer.alloc(page.length * atOnce));
  fdatasyncSync(file);
  return file;
}

/** Writes of one page each, forced to the disk; returns how many a second. */
function syncsPerSecond(file: number): number {
  const started = performance.now();
  for (let count = 0; count < atOnce; count += 1) {
    writeSync(file, page, 0, page.length, count * page.length);
    fdatasyncSync(file);
  }
  return (atOnce * 1000) / (performance.now() - started);
}

function commitsPerSecond(store: Store): number {
  const now = new Date();
  const started = performance.now();
  for (let count = 0; count < atOnce; count += 1) {
    store.transaction(() => {
      store.run('UPDATE user SET description = ? WHERE id = ?', `written ${count}`, '1');
      recordAudit(store, { symbol: auditSymbols.change, userId: '1', detail: 'saved user admin' }, now);
    });
  }
  return (atOnce * 1000) / (performance.now() - started);
}

/** A change with its audit entry and the trail's signed end, durable on return, against writes and fdatasync on the same disk. */
export async function benchCommits(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'bench-commits-'));
  try {
    const schemas = [settingsSchema, auditSchema, identitySchema, administrationSchema];
    const store = Store.open(path.join(folder, 'state.db'), schemas);
    signAuditTrail(store, new AuditProofs(Buffer.alloc(32, 1)), true);
    const ratios: number[] = [];
    const rates: number[] = [];
    const floorFile = openFloor(folder);
    for (let round = 0; round < roundsBefore; round += 1) commitsPerSecond(store);
    for (let round = 0; round < rounds; round += 1) {
      const floor = syncsPerSecond(floorFile);
      const rate = commitsPerSecond(store);
      rates.push(rate);
      ratios.push(rate / floor);
    }
    console.log(`commits: ${median(rates).toFixed(0)} a second, medians of ${rounds}`);
    goal('ratio', 'server.commits', median(ratios), 0.8, true);
    closeSync(floorFile);
    store.close();
  } finally {
    await rm(folder, { recursive: true });
  }
}
