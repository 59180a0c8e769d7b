import { readResult } from '../../../src/client/results/readResult.ts';
import { zoneOfServer, zoneOfUser } from '../../../src/contract/zones/zoneNames.ts';
import { noArrangement, arrangeRows } from '../../../src/features/reports/view/arrangedRows.ts';
import { copyLines, tableSource } from '../../../src/features/reports/view/displayedRows.ts';
import { copyText } from '../../../src/features/reports/view/copy/copyForms.ts';
import type { ZoneCase, ZoneCells } from './zoneCases.ts';

/*
 * Writes dates and times as the screen, the clipboard and a file have them, in a process whose time zone the parent sets, with
 * the cases that it sends.
 */

async function cellsOf({ server, user, values }: ZoneCase): Promise<ZoneCells> {
  const columns = [{ key: 'at', headerText: 'At', yurbitype: 'dat' }];
  const reply = { HasError: false, Columns: columns, Data: values.map((at) => ({ at })) };
  const { store, done } = readResult(
    (async function* () {
      yield Buffer.from(JSON.stringify(reply));
    })(),
    {},
  );
  await done;
  const locale = { language: 'en', timeZone: zoneOfUser(user), storedZone: zoneOfServer(server) };
  const { signal } = new AbortController();
  const arranged = await arrangeRows(store, noArrangement, locale, signal);
  const shown = arranged.columns[0]!;
  const cells = values.map((value) => shown.format.write(value) ?? '');
  const found = await Promise.all(
    cells.slice(0, 20).map(async (text) => {
      const filtered = await arrangeRows(store, { ...noArrangement, filters: { 0: `=${text}` } }, locale, signal);
      return [...(filtered.order ?? [])];
    }),
  );
  const all = { view: 0, firstRow: 0, lastRow: values.length - 1, columns: [0], withHeaders: false };
  const copied = (await copyLines({ arranged }, all)).split('\n');
  const written = JSON.parse(await copyText(tableSource({ arranged }, 'Times'), 'json')) as { at: string }[];
  return { offset: new Date(2026, 0, 1).getTimezoneOffset(), cells, copied, files: written.map(({ at }) => at), found };
}

process.on('message', (cases: ZoneCase[]) => {
  void Promise.all(cases.map(cellsOf)).then((answer) => process.send?.(answer));
});
process.send?.('ready');
