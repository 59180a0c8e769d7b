import type { BuilderEdit, BuilderField, BuilderReport, CriterionChange } from '../pageContract.ts';
import { writeInList } from '../../reports/prompts/promptFields.ts';
import { reorderEntry, type JsonFragment } from './jsonFragment.ts';
import { criteriaOrder, readSort } from '../readReport.ts';
import * as l10n from '../../../l10n/l10n.ts';

type CriteriaEdit = Extract<BuilderEdit, { kind: 'setCriterion' | 'removeCriterion' | 'moveCriterion' }>;
/** The properties of a criteria row that edits read. */
interface RawRow {
  Index?: unknown;
  sortorder?: unknown;
}

const rowFields: Record<Exclude<keyof CriterionChange, 'list'>, string> = {
  operator: 'Op',
  value1: 'Value1',
  value2: 'Value2',
  joiner: 'Logical',
  isNested: 'Nested',
  isPrompt: 'bprompt',
  isSkipable: 'bskip',
};

/** Changes, removes or moves a criteria row of a field. API description, Report (Criteria). */
export function editCriteria(text: JsonFragment, field: BuilderField, edit: CriteriaEdit): void {
  const rows = ['FieldList', field.index, 'Criteria'];
  const current = field.criteria.find(({ row }) => row === edit.row);
  if (!current) throw new Error(l10n.t('The field no longer has this criterion.'));
  switch (edit.kind) {
    case 'setCriterion':
      // A value typed before an operator is chosen means 'equals'.
      if (current.operator === '' && edit.change.operator === undefined && edit.change.value1) {
        text.set([...rows, edit.row, 'Op'], '=');
      }
      for (const name of Object.keys(rowFields) as (keyof typeof rowFields)[]) {
        const value = name === 'value1' && edit.change.list ? writeInList(edit.change.list) : edit.change[name];
        if (value !== undefined && value !== current[name]) text.set([...rows, edit.row, rowFields[name]], value);
      }
      return;
    case 'removeCriterion': {
      const isSort = readSort(rowsOf(text, field.index)[edit.row]?.sortorder) !== null;
      if (isSort) return clearRow(text, [...rows, edit.row], current.isPrompt);
      text.set([...rows, edit.row], undefined);
      return closeGap(text, field.index, edit.row);
    }
    case 'moveCriterion':
      return moveRow(text, field.index, edit.row, edit.place);
  }
}

/**
 * Moves a row to the position of another. Changes only row numbers if the rows are not stored in the order of their
 * numbers.
 */
function moveRow(text: JsonFragment, field: number, from: number, to: number): void {
  const path = ['FieldList', field, 'Criteria'];
  const order = criteriaOrder(rowsOf(text, field));
  if (isInOrder(order)) {
    reorderEntry(text, path, from, to);
    return renumberRows(text, field, Math.min(from, to));
  }
  const target = order.indexOf(to);
  if (target < 0 || !order.includes(from)) return;
  const moved = order.filter((place) => place !== from).toSpliced(target, 0, from);
  for (const [position, place] of moved.entries()) {
    if (rowsOf(text, field)[place]?.Index !== position + 1) text.set([...path, place, 'Index'], position + 1);
  }
}

function isInOrder(order: readonly number[]): boolean {
  return order.every((place, position) => place === position);
}

/** Clears a row's criterion but keeps its sort. */
function clearRow(text: JsonFragment, row: (string | number)[], isPrompt: boolean): void {
  for (const name of ['Op', 'Value1', 'Value2']) text.set([...row, name], '');
  if (isPrompt) text.set([...row, 'bprompt'], false);
}

/**
 * Sets the sort of a field: `asc`, `desc` or none.
 * @param newRow a criteria row to hold it if the field has none.
 */
export function setSort(
  text: JsonFragment,
  report: BuilderReport,
  field: BuilderField,
  direction: 'asc' | 'desc' | null,
  newRow: Readonly<Record<string, unknown>>,
): void {
  const rows = rowsOf(text, field.index);
  const path = ['FieldList', field.index, 'Criteria'];
  const place = rows.findIndex(({ sortorder }) => readSort(sortorder) !== null);
  if (direction === null) {
    if (place < 0) return;
    const isCriterion = field.criteria.some(({ row }) => row === place);
    if (isCriterion) return text.set([...path, place, 'sortorder'], '');
    text.set([...path, place], undefined);
    return closeGap(text, field.index, place);
  }
  const order = sortText(report, field, direction);
  if (place >= 0) return text.set([...path, place, 'sortorder'], order);
  if (rows.length > 0) return text.set([...path, 0, 'sortorder'], order);
  addRow(text, field.index, { ...newRow, Index: 1, sortorder: order });
}

/** Appends a criteria row to a field. */
export function addRow(text: JsonFragment, field: number, row: Readonly<Record<string, unknown>>): void {
  const path = ['FieldList', field, 'Criteria'];
  if (hasRows(text, field)) text.insert([...path, -1], row);
  else text.set(path, [row]);
}

/** Number for a new last criteria row of a field, counting rows that only sort. */
export function nextRowNumber(text: JsonFragment, field: number): number {
  const rows = rowsOf(text, field);
  return 1 + Math.max(rows.length, ...rows.map(({ Index }) => (typeof Index === 'number' ? Index : 0)));
}

/** A field that is already sorted keeps its priority; a new one comes last. */
function sortText({ fields }: BuilderReport, field: BuilderField, direction: 'asc' | 'desc'): string {
  const sign = direction === 'desc' ? '-' : '';
  if (field.sort) return field.sort.priority === null ? direction : `${sign}${field.sort.priority}`;
  // Sorts without a number come last, so only another one without a number can follow them.
  if (fields.some(({ sort }) => sort !== null && sort.priority === null)) return direction;
  const last = Math.max(0, ...fields.map(({ sort }) => sort?.priority ?? 0));
  return `${sign}${last + 1}`;
}

/** Closes the gap in the numbers after a row was removed. Keeps the numbers of rows not stored in their order. */
function closeGap(text: JsonFragment, field: number, start: number): void {
  if (isInOrder(criteriaOrder(rowsOf(text, field)))) renumberRows(text, field, start);
}

/** Renumbers numbered rows, starting at 1. */
function renumberRows(text: JsonFragment, field: number, start: number): void {
  for (const [place, { Index }] of rowsOf(text, field).entries()) {
    if (place >= start && typeof Index === 'number' && Index !== place + 1) {
      text.set(['FieldList', field, 'Criteria', place, 'Index'], place + 1);
    }
  }
}

function rowsOf(text: JsonFragment, field: number): RawRow[] {
  return rawRows(text, field) ?? [];
}

function hasRows(text: JsonFragment, field: number): boolean {
  return rawRows(text, field) !== undefined;
}

/** Undefined if the field has no list of criteria. */
function rawRows(text: JsonFragment, field: number): RawRow[] | undefined {
  const { FieldList } = JSON.parse(text.text) as { FieldList?: { Criteria?: unknown }[] };
  const rows = FieldList?.[field]?.Criteria;
  return Array.isArray(rows) ? rows.map((row: RawRow | null) => row ?? {}) : undefined;
}
