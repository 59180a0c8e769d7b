import * as z from 'zod';

/**
 * Fields that a documented resource lists and `value` lacks, as paths such as `LoginUser.FirstName`. Empty and null
 * members hold no fields; of a list, every entry counts.
 */
export function missingFields(schema: z.ZodType, value: unknown, at = ''): string[] {
  const shape = bare(schema);
  if (value === null || value === undefined) return [];
  if (shape instanceof z.ZodArray && Array.isArray(value)) {
    const missing = value.flatMap((entry: unknown) => missingFields(element(shape), entry, at));
    return [...new Set(missing)];
  }
  if (!(shape instanceof z.ZodObject) || typeof value !== 'object') return [];
  const holder = value as Record<string, unknown>;
  const fields: Record<string, z.ZodType> = shape.shape;
  return Object.entries(fields).flatMap(([name, field]) => {
    const place = at === '' ? name : `${at}.${name}`;
    return name in holder ? missingFields(field, holder[name], place) : [place];
  });
}

/** The schema within "may be null" and "may be left out". */
function bare(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap() as z.ZodType);
  return schema;
}

function element(list: z.ZodArray): z.ZodType {
  return list.element as z.ZodType;
}
