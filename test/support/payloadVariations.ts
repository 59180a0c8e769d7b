import { isRecord } from './isRecord.ts';

/**
 * What real servers of different releases do with the same reply: codes as text, null where text is listed, fields left
 * out, fields added, moments in other formats.
 */
export const variations = ['asListed', 'textCodes', 'nulls', 'missing', 'extra', 'zonedDates', 'localDates'] as const;
export type Variation = (typeof variations)[number];

/** The variation that this run's servers answer in, from `ANALYTICS_STUDIO_PAYLOADS`. */
export const payloads: Variation =
  variations.find((name) => name === process.env.ANALYTICS_STUDIO_PAYLOADS) ?? 'asListed';

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
