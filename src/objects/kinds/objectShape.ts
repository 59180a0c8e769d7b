import type { JsonObject } from '../json.ts';

/** How the fields of an object are shown and merged. Fields not listed are shown and editable. */
export interface ObjectShape {
  /** If set, only these fields are shown; otherwise also fields of new releases. */
  readonly shown?: readonly string[];
  /** Hidden fields; sent back unchanged. */
  readonly hidden?: readonly string[];
  /** Read-only fields: shown, never sent with another value. */
  readonly readOnly?: readonly string[];
  /** Fields that are objects or lists with their own shape. */
  readonly fields?: Readonly<Record<string, FieldShape>>;
}

/** Shape of a field that is an object, or of each entry of a list. */
export interface FieldShape extends ObjectShape {
  /**
   * Field that identifies an entry. The list is then merged by entry and its order is irrelevant. If the field is
   * read-only, entries cannot be added or removed.
   */
  readonly key?: string;
  /** Hidden fields of an entry that the user adds. */
  readonly newEntry?: JsonObject;
  /**
   * Whether the list restricts access, so that an empty one gives access to everyone: two removals that together empty
   * it are a conflict, and emptying it must be confirmed.
   */
  readonly isRestriction?: true;
}

/** Whether a field is hidden. */
export function isHidden(shape: ObjectShape, field: string): boolean {
  return shape.shown ? !shape.shown.includes(field) : (shape.hidden?.includes(field) ?? false);
}

/** Whether a field is read-only. */
export function isReadOnly(shape: ObjectShape, field: string): boolean {
  return shape.readOnly?.includes(field) ?? false;
}

/** Shape of a field, if it has its own. */
export function shapeOf(shape: ObjectShape | undefined, field: string): FieldShape | undefined {
  const fields = shape?.fields;
  return fields && Object.hasOwn(fields, field) ? fields[field] : undefined;
}
