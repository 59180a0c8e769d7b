import type { BuilderEdit, BuilderField } from '../../pageContract.ts';
import { useOf, isNumeric } from '../fields/fieldUses.ts';
import type { BuilderStrings } from '../../pageStrings.ts';

/** What a column is for an output type. */
type SlotRole = 'category' | 'down' | 'across' | 'value';

/** A part of an output that one column fills: which one is decided by the order of the fields. */
interface OutputSlot {
  role: SlotRole;
  /** The field that fills it; undefined for none. */
  field: BuilderField | undefined;
  /** Fields that may fill it. */
  choices: readonly BuilderField[];
}

const categories = { chart: ['category'], pivot: ['down', 'across'], figures: [] } as const;

/**
 * The parts of an output type that fields are chosen for; none where it shows all rows. Categories come first and the
 * numbers behind the last other field are the values, as the results show them.
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

/** The edit that lets a field fill a slot: it moves before the one that fills it now. Undefined where it does already. */
export function fillSlot(slot: OutputSlot, index: number, fields: readonly BuilderField[]): BuilderEdit | undefined {
  const from = fields.findIndex((field) => field.index === index);
  const target = slot.field === undefined ? fields.length : fields.indexOf(slot.field);
  const place = from < target ? target - 1 : target;
  return from < 0 || place === from || slot.field?.index === index
    ? undefined
    : { kind: 'moveField', field: index, place };
}

/** Fields that the grouped grid may be grouped by. */
export function groupChoices(outputType: number, fields: readonly BuilderField[]): BuilderField[] {
  if (outputType !== groupedOutput) return [];
  return fields.filter((field) => !field.isHidden && ['value', 'group'].includes(useOf(field)) && !isNumber(field));
}

/** Whether a column holds numbers, as far as the report tells. */
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

/** What an output type makes of the fields; undefined for one that is not known. */
function outputFamily(id: number): 'grid' | 'groups' | 'figures' | 'pivot' | 'chart' | undefined {
  if (id === 0 || id === 1) return 'grid';
  if (id === groupedOutput) return 'groups';
  if (figures.includes(id)) return 'figures';
  if (pivots.includes(id)) return 'pivot';
  return charts.includes(id) ? 'chart' : undefined;
}

/** The same in words; empty for one that is not known. */
export function outputHint(id: number, strings: BuilderStrings): string {
  const family = outputFamily(id);
  const words = {
    grid: strings.outputGrid,
    groups: strings.outputGroups,
    figures: strings.outputFigures,
    pivot: strings.outputPivot,
    chart: strings.outputChart,
  };
  return family === undefined ? '' : words[family];
}

/** A column that totals and linked reports may name, and what they name it by. */
interface ColumnChoice {
  field: BuilderField;
  value: string;
}

/** The columns shown: by their name in the SQL; where a field has none, by its header, which the server takes as well. */
export function columnChoices(fields: readonly BuilderField[]): ColumnChoice[] {
  return fields
    .filter(({ isHidden }) => !isHidden)
    .map((field) => ({ field, value: field.alias.trim() || field.name }))
    .filter(({ value }) => value !== '');
}

/** The column that a text names: an alias, else a header, whatever the case; undefined for none. */
export function columnNamed(text: string, fields: readonly BuilderField[]): ColumnChoice | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return undefined;
  const choices = columnChoices(fields);
  return (
    choices.find(({ field }) => field.alias.trim().toLowerCase() === wanted) ??
    choices.find(({ field }) => field.name.trim().toLowerCase() === wanted)
  );
}
