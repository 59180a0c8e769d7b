import { describe, expect, it } from 'vitest';
import { objectKinds } from '../../../src/objects/kinds.ts';
import { dataTagKind } from '../../../src/objects/kinds/securityKinds.ts';
import { objectSchema } from '../../../src/objects/objectSchema.ts';

describe('the JSON schema of a kind', () => {
  it.each(objectKinds.map((kind) => [kind.name, kind] as const))('of %s shows what its view shows', (_name, kind) => {
    const schema = objectSchema(kind);
    const properties = Object.keys(Object(schema.properties) as object);
    const listed = Object.keys(kind.schema.shape).filter((field) => !kind.shape.hidden?.includes(field));
    expect(properties).toEqual(listed);
    for (const field of kind.shape.readOnly ?? []) {
      expect(schema).toHaveProperty(['properties', field, 'readOnly'], true);
    }
  });

  it('leaves out the hidden fields of entries', () => {
    const text = JSON.stringify(objectSchema(dataTagKind).properties);
    expect(text).toContain('"RightID"');
    expect(text).not.toContain('"RelationshipType"');
    expect(text).not.toContain('"ErrorCode"');
  });

  it('names no secret', () => {
    for (const kind of objectKinds)
      expect(JSON.stringify(objectSchema(kind))).not.toMatch(/"(Pin|\w*Password|DbPass|mfa_clientsecret)"/);
  });
});
