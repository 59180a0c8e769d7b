import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { closeEditors } from '../../support/workbench/sharedWorkbench.ts';
import { isRecord } from '../../support/isRecord.ts';
import { waitFor } from '../../support/waitFor.ts';

const constraintCount = 5_000;

describe('documents that are used in ways nobody thinks of first', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    scene = await openDocumentScene('light', async (colleague) => {
      await colleague.newTag('territory', { DefaultValue: 'West' });
      await colleague.newTag('zone', { DefaultValue: 'East' });
      const template = await colleague.call('Shield/NewPolicy');
      const Constraints = Array.from({ length: constraintCount }, (_, at) => ({
        ModuleID: '',
        TableOwner: 'main',
        TableName: 'flights',
        ColumnName: 'origin_state',
        Operator: '=',
        Value: `S${at}`,
        Value2: '',
        Logical: 'OR',
      }));
      const policy = { ...(template as object), Name: 'Huge', Constraints, Groups: [], Users: [] };
      await colleague.call('Shield/SaveShieldPolicy', { policy, isDeepSave: true, groups: [], users: [] });
    });
    await scene.workbench.expand('Security');
  });
  afterEach(() => closeEditors(scene.workbench));
  afterAll(() => scene?.stop());

  async function open(list: string, name: string): Promise<void> {
    const { workbench, editor } = scene;
    await workbench.expand(list);
    await workbench.treeItem(name).first().dblclick();
    await workbench.tab(name).first().waitFor();
    await editor.shows('{');
  }

  it('says of a copy that unsaved changes are not in it', async () => {
    const { workbench, editor } = scene;
    await open('Data Tags', 'territory');
    await editor.replace('"DefaultValue": "West"', '"DefaultValue": "Unsaved"');
    await workbench.treeAction('territory', 'Clone Data Tag');
    await workbench.notification('without the unsaved changes to "territory".').waitFor();
    await editor.shows('"Label": "territory copy"');
    expect(await editor.text()).toContain('"DefaultValue": "West"');
    await workbench.screenshot('odd-clone-light');
    await workbench.palette('File: Revert File');
    await workbench.palette('View: Close Editor');
    await editor.shows('"DefaultValue": "Unsaved"');
  });

  it('shows another name in both editors of a document, beside what is unsaved there', async () => {
    const { workbench, editor, colleague } = scene;
    await open('Data Tags', 'zone');
    await workbench.palette('View: Split Editor Right');
    const editors = workbench.page.locator('.editor-group-container .monaco-editor .view-lines');
    await waitFor('the second editor', async () => (await editors.count()) === 2);
    await workbench.treeAction('zone', 'Rename Data Tag…');
    await workbench.quickInput('Rename data tag "zone"', 'area');
    const shows = (text: string) =>
      waitFor(`both editors to show ${text}`, async () => {
        const texts = await editors.allInnerTexts();
        return texts.length === 2 && texts.every((each) => each.replaceAll('\u00a0', ' ').includes(text));
      });
    await shows('"Label": "area"');
    await editor.replace('"DefaultValue": "East"', '"DefaultValue": "Unsaved"');
    await workbench.treeAction('area', 'Rename Data Tag…');
    await workbench.quickInput('Rename data tag "area"', 'region');
    await waitFor('the new name on the server', async () => {
      return (await colleague.find('DataTag/GetAllDataTags', 'Label', 'region')) !== undefined;
    });
    await shows('"DefaultValue": "Unsaved"');
    await editor.save();
    await editor.isDirty('zone', false);
    await shows('"Label": "region"');
    expect(await colleague.tag('region')).toMatchObject({ DefaultValue: 'Unsaved' });
    await workbench.screenshot('odd-renamed-light');
  });

  it('edits one of thousands of constraints and keeps all others', { timeout: 120_000 }, async () => {
    const { workbench, editor, colleague } = scene;
    await open('Policies', 'Huge');
    await editor.replace(`"Value": "S${constraintCount - 1}"`, '"Value": "last"');
    const started = performance.now();
    await editor.save();
    await editor.isDirty('Huge', false);
    const took = performance.now() - started;
    const saved = await colleague.find('Shield/GetAllShieldPolicies', 'Name', 'Huge');
    const constraints = Array.isArray(saved?.Constraints) ? saved.Constraints.filter(isRecord) : [];
    const wanted = Array.from({ length: constraintCount - 1 }, (_, at) => `S${at}`);
    expect(constraints.map(({ Value }) => Value)).toEqual([...wanted, 'last']);
    expect(took).toBeLessThan(20_000);
    await workbench.screenshot('odd-huge-light');
  });
});
