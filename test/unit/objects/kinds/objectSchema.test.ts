import { describe, expect, it } from 'vitest';
import manifest from '../../../../package.json' with { type: 'json' };
import words from '../../../../package.nls.json' with { type: 'json' };
import { kindNames } from '../../../../src/objects/kinds/kindNames.ts';
import { objectKinds } from '../../../../src/objects/kinds/kinds.ts';
import { smtpKind } from '../../../../src/objects/kinds/administrationKinds.ts';
import { dataTagKind, policyKind, userKind } from '../../../../src/objects/kinds/securityKinds.ts';
import { notedPaths, noteOf } from '../../../../src/objects/notes/notesOf.ts';
import { objectSchema } from '../../../../src/objects/kinds/objectSchema.ts';

describe('the JSON schema of a kind', () => {
  it.each(objectKinds.map((kind) => [kind.name, kind] as const))('of %s shows what its view shows', (_name, kind) => {
    const schema = objectSchema(kind);
    const properties = Object.keys(Object(schema.properties) as object);
    const listed = Object.keys(kind.schema.shape).filter((field) => !kind.shape.hidden?.includes(field));
    expect(properties).toEqual(listed);
    // Fields that only some servers send have no place in the schema.
    for (const field of (kind.shape.readOnly ?? []).filter((name) => listed.includes(name))) {
      expect(schema).toHaveProperty(['properties', field, 'readOnly'], true);
    }
  });

  it('leaves out the hidden fields of entries', () => {
    const text = JSON.stringify(objectSchema(dataTagKind).properties);
    expect(text).toContain('"RightID"');
    expect(text).not.toContain('"RelationshipType"');
    expect(text).not.toContain('"ErrorCode"');
  });

  it('says what every field means that it shows', () => {
    for (const kind of objectKinds) {
      const properties = Object.entries(
        Object(objectSchema(kind).properties) as Record<string, { description?: string }>,
      );
      const silent = properties.filter(([, property]) => !property.description).map(([name]) => name);
      expect(silent, kind.name).toEqual([]);
    }
  });

  it('has a note for no field that is not there', () => {
    for (const kind of objectKinds) {
      const text = JSON.stringify(objectSchema(kind));
      for (const path of notedPaths(kind.name))
        expect(text, `${kind.name} ${path}`).toContain(noteText(kind.name, path));
    }
  });

  it('offers known values with their meaning and refuses no other', () => {
    expect(objectSchema(smtpKind)).toMatchObject({
      properties: {
        SMTPEnableSSL: {
          anyOf: [{ enum: ['True', 'False'], enumDescriptions: ['On', 'Off'] }, { type: ['string', 'null'] }],
        },
      },
    });
    expect(JSON.stringify(objectSchema(userKind))).toContain('"enum":["5","6","7"]');
  });

  it('describes entries that the contract leaves open', () => {
    expect(JSON.stringify(objectSchema(policyKind))).toContain('"LoginName":{"description"');
  });

  it('is named by the manifest for every kind', () => {
    expect(objectKinds.map(({ name }) => name)).toEqual(kindNames);
    // The files are named by language, as titles are.
    const contributed = manifest.contributes.jsonValidation.map(({ url }) => url).sort();
    expect(contributed).toEqual(objectKinds.map(({ name }) => `%schema.${name}%`).sort());
    const named = new Map(Object.entries(words));
    for (const { name } of objectKinds) expect(named.get(`schema.${name}`)).toBe(`./dist/schemas/${name}.schema.json`);
  });

  it('names no secret', () => {
    for (const kind of objectKinds)
      expect(JSON.stringify(objectSchema(kind))).not.toMatch(/"(Pin|\w*Password|DbPass|mfa_clientsecret)"/);
  });
});

/** How a note stands in the text of a schema. */
function noteText(kind: string, path: string): string {
  return JSON.stringify(noteOf(kind, path)?.text).slice(1, -1);
}
