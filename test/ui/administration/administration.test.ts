import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { waitFor } from '../../support/waitFor.ts';
import { ResultsPage } from '../../support/webview/resultsPage.ts';
import { DocumentEditor } from '../../support/workbench/documentEditor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

describe('administration from the sidebar', () => {
  let workbench: Workbench;
  beforeAll(async () => {
    const env = { ANALYTICS_STUDIO_WELCOME: 'local' };
    workbench = await openWorkbench({ theme: 'light', env, size: { width: 1200, height: 1100 } });
    // The start unfolds the library down to the first reports: what was folded before that would be unfolded again.
    await row('All Bird Strikes').waitFor({ timeout: 60_000 });
    await workbench.collapse('Library');
    await workbench.expand('Security');
    await workbench.expand('Policies');
  });
  afterAll(() => workbench.stop());

  const row = (label: string) => workbench.treeItem(label).first();

  async function says(label: string, words: RegExp): Promise<void> {
    await waitFor(`${label} to say ${words.source}`, async () =>
      words.test((await row(label).getAttribute('aria-label')) ?? ''),
    );
  }

  it('deactivates and activates a policy from its menu', async () => {
    await says('Own States Only', /, active/);
    await workbench.treeAction('Own States Only', 'Deactivate Policy');
    await workbench.answer('Deactivate');
    await says('Own States Only', /inactive/);
    await workbench.treeAction('Own States Only', 'Activate Policy');
    await says('Own States Only', /, active/);
  });

  it('asks for the role when a user is dragged onto a group', async () => {
    await workbench.expand('Groups');
    await workbench.expand('Users');
    await row('north.viewer').waitFor();
    await row('north.viewer').dragTo(row('South'));
    await workbench.quickPickChoose('Modify');
    const gain = 'north.viewer will see more rows of airports, birdstrikes and flights.';
    await workbench.page.locator('.monaco-dialog-box').getByText(gain).waitFor();
    await workbench.screenshot('rows-gained');
    await workbench.answer('Add');
    await workbench.expand('South');
    await waitFor('north.viewer in South', async () => (await workbench.treeItem('north.viewer').count()) === 2);
    await says('South', /4 members/);
    await workbench.screenshot('tree-dragged-user');
  });

  it('takes several selected members out of a group at once', async () => {
    const member = (name: string) => workbench.treeItem(name).last();
    await member('south.modifier').click();
    // Its document takes the focus when it opens, and would close a menu.
    await workbench.tab('south.modifier.').waitFor();
    await member('south.viewer').click({ modifiers: ['ControlOrMeta'] });
    await workbench.treeAction('south.viewer', 'Remove Users from Group…', member('south.viewer'));
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('south.modifier in South').waitFor();
    await dialog.getByText('2 users will see all rows of airports, birdstrikes and flights').waitFor();
    await workbench.answer('Remove');
    await says('South', /2 members/);
    for (const name of ['south.modifier', 'south.viewer']) {
      await waitFor(`${name} in Users alone`, async () => (await workbench.treeItem(name).count()) === 1);
    }
    await waitFor('north.viewer to stay', async () => (await workbench.treeItem('north.viewer').count()) === 2);
  });

  it('shows the semantic layer down to a field, and administration', async () => {
    await workbench.collapse('Security');
    await workbench.expand('Semantic Layer');
    await workbench.expand('Administration');
    await workbench.expand('Licences');
    await row('Installation ID').waitFor();
    await workbench.expand('Audit');
    await row('Login Success').waitFor();
    await workbench.screenshot('tree-administration-light');
    await workbench.useTheme('dark');
    await workbench.screenshot('tree-administration-dark');
    await workbench.useTheme('highContrast');
    await workbench.screenshot('tree-administration-high-contrast');
  });

  it('shows the audit trail as rows to filter and export', async () => {
    await workbench.useTheme('light');
    await workbench.treeAction('Audit', 'Show Audit Trail');
    const page = await ResultsPage.of(workbench, 'Audit Trail of Local Server');
    await page.says(/^\d+ rows/);
    await page.frame.locator('.grid-row').getByText('saved policy Own States Only').first().waitFor();
    expect(await page.frame.getByRole('button', { name: 'SQL' }).count()).toBe(0);
    await workbench.screenshot('audit-trail');
  });

  it('opens the object of an entry of the audit trail as a document', async () => {
    const page = await ResultsPage.of(workbench, 'Audit Trail of Local Server');
    const detail = page.frame.locator('.grid-cell.is-drill .grid-text', { hasText: /^saved policy Own States Only$/ });
    await detail.first().click();
    await workbench.tab('Own States Only.').waitFor();
    const editor = new DocumentEditor(workbench);
    await editor.shows('"Name": "Own States Only"');
    await workbench.screenshot('audit-trail-object');
  });
});
