import { expect } from 'vitest';
import { documentText } from '../../../src/features/documents/files/documentText.ts';
import { editableView, withView } from '../../../src/objects/merge/editableView.ts';
import { isJsonObject, parseExact, type JsonObject } from '../../../src/objects/json.ts';
import { reportKind } from '../../../src/objects/kinds/libraryKinds.ts';
import { threeWayMerge } from '../../../src/objects/merge/threeWayMerge.ts';
import { readReport } from '../../../src/features/builder/readReport.ts';

/**
 * What a save of a report sends that was opened in the builder and not edited, step by step as a save makes it: the text of
 * the document is read, joined with the server's state, and put back onto the whole object.
 */
export function sentAgain(full: JsonObject): JsonObject {
  const base = editableView(full, reportKind.shape);
  const text = documentText(base);
  readReport(text);
  const mine = parseExact(text);
  if (!isJsonObject(mine)) return expect.fail('no object');
  const { view, conflicts, myChanges, theirChanges } = threeWayMerge(base, mine, base, reportKind.shape);
  expect([...conflicts, ...myChanges, ...theirChanges]).toEqual([]);
  return withView(full, view, reportKind.shape);
}
