import * as l10n from '../../l10n/l10n.ts';
import type { CellValue } from './resultCell.ts';
import type { ResultColumn } from './resultColumn.ts';
import { readResult } from './readResult.ts';
import type { ResultStore } from './resultStore.ts';

/** A column of a locally created result. */
export type SyntheticColumn = Pick<ResultColumn, 'key' | 'header'> &
  Partial<Pick<ResultColumn, 'fieldType' | 'format'>>;

/**
 * Creates a result from local rows, such as a pivot, so that it can be sorted, filtered, exported and copied like
 * results from a server.
 * @param columns each with a unique key.
 * @param parts batches of rows in the order of the columns; undefined for a missing cell.
 * @throws the signal's reason once it has fired; ResultReadError if the rows exceed the limits of a result.
 */
export async function syntheticResult(
  columns: readonly SyntheticColumn[],
  parts: Iterable<readonly (readonly CellValue[])[]>,
  signal?: AbortSignal,
): Promise<ResultStore> {
  const { store, done } = readResult(resultBytes(columns, parts), { signal });
  const outcome = await done;
  if (outcome.kind === 'complete') return store;
  if (outcome.kind === 'failed') throw outcome.error;
  signal?.throwIfAborted();
  throw new Error(l10n.t('Cannot assemble the rows.'));
}

/** The rows as the reply of a server. */
async function* resultBytes(
  columns: readonly SyntheticColumn[],
  parts: Iterable<readonly (readonly CellValue[])[]>,
): AsyncGenerator<Uint8Array> {
  const listed = columns.map(({ key, header, fieldType, format }) => ({
    key,
    headerText: header,
    yurbitype: fieldType,
    dataFormatString: format,
  }));
  yield Buffer.from(`{"HasError":false,"Columns":${JSON.stringify(listed)},"Data":[`);
  const keys = columns.map(({ key }) => JSON.stringify(key));
  let gap = '';
  for (const rows of parts) {
    let text = '';
    for (const row of rows) {
      text += `${gap}{${row.flatMap((value, at) => (value === undefined ? [] : [`${keys[at]}:${valueText(value)}`])).join()}}`;
      gap = ',';
    }
    yield Buffer.from(text);
  }
  yield Buffer.from(']}');
}

function valueText(value: Exclude<CellValue, undefined>): string {
  if (typeof value === 'object' && value !== null) return value.text;
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}
