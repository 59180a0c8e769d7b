import type { JsonObject } from './json.ts';
import type { ObjectShape } from './objectShape.ts';
import { threeWayMerge } from './threeWayMerge.ts';

/** Views of one object around a write. */
export interface WrittenViews {
  /** As the server held it before. */
  readonly before: JsonObject;
  /** As it was sent. */
  readonly wanted: JsonObject;
  /** As it was read afterwards. */
  readonly after: JsonObject;
}

/** Paths of fields that were sent with a change, yet read back without it; what others changed does not count. */
export function missingChanges({ before, wanted, after }: WrittenViews, shape: ObjectShape): string[] {
  const asked = threeWayMerge(before, wanted, before, shape).myChanges;
  const missing = threeWayMerge(after, wanted, after, shape).myChanges;
  return missing.filter((path) => asked.some((other) => isWithin(path, other) || isWithin(other, path)));
}

function isWithin(path: string, parent: string): boolean {
  return path === parent || path.startsWith(`${parent}/`);
}
