import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../support/documentScene.ts';
import { waitFor } from '../support/waitFor.ts';

describe('dragging in the sidebar', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    scene = await openDocumentScene('light', async (colleague) => {
      await colleague.newTag('unused', { DefaultValue: 'x', isActive: false });
    });
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

  async function fold(label: string): Promise<void> {
    await row(label).locator('.monaco-tl-twistie').click();
    await waitFor(`"${label}" to fold`, async () => (await row(label).getAttribute('aria-expanded')) === 'false');
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
    await row('Costly Species').dragTo(row('Dashboards'));
    await scene.workbench.expand('Dashboards');
    await waitFor('the report in its folder', async () => (await below('Dashboards')).includes('Costly Species'));
    expect(await below('Bird Strikes')).not.toContain('Costly Species');
    await row('Costly Species').dragTo(row('Public'));
    await waitFor('the report in no folder', async () => !(await below('Dashboards')).includes('Costly Species'));
    await row('Costly Species').waitFor();
    await row('Costly Species').dragTo(row('Bird Strikes'));
    await waitFor('the report where it was', async () => (await below('Bird Strikes')).includes('Costly Species'));
  });

  it('gives a folder to a group after the question whom that shuts out', async () => {
    await fold('Bird Strikes');
    await fold('Dashboards');
    await scene.workbench.expand('Security');
    await scene.workbench.expand('Groups');
    const { page } = scene.workbench;
    const north = scene.workbench.treeItem('North').filter({ hasText: 'members' });
    await north.dragTo(row('Dashboards'));
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await scene.workbench.screenshot('drag-folder-question-light');
    await dialog.getByRole('button', { name: 'Restrict' }).click();
    await says('Dashboards', /Dashboards, North/);
  });

  it('asks for the role when several users are dragged onto a group', async () => {
    const { workbench } = scene;
    await fold('Library');
    await workbench.expand('Users');
    await row('north.viewer').click();
    await row('north.modifier').click({ modifiers: ['Control'] });
    await row('north.viewer').dragTo(row('South'));
    await workbench.quickPickChoose('Modify');
    await workbench.expand('South');
    await waitFor('both in South', async () => {
      const members = await below('South');
      return members.includes('north.viewer') && members.includes('north.modifier');
    });
    await fold('South');
  });

  it('marks who is locked, what is inactive and what has unsaved changes, and tells the rest on hover', async () => {
    const { workbench, editor } = scene;
    await says('south.viewer', /locked/);
    await row('south.viewer').locator('.monaco-icon-label').first().hover();
    await workbench.page.locator('.monaco-hover:visible', { hasText: 'Locked since' }).first().waitFor();
    await fold('Users');
    await fold('Groups');
    await workbench.expand('Data Tags');
    await says('unused', /inactive/);
    await workbench.expand('Policies');
    await row('Own States Only').click();
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
    await row('All Users').dragTo(row('Own States Only'));
    await says('Own States Only', /All Users, North, South/);
  });

  it('says what can be dragged where, when a drop means nothing', async () => {
    await row('Own States Only').dragTo(row('All Users'));
    await scene.workbench.notification('Drag reports onto a folder').waitFor();
  });
});
