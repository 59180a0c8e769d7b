import { expect, it } from 'vitest';
import { documentText, readDocument } from '../../../../src/features/documents/files/documentText.ts';
import { editableView } from '../../../../src/objects/merge/editableView.ts';
import { parseExact } from '../../../../src/objects/json.ts';
import { objectKinds } from '../../../../src/objects/kinds/kinds.ts';
import { nameHints, objectLinks } from '../../../../src/objects/language/hints.ts';
import { JsonText } from '../../../../src/objects/language/jsonText.ts';
import { riskyChanges } from '../../../../src/objects/save/riskyChanges.ts';
import { saveObject } from '../../../../src/objects/save/saveObject.ts';
import { ObjectStub, stubKinds } from '../../../support/documents/objectStub.ts';
import { facts, problemsOf } from '../../objects/language/languageFacts.ts';

/** What nobody should write in a field, and somebody will. */
const values = [
  ...['null', '-1.5', '1e300', '9007199254740993', '"x"', '""', 'true', '[]', '{}', '[null]', '[1]', '["x"]', '[[]]'],
  ...['[{}]', '{"a":1}', '[[{}]]', '[{"Criteria":1,"Links":"x","GroupId":{},"ID":[]}]', '[{"Criteria":[null]}]'],
];
/** Lists that let everybody in once a server drops an entry that names nobody. */
const lettingIn = ['policy Groups', 'policy Users', 'folder Permissions'];

it.each(objectKinds.map((kind) => [kind.name, kind] as const))(
  'are named in every field of %s, or saved as they are; nothing else is lost, and no help stumbles over them',
  async (name, kind) => {
    const id = stubKinds[name]?.id ?? '';
    const refused: string[] = [];
    let saved = 0;
    for (const field of Object.keys(kind.schema.shape).filter((one) => !kind.shape.hidden?.includes(one))) {
      for (const value of values) {
        const server = new ObjectStub(name);
        const base = editableView(await kind.read(server, id), kind.shape);
        const text = documentText({ ...base, [field]: parseExact(value) });
        const json = new JsonText(text);
        problemsOf(name, text, { id, base });
        nameHints(json, name, facts, { offset: 0, length: text.length });
        objectLinks(json, name, facts);
        try {
          readDocument(text, kind.schema);
        } catch (error) {
          refused.push(error instanceof Error ? error.message : '');
          expect(refused.at(-1), `${field}: ${value}`).toMatch(new RegExp(`^${field}\\b.* (must be|is missing)`));
          continue;
        }
        const mine = readDocument(text, kind.schema);
        riskyChanges(kind, base, mine);
        const saving = saveObject(server, { kind, id, base, mine, askSecret: async () => 'x', pauses: [] });
        if (lettingIn.includes(`${name} ${field}`) && /^\[[^\]1"]/.test(value)) {
          await expect(saving, `${field}: ${value}`).rejects.toThrow(`An entry in ${field} has no`);
          expect(server.saves).toEqual([]);
          continue;
        }
        const outcome = await saving;
        expect(outcome.kind, `${field}: ${value}`).toMatch(/^(saved|readOnly|conflict|unknown)$/);
        saved += 1;
        const { [field]: _changed, ...others } = base;
        expect(server.saves.at(-1) ?? base, `${field}: ${value}`).toMatchObject(name === 'audit' ? {} : others);
      }
    }
    expect(refused.length).toBeGreaterThan(0);
    expect(saved).toBeGreaterThan(0);
  },
);
