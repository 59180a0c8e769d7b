import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { killExtensionHost } from '../../support/processes/killExtensionHost.ts';

const file = 'territory.tag.json';

describe.skipIf(process.platform !== 'linux')('a document with unsaved changes whose extension host dies', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    scene = await openDocumentScene(
      'dark',
      async (colleague) => {
        await colleague.newTag('territory', { DefaultValue: 'West' });
      },
      {},
    );
    await scene.workbench.expand('Security');
    await scene.workbench.expand('Data Tags');
  });
  afterAll(() => scene.stop());

  it('keeps its text, and still sees what somebody else changed meanwhile', async () => {
    const { workbench, editor, colleague, host } = scene;
    await workbench.openRow('territory');
    await editor.shows('"DefaultValue": "West"');
    await editor.replace('"DefaultValue": "West"', '"DefaultValue": "Mine"');
    await editor.isDirty(file, true);
    const session = workbench.page.getByRole('button', { name: `Server ${host}, admin` });
    await session.waitFor();
    await killExtensionHost(workbench);
    await session.waitFor({ state: 'hidden' });
    await colleague.changeTag('territory', { DefaultValue: 'Hill' });
    await session.waitFor({ timeout: 60_000 });
    await editor.shows('"DefaultValue": "Mine"');
    await editor.isDirty(file, true);
    await editor.save();
    const question = workbench.notification('in the same fields');
    await question.waitFor();
    expect(await colleague.tag('territory')).toMatchObject({ DefaultValue: 'Hill' });
    await workbench.pressAway(question.getByRole('button', { name: 'Keep Theirs' }));
    await editor.isDirty(file, false);
    await editor.shows('"DefaultValue": "Hill"');
    expect(await colleague.tag('territory')).toMatchObject({ DefaultValue: 'Hill' });
  });
});
