import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDocumentScene, type DocumentScene } from '../../support/workbench/documentScene.ts';
import { figure } from '../../support/run/figure.ts';
import { keptTexts, placesOf } from '../../support/keptText.ts';
import { waitFor } from '../../support/waitFor.ts';

const canaries = {
  'a new PIN': 'Canary-5-pin-of-a-user',
  'the first password of a user': 'Canary-6-first-password',
  'a mail password': 'Canary-7-mail-password',
  'a database password': 'Canary-8-database-password',
  'the secret of the second factor': 'Canary-9-client-secret',
  'a new secret of the second factor': 'Canary-10-client-secret',
};
const unsaved = 'Canary-1-unsaved-text';

describe('secrets in a day of administration', () => {
  let scene: DocumentScene;
  beforeAll(async () => {
    scene = await openDocumentScene(
      'dark',
      async (colleague) => {
        await colleague.newTag('territory', { DefaultValue: 'West' });
        await colleague.changeSettings({ mfa_clientsecret: canaries['the secret of the second factor'] });
      },
      {},
    );
  });
  afterAll(() => scene.stop());

  const sent = () => scene.proxy.sent.join('\n');
  const wasSent = (secret: string) => waitFor(`${secret} to be sent`, async () => sent().includes(secret));

  it('go to the server through password boxes', async () => {
    const { workbench, editor } = scene;
    const { proxy } = scene;
    const pin = canaries['a new PIN'];
    await workbench.palette('Analytics: Set PIN…');
    await workbench.quickPickChoose('north.viewer');
    await workbench.quickInput('New PIN (password)', pin);
    await workbench.quickInput('Repeat the PIN', pin);
    await wasSent(pin);

    await workbench.palette('Analytics: New Object…');
    await workbench.quickPickChoose('User');
    await editor.shows('"LoginName": ""');
    await editor.replace('"LoginName": ""', '"LoginName": "ada"');
    await editor.save();
    await workbench.quickInput('Password of', canaries['the first password of a user']);
    // No policy restricts her.
    await workbench.answer('Save');
    await workbench.tab('ada.user.json').waitFor();
    await wasSent(canaries['the first password of a user']);

    await workbench.expand('Administration');
    await workbench.treeAction('Outgoing Mail (SMTP)', 'Edit as JSON');
    await editor.shows('"SMTPUserName": ""');
    await editor.replace('"SMTPUserName": ""', '"SMTPUserName": "mailer"');
    await editor.replace('"SMTPHost": ""', '"SMTPHost": "mail.example"');
    await editor.replace('"SMTPFromAddress": ""', '"SMTPFromAddress": "reports@mail.example"');
    await editor.save();
    await workbench.quickInput('Mail password of', canaries['a mail password']);
    await wasSent(canaries['a mail password']);
    await editor.isDirty('.smtp.json', false);

    await workbench.treeAction('Instance Settings', 'Edit as JSON');
    await editor.shows('"SSOHeader": ""');
    await editor.replace('"SSOHeader": ""', '"SSOHeader": "X-User"');
    await editor.save();
    await editor.isDirty('Instance Settings.settings.json', false);
    // The stored secret goes back with the rest, or the save would blank it.
    expect(proxy.sent.filter((body) => body.includes('X-User')).join()).toContain('Canary-9');
    const changed = canaries['a new secret of the second factor'];
    await workbench.page.locator('.codelens-decoration a', { hasText: 'Change Client Secret…' }).click();
    await workbench.quickInput('New: Client secret', changed);
    await workbench.quickInput('Repeat the new value', changed);
    await wasSent(changed);
    expect(await scene.colleague.settings()).toMatchObject({ SSOHeader: 'X-User', mfa_clientsecret: changed });

    await workbench.expand('Semantic Layer');
    await workbench.expand('Flight Operations');
    await workbench.treeAction('Flight Data', 'Edit as JSON');
    await editor.shows('"DatabaseLogin": ""');
    await editor.replace('"DatabaseLogin": ""', '"DatabaseLogin": "reader"');
    await editor.save();
    await workbench.quickInput('Database password of', canaries['a database password']);
    await wasSent(canaries['a database password']);
    expect(await workbench.page.locator('.monaco-editor').allInnerTexts()).not.toContain('Canary');
  });

  it('S1: are in no log, backup, state, setting, address or argument; unsaved text is in backups alone', async () => {
    const { workbench, editor, server, proxy } = scene;
    await workbench.expand('Security');
    await workbench.expand('Data Tags');
    await workbench.openRow('territory');
    await editor.shows('"DefaultValue": "West"');
    await editor.typeOver('West', unsaved);
    await editor.isDirty('territory.tag.json', true);
    await workbench.reload();
    await workbench.tab('territory.tag.json').click();
    await editor.shows(unsaved);
    const tokens = new Set(proxy.sent.flatMap((body) => /"sessionToken":"([^"]{8,})"/.exec(body)?.[1] ?? []));
    expect(tokens.size).toBeGreaterThan(0);
    const secrets = [server.adminPassword, ...tokens, ...Object.values(canaries)];
    const kept = await keptTexts(workbench);
    // What is searched is what it should be: the backup of the text, the list of servers, the logs.
    const backups = placesOf(unsaved, kept);
    expect(backups.length).toBeGreaterThan(0);
    expect(backups.filter((place) => !/backups/i.test(place))).toEqual([]);
    expect(placesOf(scene.host, kept).join()).toContain('servers.json');
    expect(kept.map(({ place }) => place).join()).toMatch(/Analytics Studio\.log/);
    for (const secret of secrets) expect(sent()).toContain(secret);
    for (const secret of secrets) expect(placesOf(secret, kept), secret.slice(0, 8)).toEqual([]);
    expect(server.log()).not.toContain('Canary');
    figure('S1', `a day's use: ${secrets.length} secrets in ${kept.length} files, states, logs and processes: 0 found`);
    await editor.save();
    await editor.isDirty('territory.tag.json', false);
  });
});
