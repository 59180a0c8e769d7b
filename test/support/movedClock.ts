import { readFileSync } from 'node:fs';

/*
 * Preloaded into a server (`--import`), this takes the place of its clock: what it says stands in a file, as ISO 8601 text
 * that the test writes.
 */

const file = process.env.ANALYTICS_STUDIO_CLOCK ?? '';
const { parse } = Date;
const now = () => parse(readFileSync(file, 'utf8'));

globalThis.Date = new Proxy(Date, {
  construct: (target, given: unknown[], newTarget: DateConstructor) =>
    Reflect.construct(target, given.length > 0 ? given : [now()], newTarget) as Date,
  get: (target, name): unknown => (name === 'now' ? now : Reflect.get(target, name)),
});
