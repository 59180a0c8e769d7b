import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { waitFor } from '../../support/waitFor.ts';

const save = '/api/DataTag/SaveDataTag';

describe('a document while the editor saves by itself', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    const settings = { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 100 };
    const prepare = (colleague: DocumentScene['colleague']) => colleague.newTag('territory', { DefaultValue: 'West' });
    scene = await openDocumentScene('dark', prepare, { settings });
    await scene.workbench.expand('Security');
    await scene.workbench.expand('Data Tags');
  });
  afterAll(() => scene.stop());

  it('reaches the server only when the user saves it', async () => {
    const { workbench, editor, proxy, colleague } = scene;
    await workbench.openRow('territory');
    await editor.shows('"DefaultValue": "West"');
    await editor.replace('"DefaultValue": "West"', '"DefaultValue": "Typed"');
    await workbench.notification('Auto Save never sends changes to a server').waitFor();
    await workbench.screenshot('auto-save-dark');
    await editor.isDirty('territory.tag.json', true);
    expect(proxy.asked.filter((path) => path === save)).toEqual([]);
    expect(await colleague.tag('territory')).toMatchObject({ DefaultValue: 'West' });
    await editor.save();
    await editor.isDirty('territory.tag.json', false);
    expect(proxy.asked.filter((path) => path === save)).toHaveLength(1);
    expect(await colleague.tag('territory')).toMatchObject({ DefaultValue: 'Typed' });
  });

  it('takes each save by hand once, and nothing that was typed on the way to it', async () => {
    const { editor, proxy, colleague } = scene;
    const before = proxy.asked.length;
    for (const [from, to] of [
      ['Typed', 'First'],
      ['First', 'Second'],
      ['Second', 'Third'],
    ] as const) {
      await editor.replace(`"DefaultValue": "${from}"`, `"DefaultValue": "Half of ${to}"`);
      await editor.replace(`"DefaultValue": "Half of ${to}"`, `"DefaultValue": "${to}"`);
      await waitFor(`${to} to be saved`, async () => {
        // A save that falls into an auto-save of the same text ends with it and has to be asked for again.
        await editor.save();
        await editor.isDirty('territory.tag.json', false, 3_000);
        return true;
      });
      expect(await colleague.tag('territory')).toMatchObject({ DefaultValue: to });
    }
    const sent = proxy.sent.slice(before).filter((_body, index) => proxy.asked[before + index] === save);
    expect(sent.map((body) => /"DefaultValue":"([^"]*)"/.exec(body)?.[1])).toEqual(['First', 'Second', 'Third']);
  });
});
