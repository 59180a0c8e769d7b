import { readResult } from '../../../../../src/client/results/readResult.ts';
import type { ResultStore } from '../../../../../src/client/results/resultStore.ts';

/** A column of a reply, by field type code. */
export interface TestColumn {
  key: string;
  yurbitype?: string;
  headerText?: string;
  width?: number;
  dataFormatString?: string;
  dataType?: string;
}

/** Text of a reply of GetReportData. */
export function replyText(columns: readonly TestColumn[], rows: readonly object[], rest: object = {}): string {
  return JSON.stringify({ HasError: false, Columns: columns, Data: rows, etime: '12', dbtime: '7', ...rest });
}

/** The bytes of `text` in chunks; with `pause`, each but the first waits for it. */
export async function* chunksOf(text: string, size: number, pause?: () => Promise<void>): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0; start < bytes.length; start += size) {
    if (start > 0) await pause?.();
    yield bytes.slice(start, start + size);
  }
}

/** A result that was read whole. */
export async function storeOf(
  columns: readonly TestColumn[],
  rows: readonly object[],
  rest: object = {},
): Promise<ResultStore> {
  const { store, done } = readResult(chunksOf(replyText(columns, rows, rest), 64 * 1024));
  const outcome = await done;
  if (outcome.kind !== 'complete') throw new Error(`the result was not read: ${JSON.stringify(outcome)}`);
  return store;
}
