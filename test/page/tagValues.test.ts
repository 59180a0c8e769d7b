import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../src/connections/connection.ts';
import type { JsonObject } from '../../src/objects/json.ts';
import { editTagValues } from '../../src/features/tagValues/commands.ts';
import { groupKind } from '../../src/objects/kinds/securityKinds.ts';
import { objectServer } from '../../src/objects/objectServer.ts';
import { deleteObject } from '../../src/objects/save/deleteObject.ts';
import { changeOn, createOn, openCommandScene, type CommandScene } from '../support/commandScene.ts';
import { startLocalServer, type LocalTestServer } from '../support/localServer.ts';
import { PageHost, type ShownPage } from '../support/pages/pageHost.ts';
import { person } from '../support/vscode/person.ts';
import { waitFor } from '../support/waitFor.ts';

describe('the values of a data tag', () => {
  let server: LocalTestServer;
  let scene: CommandScene;
  let connection: Connection;
  let host: PageHost;
  let shown: ShownPage;
  let frame: Frame;
  beforeAll(async () => {
    server = await startLocalServer(true);
    scene = await openCommandScene();
    connection = await scene.addServer('Local Server', server.apiBase, server.adminPassword);
    host = await PageHost.start();
  });
  afterAll(async () => {
    await host.stop();
    await scene.close();
    await server.stop();
  });

  const show = async (next: ShownPage) => {
    shown = next;
    frame = shown.page.mainFrame();
    await frame.locator('.tag-summary').waitFor();
  };
  const open = async (tag = 'state') => {
    person.answers('Edit Data Tag Values', tag);
    await editTagValues(scene.services, scene.services.tree.serverNode(connection));
    await show(await host.opened());
  };
  const value = (name: string) => frame.getByRole('textbox', { name, exact: true });
  const button = (name: string) => frame.getByRole('button', { name });
  const status = (words: string) => expect.poll(() => frame.locator('.tag-summary').innerText()).toBe(words);
  /** Other values show other rows, which is asked first. */
  const agreesTo = (gain: string) =>
    person.answers('Save the values of state on Local Server?', () => {
      expect(person.texts().at(-1)).toContain(gain);
      return 'Save';
    });
  const otherRows = 'north.viewer may see other rows of airports, birdstrikes and flights.';
  /** What the server has for a user. */
  const stored = async (user: string) => {
    const client = await connection.client();
    const contacts = await client.call('Contact/GetContactList', {});
    const id = contacts.find(({ LoginName }) => LoginName === user)?.ID;
    const tag = (await client.call('DataTag/GetAllDataTags', {})).find(({ Label }) => Label === 'state');
    return { default: tag?.DefaultValue, own: tag?.Contacts?.find(({ RightID }) => RightID === id)?.Option1 };
  };

  it('shows what each group and user has', async () => {
    await open();
    await frame.getByRole('heading', { name: 'Values of /#state#/ on Local Server' }).waitFor();
    expect(shown.panel.title).toBe('Values of state');
    await value('North').waitFor();
    await expect.poll(() => value('north.viewer').inputValue()).toBe('');
    await expect.poll(() => value('north.viewer').getAttribute('placeholder')).toBe('no value');
  });

  it('is edited and saved by keyboard alone', async () => {
    await value('Default value').fill('WA');
    await expect.poll(() => value('north.viewer').getAttribute('placeholder')).toBe('default: WA');
    await value('north.viewer').focus();
    await shown.page.keyboard.type('NV');
    await status('2 unsaved changes');
    await expect.poll(() => shown.panel.title).toBe('● Values of state');
    agreesTo('north.viewer');
    await shown.page.keyboard.press('Control+s');
    await status('Saved, and read back from the server');
    await expect.poll(() => value('north.viewer').inputValue()).toBe('NV');
    await expect.poll(() => shown.panel.title).toBe('Values of state');
    expect(await stored('north.viewer')).toEqual({ default: 'WA', own: 'NV' });
    person.leave();
  });

  it('finds a user, takes the value away, and gives a change up', async () => {
    await frame.getByRole('searchbox').fill('north.view');
    await expect.poll(() => frame.getByRole('rowheader').count()).toBe(1);
    await button('Clear the value of north.viewer').click();
    await status('1 unsaved change');
    person.answers('Discard 1 change to the values of state on Local Server?', 'Discard Changes');
    await button('Discard Changes').click();
    await expect.poll(() => value('north.viewer').inputValue()).toBe('NV');
    await button('Clear the value of north.viewer').click();
    agreesTo(otherRows);
    await button('Save').click();
    await status('Saved, and read back from the server');
    await expect.poll(() => value('north.viewer').inputValue()).toBe('');
    expect(await stored('north.viewer')).toEqual({ default: 'WA', own: undefined });
    person.leave();
  });

  it('takes a pasted column into the rows from there on, and nothing of one that does not fit', async () => {
    const paste = (name: string, text: string) =>
      frame.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', ${JSON.stringify(text)});
        const input = document.querySelector('input[aria-label="${name}"]');
        input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }`);
    await frame.getByRole('searchbox').fill('south.');
    await value('south.modifier').waitFor();
    await paste('south.modifier', 'FL\r\nTX\r\n');
    await status('2 unsaved changes');
    await expect.poll(() => value('south.viewer').inputValue()).toBe('TX');
    await paste('south.viewer', 'GA\nLA');
    await status('2 unsaved changes · Nothing was pasted: 2 lines for 1 rows. Paste one value per line.');
    await expect.poll(() => value('south.viewer').inputValue()).toBe('TX');
    person.answers('Discard 2 changes', 'Discard Changes');
    await button('Discard Changes').click();
    await status('');
    await frame.getByRole('searchbox').fill('');
    person.leave();
  });

  it('says so when nothing is found', async () => {
    await frame.getByRole('searchbox').fill('no such user');
    await frame.getByText('No matches.').first().waitFor();
    await expect.poll(() => frame.getByRole('rowheader').count()).toBe(0);
    await frame.getByRole('searchbox').fill('');
  });

  it('saves nothing over what another user changed, and says whose value it was', async () => {
    await value('north.viewer').fill('OR');
    const client = await connection.client();
    const tag = (await client.call('DataTag/GetAllDataTags', {})).find(({ Label }) => Label === 'state');
    const contacts = await client.call('Contact/GetContactList', {});
    const id = contacts.find(({ LoginName }) => LoginName === 'north.viewer')?.ID;
    const Contacts = [...(tag?.Contacts ?? []), { RightID: id, Option1: 'CO' }];
    await changeOn(connection, 'tag', String(tag?.ID), { isUser: true, Contacts } as JsonObject);
    agreesTo(otherRows);
    await button('Save').click();
    await frame.getByText('Another user changed these values on Local Server: north.viewer.').first().waitFor();
    expect(await stored('north.viewer')).toMatchObject({ own: 'CO' });
    person.answers('Discard 1 change', 'Discard Changes');
    await button('Reload').click();
    await expect.poll(() => value('north.viewer').inputValue()).toBe('CO');
    person.leave();
  });

  it('keeps what was typed when it is closed, and opens again with it', async () => {
    await value('north.viewer').fill('OR');
    await status('1 unsaved change');
    await expect.poll(() => shown.panel.title).toBe('● Values of state');
    person.answers('1 change to the values of state on Local Server is not saved', 'Open Again');
    shown.panel.dispose();
    await show(await host.opened());
    await status('1 unsaved change · not saved before the table was closed');
    await expect.poll(() => value('north.viewer').inputValue()).toBe('OR');
    agreesTo(otherRows);
    await button('Save').click();
    await status('Saved, and read back from the server');
    const asked = person.shown.length;
    shown.panel.dispose();
    await open();
    await waitFor('the saved value', async () => (await value('north.viewer').inputValue()) === 'OR');
    // Nothing was unsaved: only the tag was asked for.
    expect(person.shown.slice(asked).map(({ kind }) => kind)).toEqual(['list']);
    person.leave();
  });

  it('no longer says that it was read back when a group is deleted, and shows the groups that are left', async () => {
    const id = await createOn(connection, 'group', 'Short-lived');
    await button('Reload').click();
    await value('Short-lived').fill('NV');
    await button('Save').click();
    await status('Saved, and read back from the server');
    await deleteObject(objectServer(await connection.client()), groupKind, id);
    await scene.services.tree.refreshObjects(connection, 'group');
    await expect.poll(() => value('Short-lived').count()).toBe(0);
    expect(await frame.locator('.tag-summary').innerText()).not.toContain('read back');
  });

  it('shows hostile names and values as text', async () => {
    const hostile = '<img src=x onerror=alert(1)>';
    await createOn(connection, 'group', hostile);
    shown.panel.dispose();
    await open();
    await value(hostile).waitFor();
    expect(await frame.locator('img, script:not([src], [type="application/json"]), a, iframe').count()).toBe(0);
  });
});
