import { afterEach, expect, it } from 'vitest';
import type { ObjectServer } from '../../../../../src/objects/objectServer.ts';
import { openStubDocument } from '../../../../support/documents/stubDocuments.ts';
import { documents } from '../../../../support/vscode/documents.ts';
import { person } from '../../../../support/vscode/person.ts';

/* The object is read while the installation is checked: what another installation answers is shown nowhere, and nothing goes there. */

let close: () => void = () => undefined;
afterEach(() => {
  close();
  person.leave();
});

async function openThenSwitch() {
  const scene = await openStubDocument('group');
  ({ close } = scene);
  const { stub } = scene;
  const other: ObjectServer = {
    name: stub.name,
    // It answers after the object was read.
    installation: async () => {
      await new Promise(setImmediate);
      return 'two';
    },
    call: (path, body) => stub.call(path, body),
  };
  scene.answerWith(other);
  return scene;
}

it('saves nothing to another installation', async () => {
  const { document, stub, problems } = await openThenSwitch();
  documents.type(document, '"West"', '"South"');
  expect(await document.save()).toBe(false);
  expect(stub.saves).toEqual([]);
  expect(problems().join()).toMatch(/another installation/);
});

it('shows nothing of another installation', async () => {
  const { document, files, stub } = await openThenSwitch();
  stub.change('West', 'Elsewhere');
  await expect(files.readAfresh(document.uri as never)).rejects.toThrow(/another installation/);
  expect(document.getText()).toContain('"West"');
});
