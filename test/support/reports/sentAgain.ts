import { expect } from 'vitest';
import { documentText } from '../../../src/documents/documentText.ts';
import { editableView, withView } from '../../../src/objects/editableView.ts';
import { isJsonObject, parseExact, type JsonObject } from '../../../src/objects/json.ts';
import { reportKind } from '../../../src/objects/kinds/libraryKinds.ts';
import { readReport } from '../../../src/reports/builder/readReport.ts';

/** What is sent when a report is opened in the builder and saved without an edit. */
export function sentAgain(full: JsonObject): JsonObject {
  const text = documentText(editableView(full, reportKind.shape));
  readReport(text);
  const view = parseExact(text);
  return isJsonObject(view) ? withView(full, view, reportKind.shape) : expect.fail('no object');
}
