import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';

const file = 'territory.tag.json';
const newFile = 'New Data Tag.tag.json';

describe('documents with unsaved changes over a reload of the window', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    scene = await openDocumentScene('light', async (colleague) => {
      await colleague.newTag('territory', { DefaultValue: 'West' });
    });
    await scene.workbench.expand('Security');
    await scene.workbench.expand('Data Tags');
  });
  afterAll(() => scene.stop());

  it('are there with their text while the server is away', async () => {
    const { workbench, editor, proxy } = scene;
    await workbench.openRow('territory');
    await editor.shows('"DefaultValue": "West"');
    await editor.replace('"DefaultValue": "West"', '"DefaultValue": "Mine"');
    await workbench.palette('Analytics: New Object…');
    await workbench.quickPickChoose('Data Tag');
    await editor.shows('"Label": "New Data Tag"');
    await editor.replace('"Label": "New Data Tag"', '"Label": "district"');
    proxy.rule = () => 'never';
    await workbench.reload();
    await workbench.tab(newFile).click();
    await editor.shows('"Label": "district"');
    await editor.isDirty(newFile, true);
    await workbench.tab(file).click();
    await editor.shows('"DefaultValue": "Mine"');
    await editor.isDirty(file, true);
    await workbench.screenshot('documents-reloaded-light');
  });

  it('still see what somebody else changed meanwhile when they are saved', async () => {
    const { workbench, editor, proxy, colleague } = scene;
    await colleague.changeTag('territory', { DefaultValue: 'Hill' });
    proxy.rule = () => 'pass';
    await workbench.reload();
    await workbench.tab(file).click();
    await editor.shows('"DefaultValue": "Mine"');
    await editor.save();
    const question = workbench.notification('in the same fields');
    await question.waitFor();
    expect(await colleague.tag('territory')).toMatchObject({ DefaultValue: 'Hill' });
    await workbench.pressAway(question.getByRole('button', { name: 'Keep Mine' }));
    await editor.isDirty(file, false);
    expect(await colleague.tag('territory')).toMatchObject({ DefaultValue: 'Mine' });
  });

  it('create a new object with their first save, once', async () => {
    const { workbench, editor, colleague } = scene;
    await workbench.tab(newFile).click();
    await editor.shows('"Label": "district"');
    await editor.save();
    await workbench.tab('district.tag.json').waitFor();
    const tags = await colleague.call('DataTag/GetAllDataTags');
    expect(JSON.stringify(tags).match(/"district"/g)).toHaveLength(1);
  });
});
