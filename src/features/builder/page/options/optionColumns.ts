import type { BuilderEdit, BuilderField } from '../../pageContract.ts';
import { useOf, isNumeric } from '../fields/fieldUses.ts';
import * as l10n from '../../../../l10n/l10n.ts';

/** Role of a column in an output type. */
type SlotRole = 'category' | 'down' | 'across' | 'value';

/** A part of an output that shows one column, determined by the order of the fields. */
interface OutputSlot {
  role: SlotRole;
  /** The current field; undefined for none. */
  field: BuilderField | undefined;
  /** Fields to choose from. */
  choices: readonly BuilderField[];
}

const categories = { chart: ['category'], pivot: ['down', 'across'], figures: [] } as const;

/**
 * The slots of an output type; none if it shows all rows. Categories come first; the numbers after the last other field
 * are the values, as in the results.
 */
export function outputSlots(outputType: number, fields: readonly BuilderField[]): OutputSlot[] {
  const family = outputFamily(outputType);
  if (family !== 'chart' && family !== 'pivot' && family !== 'figures') return [];
  const shown = fields.filter(({ isHidden }) => !isHidden);
  const roles = categories[family];
  const least = Math.min(roles.length, shown.length - 1);
  const firstValue = Math.max(shown.findLastIndex((field) => !isNumber(field)) + 1, least);
  const slots = roles.map((role, place): OutputSlot => {
    return { role, field: place < firstValue ? shown[place] : undefined, choices: shown };
  });
  return [...slots, { role: 'value', field: shown[firstValue], choices: shown.filter(isNumber) }];
}

/** The edit that puts a field into a slot by moving it before the current one; undefined if it is already there. */
export function fillSlot(slot: OutputSlot, index: number, fields: readonly BuilderField[]): BuilderEdit | undefined {
  const from = fields.findIndex((field) => field.index === index);
  const target = slot.field === undefined ? fields.length : fields.indexOf(slot.field);
  const place = from < target ? target - 1 : target;
  return from < 0 || place === from || slot.field?.index === index
    ? undefined
    : { kind: 'moveField', field: index, place };
}

/** Fields that the grouped grid can group by. */
export function groupChoices(outputType: number, fields: readonly BuilderField[]): BuilderField[] {
  if (outputType !== groupedOutput) return [];
  return fields.filter((field) => !field.isHidden && ['value', 'group'].includes(useOf(field)) && !isNumber(field));
}

/** Whether a column is numeric, as far as the report specifies. */
function isNumber(field: BuilderField): boolean {
  const use = useOf(field);
  if (use === 'value' || use === 'group' || use === 'MIN' || use === 'MAX') return isNumeric(field.type);
  return true;
}

/** The output type that shows groups with totals. API description, Output types. */
export const groupedOutput = 12;

const figures: readonly number[] = [3, 4];
const pivots: readonly number[] = [8, 13];
const charts: readonly number[] = [2, 6, 7, 9, 10, 11, 14];

/** How an output type uses the fields; undefined if unknown. */
function outputFamily(id: number): 'grid' | 'groups' | 'figures' | 'pivot' | 'chart' | undefined {
  if (id === 0 || id === 1) return 'grid';
  if (id === groupedOutput) return 'groups';
  if (figures.includes(id)) return 'figures';
  if (pivots.includes(id)) return 'pivot';
  return charts.includes(id) ? 'chart' : undefined;
}

/** Localized description of that use; empty if unknown. */
export function outputHint(id: number): string {
  const family = outputFamily(id);
  const words = {
    grid: l10n.t('Shows every row, without totals.'),
    groups: l10n.t('Shows rows under group headings, with totals.'),
    figures: l10n.t('Shows the numbers of the report in large type.'),
    pivot: l10n.t(
      'The first field forms the rows, the other fields form the columns. The numeric fields after them fill the cells.',
    ),
    chart: l10n.t('Draws the numeric fields after the last other field; the fields before them form the axis.'),
  };
  return family === undefined ? '' : words[family];
}

/** A column for totals and linked reports, and the name that they use for it. */
interface ColumnChoice {
  field: BuilderField;
  value: string;
}

/** The visible columns, by their SQL name, or by their header if they have none, which the server also accepts. */
export function columnChoices(fields: readonly BuilderField[]): ColumnChoice[] {
  return fields
    .filter(({ isHidden }) => !isHidden)
    .map((field) => ({ field, value: field.alias.trim() || field.name }))
    .filter(({ value }) => value !== '');
}

/** The column with a name, ignoring case: an alias, else a header; undefined if there is none. */
export function columnNamed(text: string, fields: readonly BuilderField[]): ColumnChoice | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return undefined;
  const choices = columnChoices(fields);
  return (
    choices.find(({ field }) => field.alias.trim().toLowerCase() === wanted) ??
    choices.find(({ field }) => field.name.trim().toLowerCase() === wanted)
  );
}
