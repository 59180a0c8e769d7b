import type { Edit } from 'jsonc-parser';
import type {
  BuilderEdit,
  BuilderField,
  BuilderLink,
  BuilderReport,
  BuilderTotal,
  FieldUse,
  TotalChange,
} from '../pageContract.ts';
import { editCriteria } from './criteriaEdits.ts';
import { reorderEntry, JsonFragment, styleOf } from './jsonFragment.ts';
import { readReport } from '../readReport.ts';
import * as l10n from '../../../l10n/l10n.ts';

/** Information for an edit that the text does not contain. */
interface EditContext {
  /** Class of an output type, which is stored next to its id. API description, Output types. */
  outputClass(id: number): string | undefined;
}

/**
 * The smallest text changes for an edit; none if the text already matches. Does not touch fields other than the edited
 * one, except the numbers of fields that move with it.
 * @throws {Error} if the text is not a report or has no such field.
 */
export function reportEdits(text: string, edit: BuilderEdit, context: EditContext): Edit[] {
  const report = readReport(text);
  const pieces = new JsonFragment(text, styleOf(text));
  applyEdit(pieces, report, edit, context);
  return pieces.edits;
}

function applyEdit(text: JsonFragment, report: BuilderReport, edit: BuilderEdit, context: EditContext): void {
  switch (edit.kind) {
    case 'setText': {
      const current = edit.name === 'Reportname' ? report.name : report.description;
      return setIf(current !== edit.value, text, [edit.name], edit.value);
    }
    case 'setDistinct':
      return setIf(report.isDistinct !== edit.value, text, ['Distinct'], Number(edit.value));
    case 'setTopN':
      return setIf(report.topN !== edit.value, text, ['TopN'], edit.value);
    case 'setOutputType': {
      if (report.outputType === edit.value) return;
      text.set(['OutputType'], edit.value);
      const uiclass = context.outputClass(edit.value);
      return setIf(uiclass !== undefined, text, ['OutputTypeClass'], uiclass);
    }
    case 'renameField':
      return renameField(text, report, fieldOf(report, edit.field), edit.value);
    case 'setUse':
    case 'setHidden':
    case 'setFormula':
      return editField(text, fieldOf(report, edit.field), edit);
    case 'moveField':
      return moveField(text, report, edit.field, edit.place);
    case 'removeField':
      return removeField(text, report, edit.field);
    case 'setCriterion':
    case 'removeCriterion':
    case 'moveCriterion':
      return editCriteria(text, fieldOf(report, edit.field), edit);
    case 'setTotal':
      return setTotal(text, report.totals[edit.total], edit.change);
    case 'removeTotal':
      return text.set(['AdHocFields', edit.total], undefined);
    case 'addPair':
    case 'setPair':
    case 'removePair':
      return editPairs(text, report.links[edit.link], edit);
    case 'removeLink':
      return text.set(['linkreports', edit.link], undefined);
  }
}

type PairEdit = Extract<BuilderEdit, { kind: 'addPair' | 'setPair' | 'removePair' }>;

/** Changes each property separately, so that quick input into two boxes does not overwrite the other one. */
function editPairs(text: JsonFragment, link: BuilderLink | undefined, edit: PairEdit): void {
  if (link === undefined) throw new Error(l10n.t('The report no longer has this linked report.'));
  const list = ['linkreports', link.index, 'Links'];
  if (edit.kind === 'addPair') {
    const empty = { Field: '', TargetField: '' };
    return link.pairs.length === 0 ? text.set(list, [empty]) : text.insert([...list, -1], empty);
  }
  const pair = link.pairs[edit.place];
  if (pair === undefined) throw new Error(l10n.t('The linked report no longer receives this value.'));
  if (edit.kind === 'removePair') return text.set([...list, edit.place], undefined);
  const { field = pair.field, target = pair.target } = edit.change;
  setIf(field !== pair.field, text, [...list, edit.place, 'Field'], field);
  setIf(target !== pair.target, text, [...list, edit.place, 'TargetField'], target);
}

/** Renames a field. Totals and links that refer to it by its header then refer to it by its SQL name, which stays. */
function renameField(
  text: JsonFragment,
  { fields, totals, links }: BuilderReport,
  field: BuilderField,
  name: string,
): void {
  if (field.header === name) return;
  text.set(['FieldList', field.index, 'DisplayFieldName'], name);
  const alias = field.alias.trim();
  const same = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();
  // Such a name refers to the other field: to an alias, else to the first header.
  const isShared = fields.some(
    (other) => same(other.alias, field.name) || (other !== field && same(other.name, field.name)),
  );
  if (!/^\w+$/.test(alias) || field.name.trim() === '' || isShared) return;
  const follow = (path: (string | number)[], called: string) => setIf(same(called, field.name), text, path, alias);
  for (const { index, field1, field2 } of totals) {
    follow(['AdHocFields', index, 'field1'], field1);
    follow(['AdHocFields', index, 'field2'], field2);
  }
  for (const { index, pairs } of links) {
    for (const [place, pair] of pairs.entries()) follow(['linkreports', index, 'Links', place, 'Field'], pair.field);
  }
}

type FieldEdit = Extract<BuilderEdit, { kind: 'setUse' | 'setHidden' | 'setFormula' }>;

function editField(text: JsonFragment, field: BuilderField, edit: FieldEdit): void {
  const at = (name: string) => ['FieldList', field.index, name];
  switch (edit.kind) {
    case 'setFormula':
      return setIf(field.formula !== edit.value, text, at('Formula'), edit.value);
    case 'setUse': {
      const wanted = useParts(edit.value);
      setIf(field.isGroup !== wanted.isGroup, text, at('grouped'), Number(wanted.isGroup));
      const isSame = normalUse(field.aggregate) === normalUse(wanted.aggregate);
      return setIf(!isSame, text, at('strGroup'), wanted.aggregate);
    }
    case 'setHidden': {
      if (field.isHidden === edit.value) return;
      const place = Math.abs(fieldIndexOf(text, field.index)) || field.index + 1;
      return text.set(at('fieldindex'), edit.value ? -place : place);
    }
  }
}

function useParts(use: FieldUse): { isGroup: boolean; aggregate: string } {
  if (use === 'value' || use === 'group') return { isGroup: use === 'group', aggregate: '' };
  return { isGroup: false, aggregate: use };
}

/** NONE and similar values mean no aggregate. */
function normalUse(aggregate: string): string {
  const word = aggregate.trim().toUpperCase();
  return ['NONE', 'GROUP', 'GROUP BY'].includes(word) ? '' : word;
}

function moveField(text: JsonFragment, { fields }: BuilderReport, index: number, place: number): void {
  const from = fields.findIndex((field) => field.index === index);
  const moving = fields[from];
  if (!moving) throw new Error(l10n.t('The report no longer has this field.'));
  const order = fields.toSpliced(from, 1);
  order.splice(place, 0, moving);
  const isInOrder = fields.every((field, position) => field.index === position);
  if (isInOrder) reorderEntry(text, ['FieldList'], from, Math.min(place, fields.length - 1));
  renumberFields(text, isInOrder ? order.map((field, position) => ({ ...field, index: position })) : order, 0);
}

function removeField(text: JsonFragment, { fields }: BuilderReport, index: number): void {
  const place = fields.findIndex((field) => field.index === index);
  if (place < 0) return;
  text.set(['FieldList', index], undefined);
  const left = fields
    .toSpliced(place, 1)
    .map((field) => ({ ...field, index: field.index > index ? field.index - 1 : field.index }));
  renumberFields(text, left, place);
}

/** Numbers the fields in the given order, starting at 1, from `start` on. Keeps the negative sign of hidden fields. */
export function renumberFields(
  text: JsonFragment,
  order: readonly Pick<BuilderField, 'index' | 'isHidden'>[],
  start: number,
): void {
  const entries = (JSON.parse(text.text) as { FieldList: unknown[] }).FieldList;
  for (const [position, { index, isHidden }] of order.entries()) {
    const wanted = isHidden ? -(position + 1) : position + 1;
    const entry = entries[index];
    // Entries that are not fields have no number.
    if (typeof entry !== 'object' || entry === null) continue;
    if (position >= start && (!('fieldindex' in entry) || entry.fieldindex !== wanted)) {
      text.set(['FieldList', index, 'fieldindex'], wanted);
    }
  }
}

function fieldIndexOf(text: JsonFragment, index: number): number {
  const { FieldList } = JSON.parse(text.text) as { FieldList: { fieldindex?: unknown }[] };
  return Number(FieldList[index]?.fieldindex ?? 0);
}

const totalFields: Record<keyof TotalChange, string> = {
  type: 'type',
  func: 'func',
  field1: 'field1',
  field2: 'field2',
  value2: 'Value2',
  isPercent: 'percent',
  hasGrandTotal: 'addgtotal',
};

function setTotal(text: JsonFragment, total: BuilderTotal | undefined, change: TotalChange): void {
  if (!total) throw new Error(l10n.t('The report no longer has this total.'));
  for (const name of Object.keys(totalFields) as (keyof TotalChange)[]) {
    const value = change[name];
    setIf(value !== undefined && value !== total[name], text, ['AdHocFields', total.index, totalFields[name]], value);
  }
}

function fieldOf({ fields }: BuilderReport, index: number): BuilderField {
  const found = fields.find((field) => field.index === index);
  if (!found) throw new Error(l10n.t('The report no longer has this field.'));
  return found;
}

function setIf(isWanted: boolean, text: JsonFragment, path: (string | number)[], value: unknown): void {
  if (isWanted) text.set(path, value);
}
