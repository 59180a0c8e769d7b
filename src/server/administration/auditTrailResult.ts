import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ResultColumn } from '../../contract/resources/reportResult.ts';
import { listAuditEntries, type ListedAuditEntry } from '../store/auditTrail.ts';
import type { Store } from '../store/store.ts';

const columns: readonly ResultColumn[] = [
  column('Moment', 'dat', 150),
  column('Event', 'cha', 160),
  column('User', 'cha', 140),
  column('Detail', 'cha', 420),
  column('Entry', 'num', 80),
];

/** Entries read at once: some milliseconds, during which no other call runs. */
const entriesAtOnce = 2_000;

/** The audit trail in the form of a report result, newest entries first, `Moment` in UTC. */
export async function* auditTrailResult(store: Store): AsyncGenerator<string> {
  const head = { HasError: false, ErrorCode: 0, ErrorMessage: '', OutputType: 1, IsFromCache: false, Columns: columns };
  yield `${JSON.stringify(head).slice(0, -1)},"Data":[`;
  let before = Number.MAX_SAFE_INTEGER;
  for (let isFirst = true; ; isFirst = false) {
    const entries = listAuditEntries(store, { before, limit: entriesAtOnce });
    const last = entries.at(-1);
    if (!last) break;
    yield `${isFirst ? '' : ','}${entries.map(rowText).join(',')}`;
    before = last.id;
    await nextTurn();
  }
  yield ']}';
}

function rowText({ id, moment, symbol, user, detail }: ListedAuditEntry): string {
  return JSON.stringify({ Moment: moment.replace(/Z$/, ''), Event: symbol, User: user, Detail: detail, Entry: id });
}

function column(key: string, yurbitype: string, width: number): ResultColumn {
  return { key, headerText: key, yurbitype, width, dataType: '', dataFormatString: '', columngroup: '' };
}
