import type { JsonObject } from '../json.ts';
import { isReadOnly, type ObjectShape } from '../kinds/objectShape.ts';

/**
 * Stands for the view that a text started from where that is lost: with it, a save asks about every field in which the text
 * and the server differ. Fields that the server keeps are no edits of the user.
 */
export function unknownBase(mine: JsonObject, shape: ObjectShape): JsonObject {
  return Object.fromEntries(Object.entries(mine).filter(([name]) => isReadOnly(shape, name)));
}
