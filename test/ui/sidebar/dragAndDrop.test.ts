import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type Colleague, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { waitFor } from '../../support/waitFor.ts';

describe('dragging in the sidebar', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    const prepare = (colleague: Colleague) => colleague.newTag('unused', { DefaultValue: 'x', isActive: false });
    scene = await openDocumentScene('light', prepare, { settings: { 'workbench.hover.delay': 500 } });
    for (let attempt = 0; attempt < 5; attempt++) {
      await expect(scene.server.login('south.viewer', 'guessed')).rejects.toThrow('Sign-in failed');
    }
    await scene.workbench.expand('Bird Strikes');
  });
  afterAll(() => scene.stop());

  const row = (label: string) => scene.workbench.treeItem(label).first();

  async function says(label: string, words: RegExp): Promise<void> {
    await waitFor(`${label} to say ${words.source}`, async () =>
      words.test((await row(label).getAttribute('aria-label')) ?? ''),
    );
  }

  /** Drags until it shows: a drop on a list that is just being drawn anew goes nowhere. */
  async function drag(from: Locator, to: Locator, what: string, shows: () => Promise<boolean>): Promise<void> {
    await waitFor(what, async () => {
      if (await shows()) return true;
      await from.dragTo(to, { timeout: 5_000 });
      return waitFor(what, shows, 4_000);
    });
  }

  /** Rows below one, as far as they are in view, by label. */
  async function below(label: string): Promise<string[]> {
    // All rows in one look: the list takes rows away and puts them back while it is drawn.
    const found = await scene.workbench.page.evaluate<{ index: number; level: number; name: string }[]>(
      `[...document.querySelectorAll('.monaco-list-row[role="treeitem"]')].map((row) => ({
        index: Number(row.dataset.index),
        level: Number(row.getAttribute('aria-level')),
        name: row.querySelector('.label-name')?.innerText.trim() ?? '',
      }))`,
    );
    // The page keeps rows in the order in which they came into view.
    found.sort((one, other) => one.index - other.index);
    const start = found.findIndex(({ name }) => name === label);
    const level = found[start]?.level ?? 0;
    const rest = found.slice(start + 1);
    const end = rest.findIndex((item) => item.level <= level);
    return rest.slice(0, end < 0 ? undefined : end).map(({ name }) => name);
  }

  it('moves a report into another folder, and into the library itself', async () => {
    const report = row('Costly Species');
    // Dropped where it is, it is not asked about.
    const isAlready = scene.workbench.notification('Already in Bird Strikes').first();
    await drag(report, row('Bird Strikes'), 'the drop to be answered', () => isAlready.isVisible());
    const isIn = async (folder: string) => (await below(folder)).includes('Costly Species');
    const levelOf = (item: Locator) => item.getAttribute('aria-level');
    await scene.workbench.expand('Dashboards');
    const question = scene.workbench.page.locator('.monaco-dialog-box', { hasText: 'Costly Species' });
    const dragTo = async (folder: string) => {
      await drag(report, row(folder), `the question about ${folder}`, () => question.isVisible());
      await scene.workbench.answer('Move');
    };
    await dragTo('Dashboards');
    await waitFor('the report in its folder', () => isIn('Dashboards'));
    await expect.poll(() => below('Bird Strikes')).not.toContain('Costly Species');
    await dragTo('Public');
    await waitFor('the report beside the folders', async () => {
      return (await report.isVisible()) && (await levelOf(report)) === (await levelOf(row('Dashboards')));
    });
    await dragTo('Bird Strikes');
    await waitFor('the report where it was', () => isIn('Bird Strikes'));
  });

  it('gives a folder to a group after the question whom that shuts out', async () => {
    await scene.workbench.collapse('Bird Strikes');
    await scene.workbench.collapse('Dashboards');
    await scene.workbench.expand('Security');
    await scene.workbench.expand('Groups');
    const { page } = scene.workbench;
    const north = scene.workbench.treeItem('North').filter({ hasText: 'members' });
    const dialog = page.locator('.monaco-dialog-box');
    await drag(north, row('Dashboards'), 'the question', () => dialog.isVisible());
    await scene.workbench.screenshot('drag-folder-question-light');
    await scene.workbench.answer('Restrict');
    await says('Dashboards', /Folder Dashboards, .*members of North/);
    // Another group beside it would see what it holds: that is asked about, too.
    const south = scene.workbench.treeItem('South').filter({ hasText: 'members' });
    await drag(south, row('Dashboards'), 'the question about the other group', () => dialog.isVisible());
    await dialog.getByText('to South?').waitFor();
    await scene.workbench.answer('Cancel');
    await drag(south, row('Dashboards'), 'the same question again', () => dialog.isVisible());
    await says('Dashboards', /Folder Dashboards, Visible only to members of North$/);
    await scene.workbench.answer('Open');
    await says('Dashboards', /members of North, South/);
  });

  it('asks for the role when several users are dragged onto a group', async () => {
    const { workbench } = scene;
    await workbench.collapse('Library');
    await workbench.expand('Users');
    // Its document takes the focus when it opens, which would end the question.
    await workbench.openRow('north.viewer');
    await row('north.modifier').click({ modifiers: ['Control'] });
    const question = workbench.page.locator('.quick-input-widget:visible');
    await drag(row('north.viewer'), row('South'), 'the question for the role', () => question.isVisible());
    await workbench.quickPickChoose('Modify');
    await workbench.answer('Add');
    await workbench.expand('South');
    await waitFor('both in South', async () => {
      const members = await below('South');
      return members.includes('north.viewer') && members.includes('north.modifier');
    });
    await scene.workbench.collapse('South');
  });

  it('marks who is locked, what is inactive and what has unsaved changes, and tells the rest on hover', async () => {
    const { workbench, editor } = scene;
    await says('south.viewer', /locked/);
    await row('south.viewer').locator('.monaco-icon-label').first().hover();
    await workbench.page.locator('.monaco-hover:visible', { hasText: 'Locked since' }).first().waitFor();
    await scene.workbench.collapse('Users');
    await scene.workbench.collapse('Groups');
    await workbench.expand('Data Tags');
    await says('unused', /inactive/);
    await workbench.expand('Policies');
    await workbench.openRow('Own States Only');
    await editor.shows('"Name": "Own States Only"');
    await editor.replace('"Description": "', '"Description": "Edited. ');
    const mark = row('Own States Only').locator('[class*="Badge"]').first();
    await mark.waitFor();
    for (const theme of ['light', 'dark', 'highContrast'] as const) {
      await workbench.useTheme(theme);
      await workbench.screenshot(`tree-marks-${theme}`);
    }
    await workbench.useTheme('light');
    await workbench.palette('File: Revert File');
  });

  it('assigns a policy to the group dropped onto it', async () => {
    const { workbench } = scene;
    await workbench.expand('Groups');
    const assigned = row('Own States Only').filter({ hasText: /All Users, North, South/ });
    await drag(row('All Users'), row('Own States Only'), 'the policy to be assigned', () => assigned.isVisible());
  });

  it('assigns a policy to every group of those selected', async () => {
    await scene.colleague.newGroup('Dawn', {});
    await scene.colleague.newGroup('Dusk', {});
    await scene.workbench.palette('Analytics: Refresh Servers');
    await row('Dusk').waitFor();
    const assigned = row('Own States Only').filter({ hasText: /Dawn, Dusk/ });
    await row('Dawn').click();
    await row('Dusk').click({ modifiers: ['Control'] });
    await drag(row('Dusk'), row('Own States Only'), 'the policy to be assigned', () => assigned.isVisible());
    const policy = await scene.colleague.find('Shield/GetAllShieldPolicies', 'Name', 'Own States Only');
    expect(JSON.stringify(policy?.Groups)).toMatch(/Dawn.*Dusk/);
  });

  it('says what can be dragged where, when a drop means nothing', async () => {
    const notice = scene.workbench.notification('Drag reports onto a folder');
    await drag(row('Own States Only'), row('All Users'), 'what can be dragged where', () => notice.isVisible());
  });
});
