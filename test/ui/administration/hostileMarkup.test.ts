import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentEditor } from '../../support/workbench/documentEditor.ts';
import { hostileCommand, hostileMarkup } from '../../support/workbench/hostileMarkup.ts';
import { soakSize } from '../../support/run/soakSize.ts';
import { handled } from '../../support/scriptedServer.ts';
import { canMakeCertificates, makeAuthority, startTlsServer } from '../../support/tls.ts';
import { password, result, startFaultyServer, type FaultyServer } from '../../support/webview/faultyServer.ts';
import { until } from '../../support/until.ts';
import { watchMarkup } from '../../support/workbench/watchMarkup.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';

/** Surfaces that are tried one text at a time are tried with all of them by `npm run soak`. */
const isFull = soakSize(0, 1) === 1;

/** The text under this number, as a name or message: the number tells it from the others. */
const numbered = (text: string, index: number) => `T${String(index).padStart(2, '0')} ${text}`;
const tagOf = (index: number) => numbered('', index).trim();

describe('texts of a server that could be read as links, icons, images or markup', () => {
  let workbench: Workbench;
  let editor: DocumentEditor;
  let server: FaultyServer;
  let canary: Server;
  let folder: string;
  let texts: readonly string[];
  let breaches: () => Promise<string[]>;
  const asked: string[] = [];
  /** Number of the message that the server gives next. */
  let now = 0;

  beforeAll(async () => {
    canary = createServer((request, response) => {
      asked.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}`;
    texts = hostileMarkup(address).map(numbered);
    const refusal = () => ({ ErrorCode: 5, ErrorMessage: texts[now] });
    const named = (idField: string, nameField: string) => () =>
      texts.map((text, index) => ({ [idField]: String(index + 1), [nameField]: text, isActive: true, error_code: 0 }));
    server = await startFaultyServer(
      texts.map((name) => ({ name, run: () => result([{ a: 1 }]) })),
      {
        'login/DoLogin': ({ body }) =>
          body.UserPassword === password
            ? {
                ErrorCode: 0,
                LoginSession: { SessionToken: 'token-0', SessionExpir: new Date(Date.now() + 1_200_000).toISOString() },
                LoginUser: { ID: '1', LoginName: 'ada', FullName: texts[0], isAdmin: true },
              }
            : refusal(),
        'Report/GetSQL': (_request, response) => {
          if (now % 2 === 0) return refusal();
          const phrase = (texts[now] ?? '').replace(/[^\x20-\x7e]/g, '').slice(0, 200);
          response.writeHead(500, phrase, { 'content-type': 'text/plain' }).end(texts[now]);
          return handled;
        },
        'Report/GetReport': ({ body }) => ({
          ErrorCode: 0,
          ReportID: body.ReportId,
          Reportname: texts[Number(body.ReportId) - 1],
          OutputType: 1,
        }),
        'Report/SaveReport': refusal,
        'Group/GetAllSecurityGroups': named('GroupId', 'GroupName'),
        'DataTag/GetAllDataTags': named('ID', 'Label'),
        'Shield/GetAllShieldPolicies': named('id', 'Name'),
        'Contact/GetContactList': named('ID', 'LoginName'),
      },
    );
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-names-'));
    const settings = {
      'workbench.hover.delay': 300,
      'files.simpleDialog.enable': true,
    };
    workbench = await openWorkbench({ theme: 'dark', settings, size: { width: 1600, height: 1300 } });
    editor = new DocumentEditor(workbench);
    breaches = await watchMarkup(workbench.page, [hostileCommand, address]);
    await workbench.openContainer('Analytics');
  });
  afterAll(async () => {
    await workbench?.stop();
    await server?.close();
    await new Promise<void>((resolve) => void canary.close(() => resolve()));
    await rm(folder, { recursive: true, force: true });
  });

  const row = (index: number) =>
    workbench.page.locator('.monaco-list-row[role="treeitem"]', { hasText: `${tagOf(index)} ` }).first();
  const quickInput = () => workbench.page.locator('.quick-input-widget:visible');
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const act = (index: number, action: string) => workbench.treeAction(tagOf(index), action, row(index));

  /** Nothing was drawn as more than words, nothing ran, and nothing was asked for. */
  async function expectWords(): Promise<void> {
    expect(await breaches()).toEqual([]);
    expect(asked).toEqual([]);
    await expect.poll(() => workbench.page.locator('.terminal-outer-container, .terminal-wrapper').count()).toBe(0);
  }

  it('stay words before anybody is signed in', async () => {
    await workbench.palette('Analytics: Add Server…');
    await workbench.quickInput('Add Server (1/4)', server.url);
    await workbench.quickPickChoose('User');
    await workbench.quickInput('User name', 'ada');
    for (now = 0; now < texts.length; now++) {
      await workbench.quickInput('Add Server (4/4)', 'wrong');
      await quickInput()
        .getByText(`${tagOf(now)} `)
        .waitFor();
    }
    await workbench.screenshot('hostile-sign-in');
    await workbench.quickInput('Add Server (4/4)', password);
    await expectWords();
  });

  it('stay words as names in the sidebar and in its hints', async () => {
    await workbench.expand('Public');
    await workbench.expand('Faults');
    for (const index of [0, 20, 38]) {
      const hint = workbench.page.locator('.monaco-hover', { hasText: tagOf(index) }).first();
      const point = async () => {
        // The mouse has to come to a row, not to rest on it while it is drawn.
        await row(index + 1).hover();
        await row(index).hover();
      };
      await until('the hint', () => hint.isVisible(), point, { tryFor: 3_000 });
    }
    expect(await workbench.page.getByText('Repair this report').count()).toBeGreaterThan(0);
    await expectWords();
  });

  it('leave no link in the message of a report whose SQL cannot be shown', async () => {
    now = 0;
    await act(0, 'Show SQL');
    const message = workbench.notification('Could not show the SQL of').first();
    await message.waitFor();
    await workbench.screenshot('hostile-show-sql');
    await expect.poll(() => message.innerText()).toContain('[Repair this report]\u2009(command:');
    // Where the link was, a click finds words.
    await message.getByText('Repair this report').first().click();
    await expectWords();
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('stay words in the messages of failures, with names and reasons of HTTP', async () => {
    // Each name comes with another one's message, so that all are seen in half as many.
    for (let index = 1; index < texts.length / 2; index++) {
      now = texts.length - index;
      const message = workbench.notification(`SQL of "${tagOf(index)} `).first();
      await until(
        'the message',
        () => message.isVisible(),
        () => act(index, 'Show SQL'),
        { tryFor: 5_000 },
      );
    }
    await workbench.palette('Notifications: Show Notifications');
    await workbench.page.locator('.notifications-center.visible').waitFor();
    await workbench.screenshot('hostile-notifications');
    await expectWords();
    await workbench.palette('Notifications: Clear All Notifications');
  });

  it('stay words in lists to choose from', async () => {
    await workbench.palette('Analytics: Go to Object…');
    for (let index = 0; index < texts.length; index++) {
      await quickInput().locator('.quick-input-box input').fill(tagOf(index));
      await quickInput()
        .locator('.monaco-list-row', { hasText: `${tagOf(index)} ` })
        .first()
        .waitFor();
    }
    await workbench.page.keyboard.press('Escape');
    await expectWords();
  });

  it('stay words in questions, prompts, the status bar, tabs and documents', async () => {
    for (const index of isFull ? texts.keys() : [0, 7, 24, 32]) {
      await act(index, 'Delete Report…');
      await dialog().getByText(tagOf(index)).first().waitFor();
      await workbench.answer('Cancel');
      await act(index, 'Rename Report…');
      await waitFor('the box', async () => (await quickInput().innerText()).includes(tagOf(index)));
      await workbench.page.keyboard.press('Escape');
      await act(index, 'Copy Name');
      await workbench.page.locator('.statusbar', { hasText: `Copied: ${tagOf(index)}` }).waitFor();
      await act(index, 'Run Report');
      await workbench.tab(tagOf(index)).first().waitFor();
    }
    await expectWords();
  });

  it('stay words where a document cannot be saved', async () => {
    await act(0, 'Edit as JSON');
    await editor.shows('"Reportname": "T00');
    await editor.replace('"OutputType": 1', '"OutputType": 2');
    for (now of isFull ? texts.keys() : [0, 2, 24, 30]) {
      await workbench.page.keyboard.press('Control+s');
      await workbench.notification(tagOf(now)).first().waitFor();
      await workbench.palette('Notifications: Clear All Notifications');
    }
    await workbench.palette('Problems: Focus on Problems View');
    await workbench.page.locator('.markers-panel', { hasText: tagOf(now) }).waitFor();
    await workbench.screenshot('hostile-problems');
    await expectWords();
    await workbench.palette('File: Revert File');
  });

  it('stay words in the lists of security', async () => {
    await workbench.collapse('Public');
    await workbench.expand('Security');
    for (const list of ['Groups', 'Data Tags', 'Policies']) {
      await workbench.expand(list);
      await row(39).waitFor();
      await workbench.collapse(list);
    }
    await expectWords();
  });

  it('stay words as the name of a file', async () => {
    // Without an icon: the editor's own dialog for files draws those in their names.
    const name = `[open](${hostileCommand}).csv`;
    await writeFile(path.join(folder, name), 'LoginName\nnora\n');
    await workbench.treeAction('Users', 'Import Users from CSV…');
    await workbench.chooseFile('Users to import into', path.join(folder, name));
    await workbench.tab('Import [open]').first().waitFor();
    await workbench.screenshot('hostile-file-name');
    await expectWords();
  });

  it('stay words in a certificate', async (context) => {
    if (!canMakeCertificates) context.skip('openssl is not installed');
    const authority = await makeAuthority();
    const subject = `[open](${hostileCommand}) $(squirrel)`;
    const front = await startTlsServer(await authority.make({ isSelfSigned: true, subject }), {});
    try {
      await workbench.palette('Analytics: Add Server…');
      await workbench.quickInput('Add Server (1/4)', front.url);
      await dialog().getByText('Issued to: CN=[open]').waitFor();
      await expectWords();
      await workbench.answer('Cancel');
      await workbench.page.keyboard.press('Escape');
    } finally {
      await front.close();
      await authority.remove();
    }
  });
});
