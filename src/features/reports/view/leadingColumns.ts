import type { ResultStore } from '../../../client/results/resultStore.ts';
import type { CellKind } from '../../../contract/pages/resultsPage.ts';
import type { ResultView } from './resultView.ts';

/** Whether rows lead on, as the result says, which may come behind the last row. API description, Report result. */
export function rowsLeadOn(store: ResultStore): unknown {
  return store.envelope.ContainsDrilldown;
}

/**
 * Whether the cells of a column open another report. Columns whose values are handed to linked reports do, of whatever type
 * they are, and so do those of that type. Where the result only says that its rows lead on, the first column does; where it
 * says that none does, no column.
 * @param linked keys, in small letters, of the columns whose values are handed to linked reports.
 */
export function leadsOn(
  { store, columns }: ResultView,
  linked: ReadonlySet<string>,
  key: string | undefined,
  kind: CellKind,
): boolean {
  const says = rowsLeadOn(store);
  if (says === false || kind === 'link') return false;
  if (kind === 'drill' || linked.has(key?.toLowerCase() ?? '')) return true;
  const isKnown = linked.size > 0 || columns.some(({ format }) => format.kind === 'drill');
  return says === true && !isKnown && key === columns[0]?.source.key;
}
