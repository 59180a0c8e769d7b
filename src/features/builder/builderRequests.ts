import * as z from 'zod';
import type { BuilderContract, BuilderEdit } from './pageContract.ts';
import type { RequestSchemas } from '../../editor/pages/answerRequest.ts';

const place = z.int().min(0).max(1_000_000);
const text = z.string().max(100_000);
const shortText = z.string().max(1_000);
const pairChange = z.object({ field: shortText, target: shortText }).partial();

const use = z.enum(['value', 'group', 'SUM', 'AVG', 'MIN', 'MAX', 'COUNT', 'COUNT DISTINCT', 'STDDEV', 'VARIANCE']);
const criterionChange = z
  .object({
    operator: shortText,
    value1: text,
    value2: text,
    list: z.array(shortText).max(10_000),
    joiner: z.enum(['AND', 'OR']),
    isNested: z.boolean(),
    isPrompt: z.boolean(),
    isSkipable: z.boolean(),
  })
  .partial();
const totalChange = z
  .object({
    type: shortText,
    func: shortText,
    field1: shortText,
    field2: shortText,
    value2: shortText,
    isPercent: z.boolean(),
    hasGrandTotal: z.boolean(),
  })
  .partial();

const edit: z.ZodType<BuilderEdit> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('setText'), name: z.enum(['Reportname', 'Description']), value: text }),
  z.object({ kind: z.literal('setDistinct'), value: z.boolean() }),
  z.object({ kind: z.literal('setTopN'), value: z.int().min(0).nullable() }),
  z.object({ kind: z.literal('setOutputType'), value: place }),
  z.object({ kind: z.literal('renameField'), field: place, value: text }),
  z.object({ kind: z.literal('setUse'), field: place, value: use }),
  z.object({ kind: z.literal('setHidden'), field: place, value: z.boolean() }),
  z.object({ kind: z.literal('setFormula'), field: place, value: text }),
  z.object({ kind: z.literal('moveField'), field: place, place }),
  z.object({ kind: z.literal('removeField'), field: place }),
  z.object({ kind: z.literal('setCriterion'), field: place, row: place, change: criterionChange }),
  z.object({ kind: z.literal('removeCriterion'), field: place, row: place }),
  z.object({ kind: z.literal('moveCriterion'), field: place, row: place, place }),
  z.object({ kind: z.literal('setTotal'), total: place, change: totalChange }),
  z.object({ kind: z.literal('removeTotal'), total: place }),
  z.object({ kind: z.literal('addPair'), link: place }),
  z.object({ kind: z.literal('setPair'), link: place, place, change: pairChange }),
  z.object({ kind: z.literal('removePair'), link: place, place }),
  z.object({ kind: z.literal('removeLink'), link: place }),
]);

/** Schemas of the requests that the builder page may send. */
export const builderRequests: RequestSchemas<BuilderContract> = {
  ready: z.null(),
  edit: z.object({ version: place, edit }),
  shows: z.object({ tab: z.enum(['fields', 'criteria', 'totals', 'options']), search: shortText, focus: shortText }),
  addFields: z.object({ version: place, entries: z.array(place).max(1_000), place: place.nullable() }),
  addFormula: z.object({ version: place }),
  sortField: z.object({ version: place, field: place, direction: z.enum(['asc', 'desc']).nullable() }),
  addCriterion: z.object({ version: place, field: place }),
  addTotal: z.object({ version: place, type: z.enum(['total', 'calc']) }),
  addLink: z.object({ version: place }),
  pickFolder: z.null(),
  fieldValues: z.object({ field: place, search: shortText }),
  targetFields: z.object({ reportId: shortText }),
  preview: z.null(),
  showSql: z.null(),
  undo: z.null(),
  redo: z.null(),
  save: z.null(),
  openJson: z.null(),
  retrySql: z.null(),
  retry: z.null(),
  signIn: z.null(),
  changePassword: z.null(),
  chooseServer: z.null(),
};
