import { isRecord } from './server.ts';

/**
 * What real servers of different releases do with the same reply: codes as text, null where text is listed, fields left
 * out, among them the code of a success, fields added, moments in other formats and zones.
 */
export const variations = [
  'asListed',
  'textCodes',
  'nulls',
  'missing',
  'noCodes',
  'extra',
  'zonedDates',
  'localDates',
] as const;
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
  // A success may do without its code where it shows the object; texts and bare numbers stay as they are.
  if (variation === 'noCodes' && codeFields.test(name) && Number(field) === 0 && field !== null) return [];
  if (variation === 'nulls' && field === '') return [[name, null]];
  if (variation === 'missing' && (field === '' || field === null)) return [];
  if (typeof field === 'string' && moment.test(field)) return [[name, inFormat(variation, field)]];
  return [[name, change(variation, field)]];
}

/** The server's distance from UTC where it tells or writes its own time, in ms. */
const aheadMs = 5.5 * 3_600_000;

/** The same moment with the offset of another zone, or on the clock of a server elsewhere with neither zone nor fractions. */
function inFormat(variation: Variation, text: string): string {
  if (variation !== 'zonedDates' && variation !== 'localDates') return text;
  // Year one means never, in whatever zone.
  const isNever = text.startsWith('0001');
  const bare = text.replace(/(\.\d+)?Z?$/, '');
  const there = isNever ? bare : new Date(Date.parse(`${bare}Z`) + aheadMs).toISOString().slice(0, 19);
  return variation === 'zonedDates' ? `${there}.000${isNever ? '+00:00' : '+05:30'}` : there;
}
