import type { JsonObject } from '../json.ts';

/** How the fields of an object are shown and merged. Fields it does not mention are shown and may be edited. */
export interface ObjectShape {
  /** Fields of a new release show by themselves, unless only these are to be shown. */
  readonly shown?: readonly string[];
  /** Fields left out of view; they go back to the server as they came. */
  readonly hidden?: readonly string[];
  /** Fields that the server keeps: shown, never sent with another value. */
  readonly readOnly?: readonly string[];
  /** Fields that are objects or lists with a shape of their own. */
  readonly fields?: Readonly<Record<string, FieldShape>>;
}

/** Shape of a field that is an object, or of each entry of a list. */
export interface FieldShape extends ObjectShape {
  /**
   * Field that identifies an entry. The list is then merged entry by entry, and its order means nothing. Where the field is
   * read-only, so is which entries there are.
   */
  readonly key?: string;
  /** What an entry that the user adds carries besides the fields shown. */
  readonly newEntry?: JsonObject;
  /**
   * Whether the list says who or what is restricted, so that an empty one lets everybody in: removals by two that leave
   * nothing between them are a conflict, and one who empties it is asked.
   */
  readonly isRestriction?: true;
}

/** Whether a field is left out of view. */
export function isHidden(shape: ObjectShape, field: string): boolean {
  return shape.shown ? !shape.shown.includes(field) : (shape.hidden?.includes(field) ?? false);
}

/** Whether the server keeps a field. */
export function isReadOnly(shape: ObjectShape, field: string): boolean {
  return shape.readOnly?.includes(field) ?? false;
}

/** Shape of a field, if it has one of its own. */
export function shapeOf(shape: ObjectShape | undefined, field: string): FieldShape | undefined {
  const fields = shape?.fields;
  return fields && Object.hasOwn(fields, field) ? fields[field] : undefined;
}
