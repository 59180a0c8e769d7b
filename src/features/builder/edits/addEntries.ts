import type { Edit } from 'jsonc-parser';
import type { Criteria, ReportField, Totals } from '../../../contract/resources/report.ts';
import type { BuilderReport } from '../pageContract.ts';
import { addRow, nextRowNumber, setSort } from './criteriaEdits.ts';
import { JsonFragment, styleOf } from './jsonFragment.ts';
import { numberOrText } from '../../../objects/json.ts';
import { readReport } from '../readReport.ts';
import { renumberFields } from './reportEdits.ts';

/**
 * Inserts fields from NewField before the field displayed at `place`; null appends them. Sets their number, starting at
 * 1, an empty criteria list, and a unique name in the SQL. API description, NewField.
 */
export function addFieldEdits(text: string, added: readonly ReportField[], place: number | null): Edit[] {
  return change(text, (pieces, report) => {
    const { fields } = report;
    const at = Math.min(place ?? fields.length, fields.length);
    const isInOrder = fields.every((field, position) => field.index === position);
    const entry = isInOrder ? at : fields.length;
    const names = new Set(fields.map(({ alias }) => alias.toLowerCase()));
    const ready = added.map((field, position) => ({
      ...field,
      fieldindex: at + position + 1,
      RenamedField: uniqueName(field.RenamedField || field.DbFieldName || 'field', names),
      Criteria: field.Criteria ?? [],
    }));
    if (fields.length === 0) pieces.set(['FieldList'], ready);
    // Inserting each one before the same entry would reverse their order.
    else
      ready.forEach((field, position) =>
        pieces.insert(['FieldList', insertAt(entry + position, fields.length + position)], field),
      );
    const order = fields.map((field) => ({
      ...field,
      index: field.index >= entry ? field.index + ready.length : field.index,
    }));
    const news = ready.map((_, position) => ({ index: entry + position, isHidden: false }));
    renumberFields(pieces, [...order.slice(0, at), ...news, ...order.slice(at)], at);
  });
}

/** Adds a criteria row from NewCriteria to a field. */
export function addCriterionEdits(text: string, field: number, row: Criteria): Edit[] {
  return change(text, (pieces) => addRow(pieces, field, { ...row, Index: nextRowNumber(pieces, field) }));
}

/** Sets the sort of a field. @param newRow row from NewCriteria, for a field without criteria rows. */
export function sortEdits(text: string, field: number, direction: 'asc' | 'desc' | null, newRow: Criteria): Edit[] {
  return change(text, (pieces, report) => {
    const found = report.fields.find(({ index }) => index === field);
    if (found) setSort(pieces, report, found, direction, newRow);
  });
}

/** Adds a totals row from NewTotals. */
export function addTotalEdits(text: string, row: Totals): Edit[] {
  return change(text, (pieces, { totals }) => append(pieces, 'AdHocFields', totals.length, row));
}

/** Links another report, which opens for the clicked row. */
export function addLinkEdits(text: string, link: { ReportID: string; Name: string }): Edit[] {
  return change(text, (pieces, { links }) => append(pieces, 'linkreports', links.length, { ...link, Links: [] }));
}

/** Sets the folder for saving the report. */
export function folderEdits(text: string, folderId: string): Edit[] {
  return change(text, (pieces, report) => {
    if (report.folderId !== folderId) pieces.set(['folderid'], numberOrText(folderId));
  });
}

function change(text: string, work: (pieces: JsonFragment, report: BuilderReport) => void): Edit[] {
  const pieces = new JsonFragment(text, styleOf(text));
  work(pieces, readReport(text));
  return pieces.edits;
}

function append(pieces: JsonFragment, list: string, length: number, entry: unknown): void {
  if (length === 0) pieces.set([list], [entry]);
  else pieces.insert([list, -1], entry);
}

/** The end of a list is -1. */
function insertAt(index: number, length: number): number {
  return index >= length ? -1 : index;
}

/** Returns a name that `taken` does not contain, ignoring case, and adds it to `taken`. */
function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let count = 2; taken.has(name.toLowerCase()); count += 1) name = `${wanted}_${count}`;
  taken.add(name.toLowerCase());
  return name;
}
