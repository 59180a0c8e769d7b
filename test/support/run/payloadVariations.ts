import { createHash } from 'node:crypto';
import { isRecord } from '../isRecord.ts';

/**
 * What real servers of different releases do with the same reply: codes as text, null where text is listed, fields left
 * out, fields added, moments in other formats.
 */
export const variations = ['asListed', 'textCodes', 'nulls', 'missing', 'extra', 'zonedDates', 'localDates'] as const;
export type Variation = (typeof variations)[number];

/** Variations that a run with a seed draws from: the plain one is what every other run tests. */
const drawn = variations.filter((name) => name !== 'asListed');

let scope = '';
let draws: Variation[] = [];

/** Starts the draws of a test, or of what its file does before its tests. The same test draws the same in any order of files. */
export function startDraws(test: string): void {
  scope = test;
  draws = [];
}

/** What was drawn since {@link startDraws}. */
export const drawnVariations = (): readonly Variation[] => draws;

/**
 * The variation of a server that a test starts: drawn by the seed in `ANALYTICS_STUDIO_PAYLOADS`, the test and how many
 * servers it started before. Without a seed replies are as listed.
 */
export function drawVariation(): Variation {
  const seed = process.env.ANALYTICS_STUDIO_PAYLOADS;
  if (seed === undefined) return 'asListed';
  const hash = createHash('sha256').update(JSON.stringify([seed, scope, draws.length]));
  const variation = drawn[hash.digest().readUInt32BE() % drawn.length] ?? 'asListed';
  draws.push(variation);
  return variation;
}

const codeFields = /^(ErrorCode|ERROR_CODE|error_code|returncode|Code)$/;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z)?$/;

/** The reply as another release would write it; what is no JSON stays as it is. */
export function varied(variation: Variation, text: string): string {
  if (variation === 'asListed' || !/^\s*[{[]/.test(text)) return text;
  return JSON.stringify(change(variation, JSON.parse(text)));
}

function change(variation: Variation, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => change(variation, item));
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).flatMap(([name, field]) => changed(variation, name, field));
  if (variation === 'extra') fields.push(['X_Unlisted', { list: [1, null, 'x'], flag: true }]);
  return Object.fromEntries(fields);
}

function changed(variation: Variation, name: string, field: unknown): [string, unknown][] {
  if (variation === 'textCodes' && codeFields.test(name) && typeof field === 'number') return [[name, String(field)]];
  if (variation === 'nulls' && field === '') return [[name, null]];
  if (variation === 'missing' && (field === '' || field === null)) return [];
  if (typeof field === 'string' && moment.test(field)) return [[name, inFormat(variation, field)]];
  return [[name, change(variation, field)]];
}

/** With a zone, with an offset, or with neither zone nor fractions. */
function inFormat(variation: Variation, text: string): string {
  const bare = text.replace(/(\.\d+)?Z?$/, '');
  if (variation === 'zonedDates') return `${bare}.000+00:00`;
  if (variation === 'localDates') return bare;
  return text;
}
