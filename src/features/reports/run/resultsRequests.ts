import * as z from 'zod';
import type { ResultsContract } from '../../../contract/pages/resultsPage.ts';
import type { RequestSchemas } from '../../../editor/pages/answerRequest.ts';
import { promptsAsked, promptValue } from '../prompts/promptMemory.ts';

const place = z.int().min(0);
const longestText = 100_000;
const text = z.string().max(longestText);

const rectangle = z.object({ view: place, firstRow: place, lastRow: place, columns: z.array(place) });
const copyParams = rectangle.extend({ withHeaders: z.boolean() });

const lineSort = z.object({ key: text, isDescending: z.boolean() });

/** Schemas of the requests that the results page may send. */
export const resultsRequests: RequestSchemas<ResultsContract> = {
  ready: z.null(),
  run: z.null(),
  runOptions: z.null(),
  cancel: z.null(),
  drill: z.object({ view: place, row: place, column: place }),
  back: z.object({ level: place }),
  signIn: z.null(),
  changePassword: z.null(),
  showSql: z.null(),
  openPrompts: z.null(),
  closePrompts: z.null(),
  submitPrompts: z.array(promptValue),
  choosePreset: z.object({ name: text }),
  savePreset: z.object({ values: z.array(promptValue), name: text }),
  removePreset: z.object({ name: text }),
  promptChoices: z.object({ index: place, search: text }),
  rows: z.object({ view: place, start: place, count: place }),
  present: z.object({ isTable: z.boolean() }),
  chart: z.object({ view: place }),
  mapShapes: z.null(),
  savePicture: z.object({ format: z.enum(['png', 'svg']), bytes: z.instanceof(Uint8Array) }),
  arrange: z.object({
    sort: z.array(z.object({ column: place, isDescending: z.boolean() })),
    lines: lineSort.optional(),
    filters: z.record(z.coerce.number().int().min(0), text),
    search: text,
  }),
  copy: copyParams,
  copyAs: copyParams,
  figures: rectangle,
  find: z.object({
    view: place,
    text,
    row: z.int().min(-1),
    place,
    columns: z.array(place),
    isBackward: z.boolean(),
    isFromHere: z.boolean(),
  }),
  profile: z.object({ view: place, column: place }),
  cell: z.object({ view: place, row: place, column: place }),
  exportRows: z.object({ hasPicture: z.boolean(), columns: z.array(place).optional() }),
  openLink: z.object({ view: place, row: place, column: place }),
};

/** State of a panel that the page saves across window reloads. */
export const panelState = z.object({
  connectionId: z.string(),
  reportId: z.string(),
  name: z.string(),
  lastRun: z
    .object({
      values: z.array(promptValue),
      asked: promptsAsked.optional(),
      chips: z.array(z.object({ label: z.string(), text: z.string() })),
      isUnprompted: z.boolean().optional(),
      arrangement: z
        .object({
          sort: z.array(lineSort),
          lines: lineSort.optional(),
          filters: z.array(z.object({ key: text, text })),
          search: text,
        })
        .optional(),
      user: text.optional(),
    })
    .optional(),
});

/** @see panelState */
export type PanelState = z.infer<typeof panelState>;
